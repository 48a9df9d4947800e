import { isExtendedName } from '../../../apis/kubernetes/core/container/resourceRules.ts'
import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import type { Toleration } from '../../../apis/kubernetes/shapes/coreV1.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { isTarget } from '../podTarget.ts'

/** Adds tolerations for nodes reserved for the devices that a pod requests. Source: Kubernetes,
 *  ExtendedResourceToleration. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  handles: (target) =>
    isTarget(target, { group: '', plural: 'pods', operations: ['CREATE', 'UPDATE'] }),
  mutate: ({ object }) => {
    if (object === undefined) return
    const spec = (asPod(object).spec ??= {})
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
    const names = containers.flatMap(({ resources }) => Object.keys(resources?.requests ?? {}))
    const extended = [...new Set(names)].filter(isExtendedName).sort()
    for (const key of extended) {
      spec.tolerations = withToleration(spec.tolerations ?? [], {
        ...{ key, operator: 'Exists', effect: 'NoSchedule' },
      })
    }
  },
}

/** Adds a toleration, replacing one with the same key and effect. */
function withToleration(tolerations: readonly Toleration[], added: Toleration): Toleration[] {
  const isSame = ({ key = '', effect = '', operator = '', value = '' }: Toleration) =>
    key === added.key && effect === added.effect && operator === added.operator && value === ''
  const at = tolerations.findIndex(isSame)
  return at < 0 ? [...tolerations, added] : tolerations.with(at, added)
}
