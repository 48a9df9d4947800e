import type { X509Certificate } from 'node:crypto'
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { formatTime, type Clock } from '../../meta/clock.ts'
import { cannotRead, StartError } from '../../runtime/startError.ts'
import type { ServingCertificate } from './certificate.ts'
import { isSignedBy, parse } from './certificateChecks.ts'

/** PEM files of the operator. */
export interface OwnCertificateFiles {
  /** Leaf first, followed by intermediates. */
  certFile: string
  keyFile: string
}

/**
 * Loads the operator's certificate, with a warning if it is not valid now.
 * @throws StartError if a file cannot be read, or certificate and key do not match.
 */
export async function loadOwnCertificate(
  { certFile, keyFile }: OwnCertificateFiles,
  clock: Clock,
): Promise<ServingCertificate> {
  const cert = await readPem(certFile, 'certificate')
  const key = await readPem(keyFile, 'private key')
  const leaf = parse(cert)
  if (leaf === undefined) throw new StartError(`${certFile} is not a certificate in PEM form`)
  if (!leaf.checkPrivateKey(privateKey(key, keyFile))) {
    throw new StartError(
      `${keyFile} is not the private key of the first certificate in ${certFile}`,
    )
  }
  const ends = Date.parse(leaf.validTo)
  const warnings = validityWarnings(leaf, certFile, clock.now())
  return { cert, key, ca: selfSigned(cert), caKey: undefined, notAfter: ends, warnings }
}

async function readPem(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw cannotRead(`the ${what} file ${file}`, error)
  }
}

function privateKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (error) {
    const encrypted = /BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(pem)
    const why = encrypted ? 'is encrypted, and must not be' : 'is not a private key in PEM form'
    throw new StartError(`${file} ${why}`, error)
  }
}

function validityWarnings(leaf: X509Certificate, file: string, nowMs: number): string[] {
  const starts = Date.parse(leaf.validFrom)
  const ends = Date.parse(leaf.validTo)
  if (nowMs > ends) return [`the certificate in ${file} expired at ${formatTime(ends)}`]
  return nowMs < starts
    ? [`the certificate in ${file} is not valid before ${formatTime(starts)}`]
    : []
}

/**
 * The self-signed certificates in the file, which clients can trust directly. Undefined if there are none, as for a
 * public CA, which clients' systems trust.
 */
function selfSigned(pem: string): string | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const trusted = blocks.filter((block) => {
    const certificate = parse(block)
    return certificate !== undefined && isSignedBy(certificate, certificate)
  })
  return trusted.length === 0 ? undefined : trusted.join('\n') + '\n'
}
