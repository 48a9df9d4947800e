import { instanceReport } from '../../apis/management/instances/instanceStatus.ts'
import { WorkQueue } from '../../runtime/workQueue.ts'
import type { Clock } from '../../meta/clock.ts'
import { withCondition, type Condition } from '../../meta/condition.ts'
import { hasReason } from '../../meta/status.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import { systemContext } from '../../registry/systemContext.ts'

/** A queue of instances by key, handled one at a time. */
export class InstanceQueue {
  readonly #queue: WorkQueue
  #isStopped = false

  constructor(
    { clock, report }: { clock: Clock; report: (error: unknown) => void },
    look: (key: string) => Promise<void>,
  ) {
    const work = (key: string) =>
      look(key).catch((error: unknown) => {
        // Its dependencies are stopped with it.
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

/** A condition without its transition time. */
export type WantedCondition = Omit<Condition, 'lastTransitionTime'>

/** The condition of a type; undefined: the instance has none. */
export function conditionOf(instance: ApiObject, type: string): Condition | undefined {
  return conditionsOf(instance).find((condition) => condition.type === type)
}

export function isSameCondition(known: Condition | undefined, wanted: WantedCondition): boolean {
  return known?.status === wanted.status && known.message === wanted.message
}

/**
 * Sets a condition in an instance, if `holds` is still true for it: a change triggers another
 * check.
 */
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
    await instances.update(target, { transform, strategy: instanceReport }, systemContext())
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}

function statusOf(instance: ApiObject): { conditions?: Condition[] } {
  // Sound by the schema of the kind.
  return instance['status'] ?? {}
}

function conditionsOf(instance: ApiObject): Condition[] {
  return statusOf(instance).conditions ?? []
}
