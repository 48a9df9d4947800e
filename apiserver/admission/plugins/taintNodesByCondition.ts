import { isObject } from '../../meta/json/isObject.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import { isTarget } from './podTarget.ts'

const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

/** Taints new nodes as not ready. Source: Kubernetes, TaintNodesByCondition. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  handles: (target) => isTarget(target, { group: '', plural: 'nodes', operations: ['CREATE'] }),
  mutate: ({ object }) => {
    if (object === undefined) return
    const spec = isObject(object['spec']) ? object['spec'] : {}
    const taints = Array.isArray(spec['taints']) ? (spec['taints'] as unknown[]) : []
    const isThere = taints.some((one) => {
      return isObject(one) && one['key'] === taint.key && one['effect'] === taint.effect
    })
    if (!isThere) object['spec'] = { ...spec, taints: [...taints, { ...taint }] }
  },
}
