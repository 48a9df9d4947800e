import type { X509Certificate } from 'node:crypto'
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { formatTime, type Clock } from '../../meta/clock.ts'
import { cannotRead, StartError } from '../../runtime/startError.ts'
import type { ServingCertificate } from './certificate.ts'
import { isSignedBy, parse } from './certificateChecks.ts'

/** PEM files the operator brings. */
export interface OwnCertificateFiles {
  /** Leaf first, then what stands between it and its authority. */
  certFile: string
  keyFile: string
}

/** An own certificate as it stands in its files, with a warning when it is not valid now.
 *  @throws StartError with a sentence when a file cannot be read or the two do not fit. */
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

/** The self-signed certificates in the file: what a client can trust by itself. Undefined when there is none, as
 *  behind a public authority, which the client's system knows. */
function selfSigned(pem: string): string | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const trusted = blocks.filter((block) => {
    const certificate = parse(block)
    return certificate !== undefined && isSignedBy(certificate, certificate)
  })
  return trusted.length === 0 ? undefined : trusted.join('\n') + '\n'
}
