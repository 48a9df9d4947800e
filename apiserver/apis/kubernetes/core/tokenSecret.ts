import { forbidden } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { RequestContext } from '../../../registry/strategy.ts'
import { dataIn } from './configData.ts'

/**
 * Type of secrets with a permanent token of a service account. Source: Kubernetes documentation, "Manually create a
 * long-lived API token for a ServiceAccount".
 */
export const tokenSecretType = 'kubernetes.io/service-account-token'
export const accountNameAnnotation = 'kubernetes.io/service-account.name'
const accountUidAnnotation = 'kubernetes.io/service-account.uid'

/** Account of a token secret; undefined: another type, or no account. Empty `uid`: any account with the name. */
export function tokenAccount(secret: ApiObject): { name: string; uid: string } | undefined {
  const { annotations = {} } = secret.metadata
  const name = annotations[accountNameAnnotation] ?? ''
  if (secret['type'] !== tokenSecretType || name === '') return undefined
  return { name, uid: annotations[accountUidAnnotation] ?? '' }
}

/** Token in a secret; empty: none. */
export function heldToken(secret: ApiObject): string {
  return decoded(dataIn(secret, 'data')['token'])
}

/** Content of a token secret besides its token. */
export interface TokenSecretParts {
  accountUid: string
  /** PEM; undefined: the secret keeps its content. */
  caCertificate: string | undefined
}

/** Reports whether all fields are set, with the possible exception of the token. */
export function isFilled(secret: ApiObject, parts: TokenSecretParts): boolean {
  const data = dataIn(secret, 'data')
  const { accountUid, caCertificate } = parts
  return (
    secret.metadata.annotations?.[accountUidAnnotation] === accountUid &&
    decoded(data['namespace']) !== '' &&
    (caCertificate === undefined || decoded(data['ca.crt']) === caCertificate)
  )
}

/** The secret with all its content. */
export function filledSecret(
  secret: ApiObject,
  token: string,
  { accountUid, caCertificate }: TokenSecretParts,
): ApiObject {
  const { metadata } = secret
  const given = dataIn(secret, 'data')
  const { namespace = '' } = metadata
  const data = {
    ...given,
    ...(caCertificate === undefined ? {} : { 'ca.crt': encoded(caCertificate) }),
    namespace: decoded(given['namespace']) === '' ? encoded(namespace) : given['namespace'],
    token: encoded(token),
  }
  const annotations = { ...metadata.annotations, [accountUidAnnotation]: accountUid }
  return { ...secret, metadata: { ...metadata, annotations }, data }
}

/**
 * Refuses restricted users: a token without expiry has all the rights of its account. They can request a token instead,
 * which keeps the restriction.
 * @throws StatusError Forbidden.
 */
export function refuseRestricted(
  next: ApiObject,
  old: ApiObject | undefined,
  { user, isTrusted }: RequestContext,
): void {
  if (isTrusted === true || user.credential?.scope === undefined) return
  if (tokenAccount(next) === undefined || (old !== undefined && asksForSame(next, old))) return
  const why = 'a credential with a restricted scope cannot request a token that does not expire'
  throw forbidden({ group: '', resource: 'secrets' }, next.metadata.name ?? '', why)
}

function asksForSame(next: ApiObject, old: ApiObject): boolean {
  const [after, before] = [tokenAccount(next), tokenAccount(old)]
  return (
    after?.name === before?.name && after?.uid === before?.uid && heldToken(next) === heldToken(old)
  )
}

function decoded(base64: string | undefined): string {
  return Buffer.from(base64 ?? '', 'base64').toString('utf8')
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}
