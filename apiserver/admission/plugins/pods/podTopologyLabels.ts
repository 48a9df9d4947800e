import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import type { PlaneObjects } from '../../planeObjects.ts'
import { isTarget, podsCreated } from '../podTarget.ts'

const copied = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']

/** Copies the zone and region of the node to its pods when they are created or bound. Source: Kubernetes,
 *  PodTopologyLabels. */
export function podTopologyLabels(objects: PlaneObjects): AdmissionPlugin {
  return {
    name: 'PodTopologyLabels',
    handles: (target) =>
      isTarget(target, podsCreated) || isTarget(target, { ...podsCreated, subresource: 'binding' }),
    mutate: ({ object, subresource }) => {
      if (object === undefined) return
      const node = subresource === 'binding' ? boundTo(object) : asPod(object).spec?.nodeName
      const labels = topologyOf(node ?? '', objects)
      if (Object.keys(labels).length === 0) return
      object.metadata.labels = { ...object.metadata.labels, ...labels }
    },
  }
}

function boundTo(binding: ApiObject): string | undefined {
  // Guaranteed by its schema.
  const { kind, name } = (binding['target'] ?? {}) as { kind?: string; name?: string }
  return kind === 'Node' ? name : undefined
}

function topologyOf(node: string, objects: PlaneObjects): Record<string, string> {
  const found = node === '' ? undefined : objects.get({ group: '', resource: 'nodes' }, '', node)
  const labels = Object.entries(found?.metadata.labels ?? {})
  return Object.fromEntries(labels.filter(([key]) => copied.includes(key)))
}
