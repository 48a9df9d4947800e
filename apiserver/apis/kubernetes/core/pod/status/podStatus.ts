import { addToGroup } from '../../../../../meta/collections/groupBy.ts'
import type { ParentSubresource } from '../../../../../registry/resource.ts'
import type { PodSpec, PodStatus } from '../../../shapes/coreV1.ts'
import { podStatusErrors } from './podStatusRules.ts'
import { asPod } from '../podTypes.ts'
import { qualityOf } from '../podQuality.ts'

/** The status of a new pod, with a condition if the pod is gated. `now` is RFC 3339. */
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

/** Source: Kubernetes API reference, PodStatus v1; seen on kube-apiserver 1.37.2. */
export const podStatusSubresource: ParentSubresource = {
  name: 'status',
  verbs: ['get', 'update', 'patch'],
  resets: [
    ['f:metadata', 'f:deletionTimestamp'],
    ['f:metadata', 'f:ownerReferences'],
  ],
  strategy: {
    resetsContent: true,
    prepareForUpdate: (next, old) => {
      keepUnknownParts(asPod(next).status, asPod({ ...old }).status)
      const { ownerReferences, deletionTimestamp } = old.metadata
      delete next.metadata.ownerReferences
      delete next.metadata.deletionTimestamp
      if (ownerReferences !== undefined) next.metadata.ownerReferences = ownerReferences
      if (deletionTimestamp !== undefined) next.metadata.deletionTimestamp = deletionTimestamp
    },
    validateUpdate: (next, old) => podStatusErrors(asPod({ ...next }), asPod({ ...old })),
  },
}

const kept = ['qosClass', 'resourceClaimStatuses', 'extendedResourceClaimStatus'] as const

/** Keeps fields that an older agent does not send. Changes `status`. */
function keepUnknownParts(status: PodStatus, old: PodStatus): void {
  for (const field of kept) {
    if (status[field] === undefined && old[field] !== undefined) {
      Object.assign(status, { [field]: structuredClone(old[field]) })
    }
  }
  keepGenerations(status, old)
}

/**
 * Keeps the generations of conditions, which may occur several times; conditions of the same type
 * are matched in order.
 */
function keepGenerations(status: PodStatus, old: PodStatus): void {
  keepGeneration(status, old.observedGeneration)
  const before = new Map<string, (number | undefined)[]>()
  for (const { type = '', observedGeneration } of old.conditions ?? []) {
    addToGroup(before, type, observedGeneration)
  }
  for (const condition of status.conditions ?? []) {
    keepGeneration(condition, before.get(condition.type ?? '')?.shift())
  }
}

function keepGeneration(target: { observedGeneration?: number }, old: number | undefined): void {
  if (old !== undefined) target.observedGeneration ||= old
}
