import { isDeepStrictEqual } from 'node:util'
import { requestedSubject } from '../../../apis/kubernetes/certificates/requestedSubject.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { claimChanges } from './claimChanges.ts'
import { forbiddenLabels } from './nodeLabels.ts'
import { require, type NodeRequest } from './nodeRequest.ts'

/** Rules for writes of a node's own Node object. */
export function admitNode(given: NodeRequest): void {
  const { request, node } = given
  const { object, oldObject, operation, name } = request
  const who = `node ${goQuote(node)}`
  require(name === node, given, `${who} is not allowed to modify node ${goQuote(name)}`)
  if (object === undefined || operation === 'DELETE') return
  const labels = forbiddenLabels(object, oldObject).join(', ')
  const spec = specOf(object)
  if (operation === 'CREATE') {
    require(spec['configSource'] ===
      undefined, given, `${who} is not allowed to create pods with a non-nil configSource`)
    require(labels === '', given, `${who} is not allowed to set the following labels: ${labels}`)
    return
  }
  const old = specOf(oldObject)
  const { configSource } = spec
  require(configSource === undefined ||
    isDeepStrictEqual(
      configSource,
      old['configSource'],
    ), given, `${who} is not allowed to update configSource to a new non-nil configSource`)
  require(isSameList(
    spec['taints'],
    old['taints'],
  ), given, `${who} is not allowed to modify taints`)
  require(isSameList(
    object.metadata.ownerReferences,
    oldObject?.metadata.ownerReferences,
  ), given, `${who} is not allowed to modify ownerReferences`)
  require(labels === '', given, `is not allowed to modify labels: ${labels}`)
}

/** Rules for writes of the heartbeat Lease of a node. */
export function admitLease(given: NodeRequest): void {
  const { request, node } = given
  const { namespace, name } = request
  require(namespace ===
    'kube-node-lease', given, 'can only access leases in the "kube-node-lease" system namespace')
  require(name ===
    node, given, 'can only access node lease with the same name as the requesting node')
}

export function admitCsiNode(given: NodeRequest): void {
  const why = 'can only access CSINode with the same name as the requesting node'
  require(given.request.name === given.node, given, why)
}

/**
 * Requires that slices are created and deleted by the node they describe; the authorizer decides
 * about updates.
 */
export function admitResourceSlice(given: NodeRequest): void {
  const { request, node } = given
  const { operation, object, oldObject } = request
  if (operation !== 'CREATE' && operation !== 'DELETE') return
  const { nodeName } = specOf(operation === 'CREATE' ? object : oldObject)
  const act = operation === 'CREATE' ? 'create' : 'delete'
  const why = `can only ${act} ResourceSlice with the same NodeName as the requesting node`
  require(nodeName === node, given, why)
}

const kubeletSigners = [
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]

/** Requires that a request for a node certificate names the requesting node. */
export function admitSigningRequest(given: NodeRequest): void {
  const { request, node } = given
  if (request.operation !== 'CREATE') return
  const { signerName, request: csr } = specOf(request.object)
  if (typeof signerName !== 'string' || !kubeletSigners.includes(signerName)) return
  const { commonName } = requestedSubject(typeof csr === 'string' ? csr : '')
  const wanted = `system:node:${node}`
  require(commonName === wanted, given, `can only create a node CSR with CN=${wanted}`)
}

/** Limits changes of a claim's status to capacity and conditions. */
export function admitClaim(given: NodeRequest): void {
  const { request, node } = given
  const { subresource, operation, object, oldObject } = request
  require(subresource === 'status', given, 'may only update PVC status')
  require(operation === 'UPDATE', given, `unexpected operation ${goQuote(operation)}`)
  if (object === undefined || oldObject === undefined) return
  const changes = claimChanges(oldObject, object)
  const why = `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions: ${changes}`
  require(changes === '', given, why)
}

function specOf(object: ApiObject | undefined): Record<string, unknown> {
  const spec = object?.['spec']
  return isObject(spec) ? spec : {}
}

/** Compares lists; an absent list equals an empty one. */
function isSameList(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? [], other ?? [])
}
