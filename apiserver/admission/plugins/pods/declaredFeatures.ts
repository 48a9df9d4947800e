import { isDeepStrictEqual } from 'node:util'
import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import type { PodSpec, Volume } from '../../../apis/kubernetes/shapes/coreV1.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import type { PlaneObjects } from '../../planeObjects.ts'
import { isTarget } from '../podTarget.ts'
import { refusal } from './podRefusal.ts'

const pods = { group: '', plural: 'pods', operations: ['UPDATE'] } as const

/**
 * Refuses changes to a running pod that need features its node does not declare. Source:
 * Kubernetes, NodeDeclaredFeatureValidator.
 */
export function declaredFeatures(objects: PlaneObjects): AdmissionPlugin {
  return {
    name: 'NodeDeclaredFeatureValidator',
    handles: (target) =>
      isTarget(target, pods) || isTarget(target, { ...pods, subresource: 'resize' }),
    validate: (request) => {
      const needed = neededFeatures(request)
      if (needed.length === 0) return
      const name = (request.object && asPod(request.object).spec?.nodeName) ?? ''
      const node = objects.get({ group: '', resource: 'nodes' }, '', name)
      if (node === undefined) throw refusal(request, `node ${goQuote(name)} not found`)
      const { declaredFeatures: declared = [] } = (node['status'] ?? {}) as {
        declaredFeatures?: string[] // typed by its schema
      }
      const lacking = needed.filter((feature) => !declared.includes(feature))
      if (lacking.length === 0) return
      const features = lacking.join(', ')
      const why = `pod update requires features ${features} which are not available on node ${goQuote(name)}`
      throw refusal(request, why)
    },
  }
}

/** Features that the node needs for a change of a pod; none before the pod is scheduled. */
function neededFeatures({ object, oldObject }: AdmissionRequest): string[] {
  if (object === undefined || oldObject === undefined) return []
  const [{ spec: next = {} }, { spec: old = {} }] = [asPod(object), asPod(oldObject)]
  if ((next.nodeName ?? '') === '') return []
  if (object.metadata.generation === oldObject.metadata.generation) return []
  return features.filter(({ isNeeded }) => isNeeded(next, old)).map(({ name }) => name)
}

const features: readonly { name: string; isNeeded: (next: PodSpec, old: PodSpec) => boolean }[] = [
  {
    name: 'InPlacePodLevelResourcesVerticalScaling',
    isNeeded: (next, old) => !isDeepStrictEqual(next.resources, old.resources),
  },
  { name: 'InPlacePodVerticalScalingInitContainers', isNeeded: changesInitContainers },
  { name: 'InPlacePodVerticalScalingMemoryBackedVolumes', isNeeded: changesMemoryVolumes },
]

/** Reports whether sidecars changed, which are resized like other containers. */
function changesInitContainers(next: PodSpec, old: PodSpec): boolean {
  return (old.initContainers ?? []).some(({ restartPolicy, resources }, at) => {
    const changed = next.initContainers?.[at]?.resources
    return restartPolicy !== 'Always' && !isDeepStrictEqual(resources, changed)
  })
}

function changesMemoryVolumes(next: PodSpec, old: PodSpec): boolean {
  const [after, before] = [next.volumes ?? [], old.volumes ?? []]
  if (after.length !== before.length) return false
  return after.some((volume, at) => {
    const was = before[at]
    const [limit, oldLimit] = [memoryLimit(volume), memoryLimit(was)]
    if (volume.name !== was?.name || limit === undefined || oldLimit === undefined) return false
    return limit !== oldLimit
  })
}

function memoryLimit(volume: Volume | undefined): string | undefined {
  const { medium, sizeLimit } = (volume?.['emptyDir'] ?? {}) as {
    medium?: string
    sizeLimit?: string
  } // typed by its schema
  return medium === 'Memory' ? sizeLimit : undefined
}
