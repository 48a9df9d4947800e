import { join } from 'node:path'
import type { Clock, Random } from '../../meta/clock.ts'
import { StartError } from '../../runtime/startError.ts'
import type { CertifiedKey, ServingCertificate } from './certificate.ts'
import { authorityIsDue, keyFits, leafIsDue, notAfter } from './certificateChecks.ts'
import { readPair, writePair } from './certificateFiles.ts'
import type { FirstCertificates } from './issuingMessages.ts'
import { loadOwnCertificate, type OwnCertificateFiles } from './ownCertificate.ts'

export interface CertificateRequest {
  /** Folder of `ca.crt`, `ca.key`, `serving.crt` and `serving.key`; created if missing. Undefined: in memory only. */
  directory: string | undefined
  /** Required names and addresses of the certificate; see `servingHosts`. */
  hosts: readonly string[]
  /** Files to serve with instead of a generated certificate. */
  own?: OwnCertificateFiles | undefined
  /** Certificates issued in advance for the same hosts, used if there are none. */
  first?: Promise<FirstCertificates | undefined> | undefined
  clock: Clock
  random: Random
}

/**
 * The serving certificate. A CA (P-256, 10 years) and a serving certificate (1 year) are generated
 * at first and kept. The serving certificate is renewed 30 days before its expiry, after a change
 * of the CA, or if a host is missing. The CA is renewed one lifetime of a serving certificate
 * before its expiry. It keeps its key, so that clients that trust the old CA continue to work. Open
 * the storage first: its lock excludes a second process.
 * @throws StartError if files are damaged or do not match.
 */
export async function loadOrCreateServingCertificate(
  request: CertificateRequest,
): Promise<ServingCertificate> {
  const { own, directory, clock } = request
  if (own !== undefined) return loadOwnCertificate(own, clock)
  const authority = directory === undefined ? {} : await readPair(directory, 'ca')
  const leaf = directory === undefined ? {} : await readPair(directory, 'serving')
  const isFirst = authority.cert === undefined && authority.key === undefined
  const first = isFirst ? await request.first : undefined
  return first === undefined ? refresh({ authority, leaf }, request) : keep(first, directory)
}

async function keep(
  { authority, leaf }: FirstCertificates,
  directory: string | undefined,
): Promise<ServingCertificate> {
  if (directory !== undefined) {
    await writePair(directory, 'ca', authority)
    await writePair(directory, 'serving', leaf)
  }
  return serving(authority, leaf)
}

/**
 * Certificate to serve from now on: `current` itself while no renewal is due. Cheap enough for a timer.
 * @throws StartError as above; `current` stays usable until the next attempt.
 */
export async function renewServingCertificate(
  current: ServingCertificate,
  request: CertificateRequest,
): Promise<ServingCertificate> {
  const inMemory = request.own === undefined && request.directory === undefined
  const next = await (inMemory
    ? refresh({ authority: authorityOf(current), leaf: current }, request)
    : loadOrCreateServingCertificate(request))
  return next.cert === current.cert && next.ca === current.ca ? current : next
}

function authorityOf({ ca, caKey }: ServingCertificate): Partial<CertifiedKey> {
  return ca === undefined || caKey === undefined ? {} : { cert: ca, key: caKey }
}

interface Found {
  authority: Partial<CertifiedKey>
  leaf: Partial<CertifiedKey>
}

async function refresh(found: Found, request: CertificateRequest): Promise<ServingCertificate> {
  const authority = await currentAuthority(found.authority, request)
  return serving(authority, await currentLeaf(found.leaf, authority, request))
}

function serving(
  { cert: ca, key: caKey }: Authority,
  { cert, key }: CertifiedKey,
): ServingCertificate {
  return { cert, key, ca, caKey, notAfter: notAfter(cert), warnings: [] }
}

interface Authority {
  cert: string
  key: string | undefined
}

async function currentAuthority(
  { cert, key }: Partial<CertifiedKey>,
  { directory, clock, random }: CertificateRequest,
): Promise<Authority> {
  const isDue = cert === undefined || authorityIsDue(cert, clock, pathOf(directory, 'ca.crt'))
  // A key of another certificate is damage, which would otherwise be found only when a certificate has to be signed.
  if (cert !== undefined && (isDue || key !== undefined)) signingKey({ cert, key }, directory)
  if (cert !== undefined && !isDue) return { cert, key }
  const { issueAuthority } = await issuing()
  const issued = await issueAuthority(key, { clock, random })
  if (directory !== undefined) await writePair(directory, 'ca', issued)
  return issued
}

async function currentLeaf(
  { cert, key }: Partial<CertifiedKey>,
  authority: Authority,
  { directory, hosts, clock, random }: CertificateRequest,
): Promise<CertifiedKey> {
  if (cert !== undefined && key !== undefined) {
    const found = { cert, key }
    if (!leafIsDue(found, authority.cert, { hosts, clock })) return found
  }
  const signer = { cert: authority.cert, key: signingKey(authority, directory) }
  const { issueLeaf } = await issuing()
  const issued = await issueLeaf(signer, hosts, { clock, random })
  if (directory !== undefined) await writePair(directory, 'serving', issued)
  return issued
}

/** Key of the CA. A CA without its key can be used for serving, but not for signing. */
function signingKey({ cert, key }: Authority, directory: string | undefined): string {
  const path = pathOf(directory, 'ca.key')
  if (key === undefined)
    throw new StartError(`a certificate has to be signed, and ${path} is missing`)
  if (!keyFits({ cert, key }))
    throw new StartError(`${path} is not the key of the ca.crt beside it`)
  return key
}

function pathOf(directory: string | undefined, file: string): string {
  return join(directory ?? '', file)
}

/** Loaded on demand: it is slow to load, and rarely needed. */
function issuing() {
  return import('./issueCertificates.ts')
}
