import { join } from 'node:path'
import { baseUrl } from './baseUrl.ts'
import { listen, type Listener } from './listeners.ts'
import type { Logger } from './logging.ts'
import type { Clock, Random } from './meta/clock.ts'
import type { CertifiedKey, ServingCertificate } from './pki/certificate.ts'
import {
  loadOrCreateServingCertificate,
  renewServingCertificate,
  type CertificateRequest,
} from './pki/servingCertificate.ts'
import { servingHosts } from './pki/servingHosts.ts'
import type { Serve } from './serve.ts'
import type { ServerOptions } from './serverOptions.ts'

const loopback = '127.0.0.1'
const renewalCheckMs = 12 * 60 * 60 * 1000

export interface ListenersRequest {
  options: ServerOptions
  serve: Serve
  clock: Clock
  random: Random
  log: Logger
}

/** The open addresses of a server. */
export interface Listeners {
  url: string
  insecureUrl: string | undefined
  /** PEM of what clients have to trust. */
  caCertificate: string | undefined
  /** What client certificates are signed with now; undefined: the server cannot sign. */
  authority(): CertifiedKey | undefined
  /** How many connections failed before they were encrypted. */
  handshakeErrors(): number
  /** Takes no new requests, lets running ones end until `graceMs` is over, then cuts the rest. */
  close(graceMs: number): Promise<void>
}

/** Opens HTTPS, with a certificate that is renewed while the server runs, and plain HTTP where it is asked for.
 *  @throws StartError for certificates that cannot be used; the system's error when an address cannot be had. */
export async function openListeners(request: ListenersRequest): Promise<Listeners> {
  const { options, serve, clock, log } = request
  const { bindAddress, securePort, insecurePort } = options
  const certificateRequest = certificateRequestOf(request)
  const certificate = await loadOrCreateServingCertificate(certificateRequest)
  for (const warning of certificate.warnings) log.warn({}, warning)
  const tls = withClients(certificate)
  const secure = await listen({ serve, address: bindAddress, port: securePort, tls })
  const renewal = renewing(secure, certificate, { request: certificateRequest, clock, log })
  const all = [secure]
  try {
    if (insecurePort !== undefined)
      all.push(await listen({ serve, address: loopback, port: insecurePort }))
  } catch (error) {
    renewal.stop()
    await secure.close(0)
    throw error
  }
  return {
    url: baseUrl('https', bindAddress, secure.port),
    insecureUrl: all[1] && baseUrl('http', loopback, all[1].port),
    caCertificate: certificate.ca,
    handshakeErrors: () => secure.handshakeErrors(),
    authority: () => authorityOf(renewal.current()),
    close: async (graceMs) => {
      renewal.stop()
      await Promise.all(all.map((listener) => listener.close(graceMs)))
    },
  }
}

function certificateRequestOf({ options, clock, random }: ListenersRequest): CertificateRequest {
  const { dataDir, bindAddress, tlsCertFile, tlsPrivateKeyFile } = options
  const isOwn = tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined
  return {
    directory: dataDir === undefined ? undefined : join(dataDir, 'pki'),
    hosts: servingHosts(bindAddress),
    own: isOwn ? { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile } : undefined,
    clock,
    random,
  }
}

interface RenewalOptions {
  request: CertificateRequest
  clock: Clock
  log: Logger
}

interface Renewal {
  current(): ServingCertificate
  stop(): void
}

/** The certificate, with the authority that signs those of clients. */
function withClients(certificate: ServingCertificate) {
  const { cert, key } = certificate
  return { cert, key, clientCa: authorityOf(certificate)?.cert }
}

function authorityOf({ ca, caKey }: ServingCertificate): CertifiedKey | undefined {
  return ca === undefined || caKey === undefined ? undefined : { cert: ca, key: caKey }
}

/** Looks twice a day whether the certificate is due. */
function renewing(
  listener: Listener,
  first: ServingCertificate,
  { request, clock, log }: RenewalOptions,
): Renewal {
  let current = first
  let timer = clock.setTimer(check, renewalCheckMs)
  function check(): void {
    timer = clock.setTimer(check, renewalCheckMs)
    renewServingCertificate(current, request)
      .then((next) => {
        if (next !== current) listener.setCertificate(withClients(next))
        current = next
      })
      .catch((err: unknown) => log.error({ err }, 'the serving certificate could not be renewed'))
  }
  return { current: () => current, stop: () => timer.cancel() }
}
