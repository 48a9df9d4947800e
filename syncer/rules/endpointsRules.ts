import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Changes } from '../engine/changes.ts'
import { hostObjectName, hostServiceName, type Naming } from '../names/naming.ts'
import type { KindRules, Pair, Translation } from './kindRules.ts'

/** Rules of Endpoints: their content is always copied to the host. Source: platform facts 6.9. */
export const endpointsRules: KindRules = {
  resource: { apiVersion: 'v1', kind: 'Endpoints', plural: 'endpoints', namespaced: true },
  isExcluded: (annotation) => annotation === 'control-plane.alpha.kubernetes.io/leader',
  hostFields: (virtual, { naming }) => {
    const subsets = hostSubsets(virtual, naming)
    return subsets === undefined ? {} : { subsets }
  },
  fieldChanges: (pair, translation) => ({
    toHost: subsetChanges(pair, translation),
    toVirtual: { set: {}, remove: [] },
  }),
  place: hostServiceName,
}

/** Changes of subsets; none if both sides are unchanged, so that patches do not see them. */
function subsetChanges({ virtual, host, base }: Pair, { naming }: Translation): Changes {
  const isUnchanged =
    base !== undefined &&
    isDeepStrictEqual(virtual.subsets, base.virtual.subsets) &&
    isDeepStrictEqual(host.subsets, base.host.subsets)
  if (isUnchanged) return { set: {}, remove: [] }
  const subsets = hostSubsets(virtual, naming)
  return subsets === undefined
    ? { set: {}, remove: [['subsets']] }
    : { set: { subsets }, remove: [] }
}

/** The subsets with Pods under their host names. Undefined: there are none. */
function hostSubsets({ subsets }: ApiObject, naming: Naming): unknown[] | undefined {
  if (!Array.isArray(subsets) || subsets.length === 0) return undefined
  return subsets.map((subset: unknown): unknown => {
    if (!isObject(subset)) return subset
    const lists = ['addresses', 'notReadyAddresses'].flatMap((key) => {
      const addresses = subset[key]
      if (!Array.isArray(addresses)) return []
      return [[key, addresses.map((address: unknown): unknown => hostAddress(address, naming))]]
    })
    return { ...subset, ...Object.fromEntries(lists) }
  })
}

function hostAddress(address: unknown, naming: Naming): unknown {
  if (!isObject(address) || !isObject(address.targetRef)) return address
  const { targetRef } = address
  if (targetRef.kind !== 'Pod') return address
  const { name, namespace, uid: _uid, resourceVersion: _resourceVersion, ...rest } = targetRef
  if (typeof name !== 'string' || typeof namespace !== 'string') return address
  const host = hostObjectName({ name, namespace }, naming)
  return { ...address, targetRef: { ...rest, ...(host ?? { name, namespace }) } }
}
