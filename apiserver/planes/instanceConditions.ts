import { reportedStatus } from '../apis/management/instanceStatus.ts'
import type { Clock } from '../meta/clock.ts'
import { withCondition, type Condition } from '../meta/condition.ts'
import { StatusError } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import { systemContext } from '../registry/systemContext.ts'

/** A condition without the time since when it is so. */
export type WantedCondition = Omit<Condition, 'lastTransitionTime'>

/** The condition of a type; undefined: the instance has none. */
export function conditionOf(instance: ApiObject, type: string): Condition | undefined {
  return conditionsOf(instance).find((condition) => condition.type === type)
}

export function isSameCondition(known: Condition | undefined, wanted: WantedCondition): boolean {
  return known?.status === wanted.status && known.message === wanted.message
}

/** Shows a condition in an instance that is still as `holds` says: another state is looked at by itself. */
export async function showCondition(
  { instances, clock }: { instances: Store; clock: Clock },
  target: ObjectName,
  { wanted, holds }: { wanted: WantedCondition; holds: (instance: ApiObject) => boolean },
): Promise<void> {
  const now = clock.now()
  const transform = (next: ApiObject): ApiObject => {
    if (!holds(next)) return next
    const conditions = withCondition(conditionsOf(next), wanted, now)
    return { ...next, status: { ...statusOf(next), conditions } }
  }
  try {
    await instances.update(target, { transform, strategy: reportedStatus }, systemContext())
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'NotFound')) throw error
  }
}

function statusOf(instance: ApiObject): { conditions?: Condition[] } {
  // The schema of the kind says what its status holds.
  return instance['status'] ?? {}
}

function conditionsOf(instance: ApiObject): Condition[] {
  return statusOf(instance).conditions ?? []
}
