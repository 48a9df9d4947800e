import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * An object that lives as long as the connection. HTTP/2 wraps the socket in a new proxy for each
 * request.
 */
export function connectionOf(request: IncomingMessage & { stream?: { session?: object } }): object {
  return request.stream?.session ?? request.socket
}

/**
 * The client certificate of a connection, with its issuers; undefined: there is no certificate, or
 * no TLS.
 */
export function peerCertificate({ socket }: IncomingMessage): X509Certificate | undefined {
  return showsCertificates(socket) ? socket.getPeerX509Certificate() : undefined
}

/**
 * Reports whether a socket can have client certificates, which require TLS. The socket proxy of
 * HTTP/2 also has the method.
 */
function showsCertificates(
  socket: object,
): socket is object & { getPeerX509Certificate(): X509Certificate | undefined } {
  return 'getPeerX509Certificate' in socket && typeof socket.getPeerX509Certificate === 'function'
}
