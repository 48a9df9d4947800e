import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Clock } from '../../meta/clock.ts'
import { StartError } from '../../runtime/startError.ts'
import type { CertifiedKey } from './certificate.ts'

const dayMs = 24 * 60 * 60 * 1000
export const authorityLifeMs = 3650 * dayMs
export const leafLifeMs = 365 * dayMs
/** Time before expiry at which a serving certificate is renewed. */
const renewalLeadMs = 30 * dayMs

/**
 * Reports whether the CA would expire before a serving certificate that it signs now.
 * @throws StartError if it cannot be read: replacing it would lock out every client that trusts it.
 */
export function authorityIsDue(pem: string, clock: Clock, path: string): boolean {
  const certificate = parse(pem)
  if (certificate === undefined) {
    throw new StartError(
      `${path} is damaged; put it back from a copy, or remove it to have it made again`,
    )
  }
  return Date.parse(certificate.validTo) - clock.now() < leafLifeMs + renewalLeadMs
}

/**
 * Reports whether a serving certificate has to be issued: unreadable, about to expire, signed by another CA, or
 * lacking a host.
 */
export function leafIsDue(
  leaf: CertifiedKey,
  authorityPem: string,
  { hosts, clock }: { hosts: readonly string[]; clock: Clock },
): boolean {
  const certificate = parse(leaf.cert)
  const authority = parse(authorityPem)
  if (certificate === undefined || authority === undefined || !keyFits(leaf)) return true
  const startsIn = Date.parse(certificate.validFrom) - clock.now()
  const endsIn = Date.parse(certificate.validTo) - clock.now()
  if (startsIn > 0 || endsIn < renewalLeadMs) return true
  return !isSignedBy(certificate, authority) || hosts.some((host) => !holdsFor(certificate, host))
}

/** Reports whether the private key belongs to the certificate; false when one of them cannot be read. */
export function keyFits({ cert, key }: CertifiedKey): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

/** End of validity of the first certificate in PEM data, milliseconds since the epoch. */
export function notAfter(pem: string): number {
  return Date.parse(new X509Certificate(pem).validTo)
}

/** The first certificate in PEM data; undefined if it cannot be read. */
export function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

/** Reports whether `authority` signed the certificate with its current key. */
export function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
}

function holdsFor(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined
}
