import { join } from 'node:path'
import type { Clock, Random } from '../../meta/clock.ts'
import { StartError } from '../../runtime/startError.ts'
import type { CertifiedKey, ServingCertificate } from './certificate.ts'
import { authorityIsDue, keyFits, leafIsDue, notAfter } from './certificateChecks.ts'
import { readPair, writePair } from './certificateFiles.ts'
import type { FirstCertificates } from './issuingMessages.ts'
import { loadOwnCertificate, type OwnCertificateFiles } from './ownCertificate.ts'

export interface CertificateRequest {
  /** Holds `ca.crt`, `ca.key`, `serving.crt` and `serving.key`; made when absent. Undefined: kept in memory only. */
  directory: string | undefined
  /** Names and addresses the certificate must hold for; see `servingHosts`. */
  hosts: readonly string[]
  /** Serve these files, and make nothing. */
  own?: OwnCertificateFiles | undefined
  /** Made for the same hosts before they were asked for, to be used where there are none. */
  first?: Promise<FirstCertificates | undefined> | undefined
  clock: Clock
  random: Random
}

/** The certificate to serve with. An authority (P-256, 10 years) and a serving certificate (1 year) are made at first
 *  and kept. The serving certificate is made anew 30 days before its end, when the authority is another, or when a
 *  host is missing; the authority a serving certificate's life before its end, with the same key, so that clients
 *  that trust the old one go on. Open the storage first: its lock is what keeps two processes apart here.
 *  @throws StartError when files are damaged or do not fit together. */
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

/** What to serve from now on: `current` itself while nothing is due. For a timer, and cheap.
 *  @throws StartError as above; `current` can be served on until the next try. */
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
  if (cert !== undefined && !authorityIsDue(cert, clock, pathOf(directory, 'ca.crt')))
    return { cert, key }
  if (cert !== undefined) signingKey({ cert, key }, directory)
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

/** The authority's key. An authority whose key was taken away can be served with, but signs nothing. */
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

/** Slow to load, and seldom needed. */
function issuing() {
  return import('./issueCertificates.ts')
}
