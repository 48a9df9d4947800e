import type { Listener } from '../objects/subscriptions.ts'
import type { Change, ChangePage, Subscription } from '../storage.ts'

export interface ReplaySource {
  /** Subscribes to live changes after `until`. */
  subscribe: (listener: Listener) => Subscription
  /** Reads changes after a revision. */
  page: (since: number) => Promise<ChangePage>
  since: number
  until: number
}

/**
 * Delivers past changes, then live ones, which are queued in the meantime: reading the past takes
 * longer than the next write.
 * @throws StorageError Compacted, Unavailable.
 */
export async function replayed(
  listener: Listener,
  { subscribe, page, since, until }: ReplaySource,
): Promise<Subscription> {
  let held: Change[] | undefined = []
  const subscription = subscribe((changes) => {
    if (held === undefined) listener(changes)
    else held.push(...changes)
  })
  try {
    for (let reached = since; reached < until;) {
      const { changes, revision } = await page(reached)
      const wanted = changes.filter((change) => change.revision <= until)
      if (wanted.length > 0) listener(wanted)
      reached = revision
    }
    const late = held
    held = undefined
    if (late.length > 0) listener(late)
    return subscription
  } catch (error) {
    subscription.close()
    throw error
  }
}
