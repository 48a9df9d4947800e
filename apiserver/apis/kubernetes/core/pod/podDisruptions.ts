import { forbidden } from '../../../../meta/statusErrors.ts'
import { StatusError } from '../../../../meta/status.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { Condition } from '../../shapes/metaV1.ts'
import type { PodDisruptionBudgetSpec, PodDisruptionBudgetStatus } from '../../shapes/policyV1.ts'

/** Fields of a PodDisruptionBudget that an eviction reads. */
export interface Budget extends ApiObject {
  spec: PodDisruptionBudgetSpec
  status: PodDisruptionBudgetStatus
}

export interface Disruption {
  pod: string
  /** RFC 3339. */
  now: string
  dryRun: boolean
}

/**
 * Reports whether a pod that is not ready may be evicted without its budget: enough other pods are
 * healthy, or the budget does not protect this pod. Source: Kubernetes documentation, "Unhealthy
 * Pod Eviction Policy".
 */
export function hasHealthyRest({ spec, status }: Budget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy = 0, desiredHealthy = 0 } = status
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy
}

const mostDisrupted = 2000
const subject = { group: 'policy', resource: 'poddisruptionbudget' }

/**
 * Budget with one disruption less and the pod recorded as disrupted. @throws StatusError 429, 403.
 */
export function taken(old: ApiObject, { pod, now, dryRun }: Disruption): ApiObject {
  // Guaranteed by the schema of the kind.
  const budget = old as Budget
  const { metadata, status } = budget
  const { disruptionsAllowed: allowed = 0, disruptedPods = {} } = status
  const name = metadata.name ?? ''
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  if (allowed < 0) throw forbidden(subject, name, 'pdb disruptions allowed is negative')
  if (Object.keys(disruptedPods).length > mostDisrupted) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller'
    throw forbidden(subject, name, why)
  }
  if (allowed === 0) throw refused(exhaustedText(budget, name), 0)
  const left = { ...status, disruptionsAllowed: allowed - 1 }
  return {
    ...budget,
    status: {
      ...left,
      ...(allowed === 1 ? { conditions: insufficient(budget, now) } : {}),
      ...(dryRun ? {} : { disruptedPods: { ...disruptedPods, [pod]: now } }),
    },
  }
}

function exhaustedText({ status }: Budget, name: string): string {
  const { currentHealthy = 0, desiredHealthy = 0 } = status
  return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
}

const allowedType = 'DisruptionAllowed'

/** Conditions with "insufficient pods" recorded, if the budget has conditions from its controller. */
function insufficient({ status }: Budget, now: string): Condition[] {
  const { conditions = [], observedGeneration } = status
  const before = conditions.find(({ type }) => type === allowedType)
  const condition = {
    type: allowedType,
    status: 'False',
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime: before?.status === 'False' ? (before.lastTransitionTime ?? now) : now,
    reason: 'InsufficientPods',
    message: '',
  }
  return before === undefined
    ? [...conditions, condition]
    : conditions.map((other) => (other === before ? condition : other))
}

function refused(why: string, retryAfterSeconds: number): StatusError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget."
  return new StatusError(429, 'TooManyRequests', message, {
    details: {
      causes: [{ reason: 'DisruptionBudget', message: why }],
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  })
}
