import { X509Certificate } from 'node:crypto'

/** Validity of a certificate chain, in milliseconds since the epoch. */
export interface ValidityWindow {
  from: number
  to: number
}

const clientUse = '1.3.6.1.5.5.7.3.2'
const anyUse = '2.5.29.37.0'
/** Maximum length of a chain, since the client chooses the intermediate certificates. */
const maxIssuers = 8
/**
 * Maximum number of signatures that are checked for a certificate: intermediate certificates with the same name form
 * tens of thousands of chains. Source: Go, crypto/x509.
 */
const maxSignatures = 100
const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** CAs that sign client certificates. Source: RFC 5280 section 6; reference 7.5. */
export class CertificateBundle {
  readonly pem: string
  readonly #anchors: readonly X509Certificate[]

  /**
   * Parses `pem`, which must contain at least one certificate. @throws Error if it contains none,
   * or one that cannot be read.
   */
  constructor(pem: string) {
    const anchors = (pem.match(block) ?? []).map((one) => new X509Certificate(one))
    if (anchors.length === 0) throw new Error('no PEM certificate found')
    this.pem = pem
    this.#anchors = anchors
  }

  /**
   * Validity windows of the chains from a client certificate, through the intermediates sent with
   * it, to one of the CAs; empty if there is no chain, or if a certificate in it must not
   * authenticate clients. The search ends after `maxSignatures`.
   */
  windows(shown: X509Certificate): ValidityWindow[] {
    const brought = issuersOf(shown)
    const all = [...this.#anchors, ...brought]
    return this.#extend([shown], all, new Signatures()).filter(holds)
  }

  #extend(
    chain: readonly X509Certificate[],
    candidates: readonly X509Certificate[],
    signatures: Signatures,
  ) {
    const [last] = chain.slice(-1)
    const windows: ValidityWindow[] = []
    if (last === undefined) return windows
    if (this.#isAnchor(last)) windows.push(windowOf(chain))
    if (chain.length > maxIssuers) return windows
    for (const issuer of candidates) {
      if (chain.includes(issuer) || !signatures.issued(issuer, last)) continue
      const left = candidates.filter((one) => one !== issuer)
      if (this.#isAnchor(issuer)) windows.push(windowOf([...chain, issuer]))
      else windows.push(...this.#extend([...chain, issuer], left, signatures))
    }
    return windows
  }

  #isAnchor(certificate: X509Certificate): boolean {
    return this.#anchors.some(({ raw }) => raw.equals(certificate.raw))
  }
}

/** Reports whether a time is within one of the windows. */
export function isOpenAt(windows: readonly ValidityWindow[], now: number): boolean {
  return windows.some(({ from, to }) => now >= from && now <= to)
}

function issuersOf(shown: X509Certificate): X509Certificate[] {
  const issuers: X509Certificate[] = []
  for (let next = shown.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    const known = [shown, ...issuers]
    if (known.some(({ raw }) => raw.equals(next.raw)) || issuers.length === maxIssuers) break
    issuers.push(next)
  }
  return issuers
}

/** Checks of signatures, at most `maxSignatures`. */
class Signatures {
  #left = maxSignatures

  /** Reports whether a CA issued a certificate. */
  issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
    if (this.#left === 0 || !issuer.ca || !certificate.checkIssued(issuer)) return false
    this.#left--
    return certificate.verify(issuer.publicKey)
  }
}

function windowOf(chain: readonly X509Certificate[]): ValidityWindow {
  const isForClients = chain.every((certificate) => {
    // The type declarations omit that keyUsage is undefined without an extended key usage; such a
    // certificate is valid for any use.
    const uses = certificate.keyUsage as string[] | undefined
    return uses === undefined || uses.includes(clientUse) || uses.includes(anyUse)
  })
  if (!isForClients) return { from: 0, to: -1 }
  return {
    from: Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom))),
    to: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))),
  }
}

function holds({ from, to }: ValidityWindow): boolean {
  return from <= to
}
