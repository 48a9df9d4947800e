import { isDeepStrictEqual } from 'node:util'
import { asPod, type Pod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { existing, require, type NodeRequest } from './nodeRequest.ts'
import { referredKind } from './podReferences.ts'

export const mirrorAnnotation = 'kubernetes.io/config.mirror'

/** Rules for writes of pods by their node. */
export function admitPod(given: NodeRequest): void {
  const { request, node } = given
  switch (request.subresource) {
    case '':
      if (request.operation === 'CREATE') return admitCreate(given)
      if (request.operation === 'DELETE') {
        const why = `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`
        return require(podOf(given).spec.nodeName === node, given, why)
      }
      return refuse(
        given,
        `unexpected operation ${goQuote(request.operation)}, node ${goQuote(node)} can only create and delete mirror pods`,
      )
    case 'status':
      return admitStatus(given)
    case 'eviction': {
      const why = `node ${node} can only evict pods with spec.nodeName set to itself`
      return require(podOf(given).spec.nodeName === node, given, why)
    }
    default:
      return refuse(
        given,
        `unexpected pod subresource ${goQuote(request.subresource)}, only 'status' and 'eviction' are allowed`,
      )
  }
}

function refuse(given: NodeRequest, why: string): void {
  require(false, given, why)
}

/** The stored pod of the request. @throws StatusError NotFound. */
function podOf(given: NodeRequest): Pod {
  const { namespace, name } = given.request
  return asPod(existing(given, { group: '', resource: 'pod', namespace, name }))
}

function admitCreate(given: NodeRequest): void {
  const { request, node } = given
  if (request.object === undefined) return
  const { metadata, spec } = asPod(request.object)
  const who = `node ${goQuote(node)}`
  require(metadata.annotations?.[mirrorAnnotation] !==
    undefined, given, `pod does not have ${goQuote(mirrorAnnotation)} annotation, ${who} can only create mirror pods`)
  require(spec.nodeName ===
    node, given, `${who} can only create pods with spec.nodeName set to itself`)
  checkOwners(given, metadata.ownerReferences ?? [])
  const kind = referredKind(spec)
  require(kind === undefined, given, `${who} can not create pods that reference ${kind}`)
}

/** Requires that the only owner of a mirror pod is its node, as its controller. */
function checkOwners(
  given: NodeRequest,
  owners: NonNullable<ApiObject['metadata']['ownerReferences']>,
): void {
  const { node } = given
  const who = `node ${goQuote(node)}`
  require(owners.length <
    2, given, `${who} can only create pods with a single owner reference set to itself`)
  const [owner] = owners
  const isNode = owner?.apiVersion === 'v1' && owner.kind === 'Node' && owner.name === node
  require(isNode, given, `${who} can only create pods with an owner reference set to itself`)
  require(owner?.controller ===
    true, given, `${who} can only create pods with a controller owner reference set to itself`)
  require(owner?.blockOwnerDeletion !==
    true, given, `${who} must not set blockOwnerDeletion on an owner reference`)
  const { metadata } = existing(given, { group: '', resource: 'node', name: node })
  require(owner?.uid ===
    metadata.uid, given, `node ${node} UID mismatch: expected ${owner?.uid} got ${metadata.uid}`)
}

function admitStatus(given: NodeRequest): void {
  const { request, node } = given
  const { object, oldObject } = request
  if (object === undefined || oldObject === undefined) return
  const [next, old] = [asPod(object), asPod({ ...oldObject })]
  const who = `node ${goQuote(node)}`
  require(old.spec.nodeName ===
    node, given, `${who} can only update pod status for pods with spec.nodeName set to itself`)
  require(isDeepStrictEqual(
    next.metadata.labels ?? {},
    old.metadata.labels ?? {},
  ), given, `${who} cannot update labels through pod status`)
  for (const [field, what] of guardedStatus) {
    const isSame = isDeepStrictEqual(next.status[field] ?? [], old.status[field] ?? [])
    require(isSame, given, `${who} cannot update ${what}`)
  }
}

/** Parts of the status that controllers write, as named in messages. */
const guardedStatus = [
  ['resourceClaimStatuses', 'resource claim statues'],
  ['extendedResourceClaimStatus', 'extended resource claim status'],
] as const
