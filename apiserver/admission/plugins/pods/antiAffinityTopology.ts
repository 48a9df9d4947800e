import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { isTarget } from '../podTarget.ts'
import { refusal } from './podRefusal.ts'

const hostname = 'kubernetes.io/hostname'

interface Affinity {
  podAntiAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: { topologyKey?: string }[]
  }
}

/** Restricts required pod anti-affinity to single nodes. Source: Kubernetes, LimitPodHardAntiAffinityTopology. */
export const antiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  handles: (target) =>
    isTarget(target, { group: '', plural: 'pods', operations: ['CREATE', 'UPDATE'] }),
  validate: (request) => {
    const { affinity } = ((request.object && asPod(request.object).spec) ?? {}) as {
      affinity?: Affinity // typed by its schema
    }
    const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
    const wrong = terms.find(({ topologyKey = '' }) => topologyKey !== hostname)
    if (wrong === undefined) return
    const why = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wrong.topologyKey ?? ''} but only key ${hostname} is allowed`
    throw refusal(request, why)
  },
}
