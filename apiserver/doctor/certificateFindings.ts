import type { X509Certificate } from 'node:crypto'
import { certificateRequest } from '../http/certificateRequest.ts'
import type { CertifiedKey } from '../http/pki/certificate.ts'
import { keyFits, leafIsDue, parse } from '../http/pki/certificateChecks.ts'
import { readPair } from '../http/pki/certificateFiles.ts'
import { loadOwnCertificate, type OwnCertificateFiles } from '../http/pki/ownCertificate.ts'
import { formatTime, type Clock } from '../meta/clock.ts'
import { messageOf } from '../meta/messageOf.ts'
import { failed, fine, warning, type Finding } from '../runtime/finding.ts'
import { realRandom } from '../runtime/realRandom.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'

const check = 'certificate'
const dayMs = 24 * 60 * 60 * 1000
const soonMs = 30 * dayMs
const restore =
  'put it back from a backup; or remove ca.crt and ca.key, and give every client the new kubeconfig'
const clockAdvice = 'check the clock of this machine'

/** Checks the serving certificate, and the CA that signs it, without issuing one. */
export async function checkCertificates(options: ServerOptions, clock: Clock): Promise<Finding[]> {
  const request = certificateRequest(options, { clock, random: realRandom, first: undefined })
  const { own, directory, hosts } = request
  if (own !== undefined) return [await ownCertificate(own, clock)]
  if (directory === undefined) return [fine(check, 'a new CA is created at each start')]
  const [authority, leaf] = [await readPair(directory, 'ca'), await readPair(directory, 'serving')]
  if (authority.cert === undefined && authority.key === undefined)
    return [fine(check, 'a CA and a certificate will be created at the first start')]
  const { cert: pem = '', key } = authority
  const ca = parse(pem)
  if (ca === undefined) return [failed(check, `${directory}/ca.crt is missing or damaged`, restore)]
  const findings = [authorityFinding({ ca, pem, key }, directory, clock)]
  return [...findings, leafFinding(leaf, (pair) => leafIsDue(pair, pem, { hosts, clock }))]
}

function leafFinding(
  { cert, key }: Partial<CertifiedKey>,
  isDue: (pair: CertifiedKey) => boolean,
): Finding {
  if (cert === undefined || key === undefined)
    return fine(check, 'a serving certificate will be issued at the next start')
  const ends = parse(cert)?.validTo
  const text =
    ends === undefined
      ? 'the serving certificate is damaged'
      : `the serving certificate is valid until ${time(ends)}`
  return fine(
    check,
    isDue({ cert, key }) ? `${text}, and will be issued again at the next start` : text,
  )
}

interface Authority {
  ca: X509Certificate
  pem: string
  key: string | undefined
}

function authorityFinding({ ca, pem, key }: Authority, directory: string, clock: Clock): Finding {
  const now = clock.now()
  if (Date.parse(ca.validFrom) > now)
    return failed(
      check,
      `the CA in ${directory}/ca.crt is not valid before ${time(ca.validFrom)}`,
      clockAdvice,
    )
  if (key === undefined || !keyFits({ cert: pem, key }))
    return failed(
      check,
      `${directory}/ca.key is missing or belongs to another certificate: no serving certificate can be issued`,
      'put ca.key back from a backup of the data folder',
    )
  const text = `the CA is valid until ${time(ca.validTo)}`
  if (Date.parse(ca.validTo) < now)
    return warning(
      check,
      text,
      'it is renewed at the next start: give clients the new kubeconfig then',
    )
  return fine(check, text)
}

/** The operator's certificate, which the server does not renew. */
async function ownCertificate(files: OwnCertificateFiles, clock: Clock): Promise<Finding> {
  const renew = `renew ${files.certFile}; a running server reads it again within a minute`
  try {
    const { notAfter, warnings } = await loadOwnCertificate(files, clock)
    const [problem] = warnings
    if (problem !== undefined)
      return failed(check, problem, problem.includes('before') ? clockAdvice : renew)
    const text = `${files.certFile} is valid until ${formatTime(notAfter)}`
    return notAfter - clock.now() < soonMs ? warning(check, text, renew) : fine(check, text)
  } catch (error) {
    const said = messageOf(error)
    return failed(check, said, 'correct --tls-cert-file and --tls-private-key-file')
  }
}

function time(text: string): string {
  return formatTime(Date.parse(text))
}
