import { asPod } from '../../apis/kubernetes/core/pod/podTypes.ts'
import type { Toleration } from '../../apis/kubernetes/shapes/coreV1.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import { isTarget } from './podTarget.ts'

const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
const seconds = 300

/**
 * Lets pods stay for five minutes on nodes that are not ready or unreachable, unless they have other tolerations.
 * Source: Kubernetes, DefaultTolerationSeconds.
 */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  handles: (target) =>
    isTarget(target, { group: '', plural: 'pods', operations: ['CREATE', 'UPDATE'] }),
  mutate: ({ object }) => {
    if (object === undefined) return
    const spec = (asPod(object).spec ??= {})
    const tolerations = spec.tolerations ?? []
    const missing = keys.filter((key) => !tolerations.some((one) => tolerates(one, key)))
    if (missing.length === 0) return
    const added = missing.map((key): Toleration => {
      return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }
    })
    spec.tolerations = [...tolerations, ...added]
  },
}

function tolerates({ key = '', effect = '' }: Toleration, wanted: string): boolean {
  return (key === '' || key === wanted) && (effect === '' || effect === 'NoExecute')
}
