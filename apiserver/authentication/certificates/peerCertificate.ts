import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What lives as long as the connection: HTTP/2 gives each of its requests another stand-in for the socket. */
export function connectionOf(request: IncomingMessage & { stream?: { session?: object } }): object {
  return request.stream?.session ?? request.socket
}

/** The certificate that the client of a connection showed, its issuers behind it; undefined: none, or no TLS. */
export function peerCertificate({ socket }: IncomingMessage): X509Certificate | undefined {
  return showsCertificates(socket) ? socket.getPeerX509Certificate() : undefined
}

/** A connection without TLS shows none. HTTP/2 gives a stand-in for its socket, which has the method too. */
function showsCertificates(
  socket: object,
): socket is object & { getPeerX509Certificate(): X509Certificate | undefined } {
  return 'getPeerX509Certificate' in socket && typeof socket.getPeerX509Certificate === 'function'
}
