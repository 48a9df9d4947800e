import { baseUrl } from '../runtime/baseUrl.ts'
import { connectionPlaces } from './connectionPlaces.ts'
import { listen } from './listeners.ts'
import type { Logger } from '../runtime/logging.ts'
import type { Clock } from '../meta/clock.ts'
import type { CertifiedKey, ServingCertificate } from './pki/certificate.ts'
import {
  loadOrCreateServingCertificate,
  renewServingCertificate,
  type CertificateRequest,
} from './pki/servingCertificate.ts'
import type { Serve } from './serve.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'

const loopback = '127.0.0.1'
/** Intervals of checks: whether a generated certificate is due for renewal, and whether given files have changed. */
const checkMs = { made: 12 * 60 * 60 * 1000, given: 60 * 1000 }

/** The serving certificate while it is being loaded or issued. */
export interface ComingCertificate {
  request: CertificateRequest
  loaded: Promise<ServingCertificate>
}

export interface ListenersRequest {
  options: ServerOptions
  serve: Serve
  clock: Clock
  certificate: ComingCertificate
  log: Logger
  /** Called when another certificate is served from now on. Absent: no callback. */
  certificateChanged?: (served: ServingCertificate) => void
  /** PEM of CAs to request client certificates for in addition to the server's own; may be empty. Undefined: none. */
  clientCas?: () => string | undefined
}

/** The open addresses of a server. */
export interface Listeners {
  url: string
  insecureUrl: string | undefined
  /** PEM of the certificates that clients have to trust, at the start. */
  caCertificate: string | undefined
  /** End of the current certificate's validity, milliseconds since the epoch. */
  certificateEnds(): number
  /** The current signing CA of client certificates; undefined: the server cannot sign. */
  authority(): CertifiedKey | undefined
  /** Updates the CAs that client certificates are requested for. */
  clientCasChanged(): void
  /** Number of failed TLS handshakes. */
  handshakeErrors(): number
  /** Refuses new requests, lets running ones end until `graceMs` has passed, then aborts the rest. */
  close(graceMs: number): Promise<void>
}

/**
 * Starts to load or create the certificate while other parts are opened. The storage has to be open: see
 * `loadOrCreateServingCertificate`. Errors are thrown by `loaded`.
 */
export function certificateAhead(request: CertificateRequest): ComingCertificate {
  const loaded = loadOrCreateServingCertificate(request)
  loaded.catch(() => undefined) // may be awaited later, or never
  return { request, loaded }
}

/** A CA that several servers share. */
export interface SharedAuthority {
  readonly isShared: boolean
  /** Loads the files of the CA, if any. */
  getAuthority(): Promise<void>
  /** Shares the CA of this server; returns true if another one was adopted instead. */
  shareAuthority(): Promise<boolean>
}

/** Starts to load or create the certificate, with the CA of other servers, if any. */
export async function sharedCertificate(
  request: CertificateRequest,
  authority: SharedAuthority,
): Promise<ComingCertificate> {
  if (!authority.isShared) return certificateAhead(request)
  await authority.getAuthority()
  const ahead = certificateAhead(request)
  const loaded = ahead.loaded.then(async (made) =>
    (await authority.shareAuthority())
      ? loadOrCreateServingCertificate({ ...request, first: undefined })
      : made,
  )
  loaded.catch(() => undefined) // may be awaited later, or never
  return { request, loaded }
}

/**
 * Opens HTTPS, with a certificate that is renewed while the server runs, and plain HTTP if configured.
 * @throws StartError for unusable certificates; the system's error if an address is unavailable.
 */
export async function openListeners(request: ListenersRequest): Promise<Listeners> {
  const { options, serve, clock, log } = request
  const { clientCas = () => undefined } = request
  const { bindAddress, securePort, insecurePort } = options
  const certificate = await request.certificate.loaded
  for (const warning of certificate.warnings) log.warn({}, warning)
  const withClients = (served: ServingCertificate) => tlsOf(served, clientCas())
  const tls = withClients(certificate)
  const places = await connectionPlaces()
  const report = (err: unknown) => log.error({ err }, 'connection closed by an internal error')
  const common = { serve, places, report }
  const secure = await listen({ ...common, address: bindAddress, port: securePort, tls })
  const renewal = renewing(certificate, {
    request: request.certificate.request,
    clock,
    log,
    changed: (next) => {
      secure.setCertificate(withClients(next))
      request.certificateChanged?.(next)
    },
  })
  const all = [secure]
  try {
    if (insecurePort !== undefined)
      all.push(await listen({ ...common, address: loopback, port: insecurePort }))
  } catch (error) {
    renewal.stop()
    await secure.close(0)
    throw error
  }
  return {
    url: baseUrl('https', bindAddress, secure.port),
    insecureUrl: all[1] && baseUrl('http', loopback, all[1].port),
    caCertificate: certificate.ca,
    clientCasChanged: () => secure.setCertificate(withClients(renewal.current())),
    handshakeErrors: () => secure.handshakeErrors(),
    certificateEnds: () => renewal.current().notAfter,
    authority: () => authorityOf(renewal.current()),
    close: async (graceMs) => {
      renewal.stop()
      await Promise.all(all.map((listener) => listener.close(graceMs)))
    },
  }
}

interface RenewalOptions {
  request: CertificateRequest
  clock: Clock
  log: Logger
  changed: (next: ServingCertificate) => void
}

interface Renewal {
  current(): ServingCertificate
  stop(): void
}

/**
 * The certificate and the CAs that client certificates are requested for: the server's own, which signs them, and
 * others.
 */
function tlsOf(certificate: ServingCertificate, others: string | undefined) {
  const { cert, key } = certificate
  const all = [authorityOf(certificate)?.cert, others].filter((pem) => pem !== undefined)
  return { cert, key, clientCa: all.length === 0 ? undefined : all.join('\n').trim() }
}

function authorityOf({ ca, caKey }: ServingCertificate): CertifiedKey | undefined {
  return ca === undefined || caKey === undefined ? undefined : { cert: ca, key: caKey }
}

function renewing(
  first: ServingCertificate,
  { request, clock, log, changed }: RenewalOptions,
): Renewal {
  const everyMs = request.own === undefined ? checkMs.made : checkMs.given
  let current = first
  let timer = clock.setTimer(check, everyMs)
  function check(): void {
    timer = clock.setTimer(check, everyMs)
    renewServingCertificate(current, request)
      .then((next) => {
        if (next !== current) changed(next)
        current = next
      })
      .catch((err: unknown) => log.error({ err }, 'cannot renew the serving certificate; retrying'))
  }
  return { current: () => current, stop: () => timer.cancel() }
}
