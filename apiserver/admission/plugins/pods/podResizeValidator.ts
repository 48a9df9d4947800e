import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { StatusError } from '../../../meta/status.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { quantitiesOf } from '../../resourceQuantities.ts'
import type { PlaneObjects } from '../../planeObjects.ts'
import { podQuantities } from '../../podQuantities.ts'
import { isTarget } from '../podTarget.ts'
import { refusal } from './podRefusal.ts'

const perCore = 1_000_000n
const perByte = 1_000_000_000n

/** Refuses a resize beyond the capacity of the pod's node. Source: Kubernetes, PodResizeValidator. */
export function podResizeValidator(objects: PlaneObjects): AdmissionPlugin {
  return {
    name: 'PodResizeValidator',
    handles: (target) =>
      isTarget(target, {
        ...{ group: '', plural: 'pods', operations: ['UPDATE'], subresource: 'resize' },
      }),
    validate: (request) => {
      const { object, oldObject } = request
      const name = (object && asPod(object).spec?.nodeName) ?? ''
      if (object === undefined || name === '') return
      if (oldObject?.metadata.generation === object.metadata.generation) return
      const node = objects.get({ group: '', resource: 'nodes' }, '', name)
      if (node === undefined) throw refusal(request, `node ${goQuote(name)} not found`)
      checkPlatform(node, request)
      checkRoom(object, node, request)
    },
  }
}

function refused(request: AdmissionRequest, why: string, reason: string): StatusError {
  const { code, reason: kind, message, details } = refusal(request, why)
  return new StatusError(code, kind, message, { details: { ...details, causes: [{ reason }] } })
}

function checkPlatform({ metadata }: ApiObject, request: AdmissionRequest): void {
  const { name = '', labels } = metadata
  const system = labels?.['kubernetes.io/os'] ?? 'linux'
  if (system === 'linux') return
  const why = `pod resize is only supported on linux nodes, node ${goQuote(name)} is ${goQuote(system)}`
  throw refused(request, why, 'UnsupportedPlatform')
}

function checkRoom(pod: ApiObject, node: ApiObject, request: AdmissionRequest): void {
  // Guaranteed by its schema.
  const { allocatable } = (node['status'] ?? {}) as { allocatable?: Record<string, string> }
  const [given, asked] = [
    quantitiesOf(allocatable),
    podQuantities(asPod(pod).spec ?? {}, 'requests'),
  ]
  const lacking = (
    [
      ['cpu', perCore],
      ['memory', perByte],
    ] as const
  ).flatMap(([name, unit]) => {
    const [most, wanted] = [given.get(name)?.nanos ?? 0n, asked.get(name)?.nanos ?? 0n]
    if (wanted <= most) return []
    const shown = (nanos: bigint) => (nanos + unit - 1n) / unit
    return [`${name}, requested: ${shown(wanted)}, allocatable: ${shown(most)}`]
  })
  if (lacking.length === 0) return
  const why = `node didn't have enough allocatable resources: ${lacking.join('; ')}`
  throw refused(request, why, 'NodeCapacity')
}
