import { isObject } from '../../meta/json/isObject.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import type { JwtClaims } from './jwt.ts'

/** An object by name, and by its uid at the time of issue. */
export interface ClaimedObject {
  name: string
  /** Empty: the object did not exist. */
  uid: string
}

/** The private claims of a service account token. */
export interface ServiceAccountClaim {
  namespace: string
  serviceaccount: ClaimedObject
  /**
   * The bound objects: at most one of pod and secret; if both a pod and a node are set, the node is
   * the pod's. The token is only valid while they exist.
   */
  pod?: ClaimedObject
  secret?: ClaimedObject
  node?: ClaimedObject
  /** True if the token never expires, but is only valid while its secret contains it. */
  isStored?: true
  /** Time by which the client should have requested a new token, in seconds since the epoch. */
  warnafter?: number
}

/** A verified and complete payload. */
export interface ServiceAccountToken extends JwtClaims {
  nbf: number
  jti: string
  'kubernetes.io': ServiceAccountClaim
}

/**
 * The payload of a service account token; undefined: not such a token.
 * Source: Kubernetes documentation, "Managing Service Accounts", "Schema for service account
 * private claims".
 */
export function serviceAccountToken(claims: JwtClaims): ServiceAccountToken | undefined {
  const { nbf, jti, 'kubernetes.io': claim } = claims
  if (typeof nbf !== 'number' || typeof jti !== 'string' || !isObject(claim)) return undefined
  if (typeof claim['namespace'] !== 'string' || !isObject(claim['serviceaccount'])) return undefined
  // Only this server signs such tokens, and the relevant claims were checked.
  return claims as ServiceAccountToken
}

const prefix = 'system:serviceaccount'

export function serviceAccountName(namespace: string, name: string): string {
  return `${prefix}:${namespace}:${name}`
}

/** The service account with a user name; undefined: the user is not a service account. */
export function serviceAccountNamed(user: string): ObjectName | undefined {
  if (!user.startsWith(`${prefix}:`)) return undefined
  const [namespace, name, ...rest] = user.slice(prefix.length + 1).split(':')
  if (namespace === undefined || name === undefined || rest.length > 0) return undefined
  return { namespace, name }
}

const extraPrefix = 'authentication.kubernetes.io'

/**
 * The user of a token. `scope`: the token's restriction.
 * Source: Kubernetes documentation, "Additional metadata in Pod bound tokens".
 */
export function serviceAccountUser(
  token: ServiceAccountToken,
  scope: Record<string, unknown> | undefined,
): UserInfo {
  const { namespace, serviceaccount, pod, node } = token['kubernetes.io']
  return {
    name: serviceAccountName(namespace, serviceaccount.name),
    uid: serviceaccount.uid,
    groups: [`${prefix}s`, `${prefix}s:${namespace}`, 'system:authenticated'],
    extra: {
      [`${extraPrefix}/credential-id`]: [credentialId(token)],
      ...shown('node', node),
      ...shown('pod', pod),
    },
    credential: { isServiceAccount: true, ...(scope === undefined ? {} : { scope }) },
  }
}

/** The ID of a token as shown in audit events and extra attributes. */
export function credentialId({ jti }: Pick<ServiceAccountToken, 'jti'>): string {
  return `JTI=${jti}`
}

function shown(what: 'node' | 'pod', object: ClaimedObject | undefined): Record<string, string[]> {
  if (object === undefined) return {}
  const { name, uid } = object
  return {
    [`${extraPrefix}/${what}-name`]: [name],
    ...(uid === '' ? {} : { [`${extraPrefix}/${what}-uid`]: [uid] }),
  }
}
