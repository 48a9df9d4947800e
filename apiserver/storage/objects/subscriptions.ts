import { addToGroup } from '../../meta/collections/groupBy.ts'
import type { Change, Subscription } from '../storage.ts'

export type Listener = (changes: readonly Change[]) => void

interface Subscriber {
  prefix: string
  after: number
  listener: Listener
}

/**
 * The live watches, grouped by their prefix up to its last slash, so that a change only looks up the folders of its own
 * key, however many prefixes are watched.
 */
export class Subscriptions {
  #folders = new Map<string, Set<Subscriber>>()
  readonly #report: (error: unknown) => void

  /** `report` is called when a listener throws; the others still get their changes. */
  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Adds a listener for changes above revision `after`, starting with the next batch. */
  add(prefix: string, after: number, listener: Listener): Subscription {
    const subscriber: Subscriber = { prefix, after, listener }
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    const subscribers = this.#folders.get(folder) ?? new Set()
    this.#folders.set(folder, subscribers.add(subscriber))
    return {
      close: () => {
        subscribers.delete(subscriber)
        // A later subscriber may have created the folder again.
        if (subscribers.size === 0 && this.#folders.get(folder) === subscribers) {
          this.#folders.delete(folder)
        }
      },
    }
  }

  /** Calls each listener once with all its changes, in revision order. */
  deliver(changes: readonly Change[]): void {
    for (const [folder, inFolder] of this.#byFolder(changes)) {
      const subscribers = this.#folders.get(folder) ?? []
      // A listener may close this or another subscription, or open one, which begins after this batch.
      for (const subscriber of [...subscribers]) {
        if (this.#folders.get(folder)?.has(subscriber) !== true) continue
        const wanted = select(inFolder, subscriber)
        if (wanted.length > 0) this.#call(subscriber.listener, wanted)
      }
    }
  }

  #byFolder(changes: readonly Change[]): Map<string, Change[]> {
    const found = new Map<string, Change[]>()
    for (const change of changes) {
      for (let end = 0; ; end = change.key.indexOf('/', end) + 1) {
        const folder = change.key.slice(0, end)
        if (this.#folders.has(folder)) addToGroup(found, folder, change)
        if (change.key.indexOf('/', end) < 0) break
      }
    }
    return found
  }

  #call(listener: Listener, changes: readonly Change[]): void {
    try {
      listener(changes)
    } catch (error) {
      this.#report(error)
    }
  }
}

function select(changes: readonly Change[], { prefix, after }: Subscriber): readonly Change[] {
  const all = prefix.endsWith('/') || prefix === ''
  const newer = (changes[0]?.revision ?? 0) > after
  if (all && newer) return changes
  return changes.filter((change) => change.revision > after && change.key.startsWith(prefix))
}
