import { hash, type X509Certificate } from 'node:crypto'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'

/** Object identifier of the uid in a subject. Source: reference 7.5. */
const uidAttribute = '1.3.6.1.4.1.57683.2'

/** Last common name in a certificate's subject; empty: none. */
export function commonName(certificate: X509Certificate): string {
  return subjectTexts(certificate, 'CN').at(-1) ?? ''
}

/**
 * User of a verified client certificate: CN is the name, O are the groups. Undefined: there is no
 * common name.
 * @throws Error if it has several uids, or an empty one. Source: reference 7.5.
 */
export function certificateUser(certificate: X509Certificate): UserInfo | undefined {
  const name = commonName(certificate)
  if (name === '') return undefined
  const digest = hash('sha256', certificate.raw, 'hex')
  return {
    name,
    uid: uidOf(certificate),
    groups: subjectTexts(certificate, 'O'),
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${digest}`] },
  }
}

/**
 * Reports whether this server issued the certificate for specific targets, as for kubeconfigs. Such
 * a certificate must not authenticate elsewhere.
 */
export function namesTargets(certificate: X509Certificate, { domain }: NamesProfile): boolean {
  const alternatives = certificate.subjectAltName ?? ''
  return alternatives.includes(`URI:urn:${domain}:`)
}

function uidOf(certificate: X509Certificate): string {
  const uids = subjectTexts(certificate, uidAttribute)
  const [uid] = uids
  if (uid === undefined) return ''
  if (uids.length > 1) throw new Error(`expected 1 UID, but found multiple: [${uids.join(' ')}]`)
  if (uid === '') throw new Error('UID cannot be an empty string')
  return uid
}

function subjectTexts(certificate: X509Certificate, attribute: string): string[] {
  const subject: Record<string, unknown> = { ...certificate.toLegacyObject().subject }
  return [subject[attribute]].flat().filter((text) => typeof text === 'string')
}
