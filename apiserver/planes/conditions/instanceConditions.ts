import { reportedStatus } from '../../apis/management/instances/instanceStatus.ts'
import { WorkQueue } from '../../runtime/workQueue.ts'
import type { Clock } from '../../meta/clock.ts'
import { withCondition, type Condition } from '../../meta/condition.ts'
import { StatusError } from '../../meta/status.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import { systemContext } from '../../registry/systemContext.ts'

/** Instances that are to be looked at, by their keys, one at a time. */
export class InstanceQueue {
  readonly #queue: WorkQueue
  #isStopped = false

  constructor(
    { clock, report }: { clock: Clock; report: (error: unknown) => void },
    look: (key: string) => Promise<void>,
  ) {
    const work = (key: string) =>
      look(key).catch((error: unknown) => {
        // What it works with ends with it.
        if (!this.#isStopped) throw error
      })
    this.#queue = new WorkQueue({ clock, report, concurrency: 1, work })
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  add(key: string): void {
    this.#queue.add(key)
  }

  stop(): void {
    this.#isStopped = true
    this.#queue.stop()
  }
}

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
