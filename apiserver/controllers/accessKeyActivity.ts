import { formatTime, type Clock } from '../meta/clock.ts'
import { hasReason } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { Strategy } from '../registry/strategy.ts'
import { systemContext } from '../registry/systemContext.ts'

const atMostEveryMs = 60_000

/** Updates `status.lastActivity` of access keys, at most once a minute per key. */
export class AccessKeyActivity {
  readonly #keys: Store
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  /** Times of the last writes, oldest first, for keys that need no new write yet. */
  readonly #writtenAt = new Map<string, number>()

  constructor(keys: Store, clock: Clock, report: (error: unknown) => void) {
    this.#keys = keys
    this.#clock = clock
    this.#report = report
  }

  /** Records a use of the key. */
  used(keyName: string): void {
    const now = this.#clock.now()
    if (isRecent(this.#writtenAt.get(keyName), now)) return
    for (const [name, at] of this.#writtenAt) {
      // Entries are removed, so that the map does not grow without bound.
      if (isRecent(at, now)) break
      this.#writtenAt.delete(name)
    }
    this.#writtenAt.delete(keyName)
    this.#writtenAt.set(keyName, now)
    void this.#write(keyName, now).catch(this.#report)
  }

  async #write(name: string, now: number): Promise<void> {
    const transform = (old: ApiObject): ApiObject => ({
      ...old,
      status: { lastActivity: formatTime(now) },
    })
    try {
      await this.#keys.update(
        { namespace: '', name },
        { transform, strategy: statusOnly },
        systemContext(),
      )
    } catch (error) {
      this.#writtenAt.delete(name)
      if (!hasReason(error, 'NotFound')) throw error
    }
  }
}

/** Reports whether a time is recent. A time in the future is not: the clock was set back. */
function isRecent(at: number | undefined, now: number): boolean {
  return at !== undefined && Math.abs(now - at) < atMostEveryMs
}

/** Strategy that writes only the status and leaves everything else unchanged. */
const statusOnly: Strategy = {}
