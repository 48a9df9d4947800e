import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** An object that lives as long as the connection: HTTP/2 gives each request its own proxy of the socket. */
export function connectionOf(request: IncomingMessage & { stream?: { session?: object } }): object {
  return request.stream?.session ?? request.socket
}

/** The client certificate of a connection and its issuers; undefined: there is none, or no TLS. */
export function peerCertificate({ socket }: IncomingMessage): X509Certificate | undefined {
  return showsCertificates(socket) ? socket.getPeerX509Certificate() : undefined
}

/**
 * Reports whether a socket has client certificates, which requires TLS. HTTP/2 gives a proxy of its socket, which has
 * the method too.
 */
function showsCertificates(
  socket: object,
): socket is object & { getPeerX509Certificate(): X509Certificate | undefined } {
  return 'getPeerX509Certificate' in socket && typeof socket.getPeerX509Certificate === 'function'
}
