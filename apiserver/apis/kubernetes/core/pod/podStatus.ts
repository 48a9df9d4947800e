import { forbiddenField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import type { ParentSubresource } from '../../../../registry/resource.ts'
import { optionalName, unchanged } from '../../../fieldChecks.ts'
import { asPod, type PodSpec, type PodStatus } from './podTypes.ts'
import { qualityOf } from './podQuality.ts'

/** The status of a new pod: what waits for its gates says so. `now` is RFC 3339. */
export function newPodStatus(spec: PodSpec, now: string): PodStatus {
  const isGated = (spec.schedulingGates ?? []).length > 0
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
  return {
    phase: 'Pending',
    ...(isGated ? { conditions: [gated] } : {}),
    qosClass: qualityOf(spec),
  }
}

/** Source: Kubernetes API reference, PodStatus v1; observed answers. */
export const podStatusSubresource: ParentSubresource = {
  name: 'status',
  verbs: ['get', 'update', 'patch'],
  strategy: {
    resetsContent: true,
    prepareForUpdate: (next, old) => {
      const { qosClass } = asPod({ ...old }).status
      const { status } = asPod(next)
      if (qosClass !== undefined) status.qosClass ??= qosClass
      const { ownerReferences } = old.metadata
      delete next.metadata.ownerReferences
      if (ownerReferences !== undefined) next.metadata.ownerReferences = ownerReferences
    },
    validateUpdate: (next, old) => {
      const [{ status, spec }, { status: before }] = [asPod({ ...next }), asPod({ ...old })]
      return [
        ...unchanged('status.qosClass', status.qosClass, before.qosClass),
        ...nominationErrors(status, before, spec),
      ]
    },
  },
}

function nominationErrors(
  { nominatedNodeName: name }: PodStatus,
  before: PodStatus,
  { nodeName = '' }: PodSpec,
): FieldError[] {
  const path = 'status.nominatedNodeName'
  const isLate = name !== undefined && name !== before.nominatedNodeName && nodeName !== ''
  const detail = 'may not be set on pods that are already bound to a node'
  return [
    ...optionalName(path, name, subdomainErrors),
    ...(isLate ? [forbiddenField(path, detail)] : []),
  ]
}
