import { isObject } from '../../meta/json/isObject.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import type { JwtClaims } from './jwt.ts'

/** An object by its name and the uid that it had. */
export interface ClaimedObject {
  name: string
  /** Empty: the object was not there. */
  uid: string
}

/** What a token of a service account says beside the registered claims. */
export interface ServiceAccountClaim {
  namespace: string
  serviceaccount: ClaimedObject
  /** At most one of pod and secret; a node beside a pod is the pod's. The token is of no use without what it is bound to. */
  pod?: ClaimedObject
  secret?: ClaimedObject
  node?: ClaimedObject
  /** It lasts, and is of use only while its secret holds it. */
  isStored?: true
  /** Seconds since the epoch: when the client should have asked for a new token. */
  warnafter?: number
}

/** A token's payload, verified and complete. */
export interface ServiceAccountToken extends JwtClaims {
  nbf: number
  jti: string
  'kubernetes.io': ServiceAccountClaim
}

/** The payload as one of a service account's token; undefined: it is another token.
 *  Source: Kubernetes documentation, "Managing Service Accounts", "Schema for service account private claims". */
export function serviceAccountToken(claims: JwtClaims): ServiceAccountToken | undefined {
  const { nbf, jti, 'kubernetes.io': claim } = claims
  if (typeof nbf !== 'number' || typeof jti !== 'string' || !isObject(claim)) return undefined
  if (typeof claim['namespace'] !== 'string' || !isObject(claim['serviceaccount'])) return undefined
  // This server alone signs such tokens, and what stands in them was looked at.
  return claims as ServiceAccountToken
}

const prefix = 'system:serviceaccount'

export function serviceAccountName(namespace: string, name: string): string {
  return `${prefix}:${namespace}:${name}`
}

/** The account of a user name; undefined: it is no service account's. */
export function serviceAccountNamed(user: string): ObjectName | undefined {
  if (!user.startsWith(`${prefix}:`)) return undefined
  const [namespace, name, ...rest] = user.slice(prefix.length + 1).split(':')
  if (namespace === undefined || name === undefined || rest.length > 0) return undefined
  return { namespace, name }
}

const extraPrefix = 'authentication.kubernetes.io'

/** Whom a token stands for. `scope`: what it is narrowed to.
 *  Source: Kubernetes documentation, "Additional metadata in Pod bound tokens". */
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

/** How audit and extra name a token. */
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
