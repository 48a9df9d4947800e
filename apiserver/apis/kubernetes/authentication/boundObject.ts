import type { ClaimedObject } from '../../../authentication/tokens/serviceAccountClaims.ts'
import type { ServiceAccountTokens } from '../../../authentication/tokens/serviceAccountTokens.ts'
import { badRequest, conflict, notFound } from '../../../meta/statusErrors.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ObjectName } from '../../../registry/storeTypes.ts'
import type { BoundObjectReference } from '../shapes/authenticationV1.ts'

interface BoundClaims {
  pod?: ClaimedObject
  secret?: ClaimedObject
  node?: ClaimedObject
}

/**
 * Claims of a token of `account` about its bound object.
 * @throws StatusError 400 if tokens cannot be bound to the kind, NotFound, Conflict if the uid differs.
 */
export function boundClaims(
  reference: BoundObjectReference | undefined,
  account: ObjectName,
  tokens: ServiceAccountTokens,
): BoundClaims {
  if (reference === undefined) return {}
  const { kind = '', name = '', uid = '' } = reference
  const object = boundObject(reference, account, tokens)
  const claimed = { name, uid: object.metadata.uid ?? '' }
  const claims = kind === 'Pod' ? podClaims(object, account, tokens) : {}
  if (uid !== '' && uid !== claimed.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
    throw conflict({ group: '', resource: kind }, name, why)
  }
  return { ...claims, [kind.toLowerCase()]: claimed }
}

function boundObject(
  { kind = '', apiVersion = '', name = '' }: BoundObjectReference,
  account: ObjectName,
  tokens: ServiceAccountTokens,
): ApiObject {
  const resource = apiVersion.includes('/') ? undefined : bindable[kind]
  if (resource === undefined) {
    throw badRequest(`cannot bind token to object of type ${typeText(apiVersion, kind)}`)
  }
  const namespace = kind === 'Node' ? '' : account.namespace
  const object = tokens.find(resource, { namespace, name })
  if (object === undefined) throw notFound({ group: '', resource }, name)
  return object
}

const bindable: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' }

/** Group, version and kind, formatted as by the real server. */
function typeText(apiVersion: string, kind: string): string {
  const [first = '', second] = apiVersion.split('/')
  const [group, version] = second === undefined ? ['', first] : [first, second]
  return `${group}/${version}, Kind=${kind}`
}

/** Claims about a pod, which include its node. */
function podClaims(
  pod: ApiObject,
  { name }: ObjectName,
  tokens: ServiceAccountTokens,
): Pick<BoundClaims, 'node'> {
  // Guaranteed by the schema of pods. A pod without an account runs as the default account of its
  // namespace.
  const { serviceAccountName = 'default', nodeName = '' } = (pod['spec'] ?? {}) as {
    serviceAccountName?: string
    nodeName?: string
  }
  if (serviceAccountName !== name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${goQuote(name)} to pod running with different serviceaccount name.`,
    )
  }
  if (nodeName === '') return {}
  const node = tokens.find('nodes', { namespace: '', name: nodeName })
  return { node: { name: nodeName, uid: node?.metadata.uid ?? '' } }
}
