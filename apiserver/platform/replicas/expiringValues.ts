import type { Clock, Timer } from '../../meta/clock.ts'
import type { Part } from '../../runtime/leadership.ts'
import { StorageError } from '../../storage/errors.ts'
import type { Storage, StoredValue, ValueTemplate } from '../../storage/storage.ts'
import { secretPrefix } from './serverKeys.ts'

/**
 * Prefix of short-lived values that servers share. It is below the prefix of secrets, so that rules for Secrets encrypt
 * them.
 */
export const expiringPrefix = `${secretPrefix}expiring/`

const sweepMs = 60_000
/** Time for which values are kept after their expiry, because the clocks of servers differ. */
const skewMs = 300_000
/** Maximum number of values that a sweep leaves; values that expire first are removed. */
const maxValues = 50_000

/** Stored form of a value that is removed some time after `until`, in milliseconds since the epoch. */
export function expiringTemplate(content: string, until: number): ValueTemplate {
  return {
    before: '{"revision":"',
    after: `","until":${until},"content":${JSON.stringify(content)}}\n`,
  }
}

export function readExpiring({ value }: StoredValue): { content: string; until: number } {
  // Sound: only `expiringTemplate` creates such values.
  return JSON.parse(value.toString()) as { content: string; until: number }
}

export interface ExpiringValuesOptions {
  storage: Storage
  clock: Clock
  report: (error: unknown) => void
}

/** Removes expired values once a minute. */
export class ExpiringValues implements Part {
  readonly #options: ExpiringValuesOptions
  #timer: Timer | undefined
  #isStopped = false

  constructor(options: ExpiringValuesOptions) {
    this.#options = options
    this.#wait()
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
  }

  #wait(): void {
    if (this.#isStopped) return
    const { clock, report } = this.#options
    this.#timer = clock.setTimer(() => {
      void this.sweep()
        .catch((error: unknown) => {
          if (!this.#isStopped) report(error)
        })
        .finally(() => this.#wait())
    }, sweepMs)
  }

  async sweep(): Promise<void> {
    const { storage, clock } = this.#options
    const { items } = await storage.list({ prefix: expiringPrefix })
    const values = items.map((stored) => ({ stored, until: readExpiring(stored).until }))
    const sorted = values.sort((a, b) => a.until - b.until)
    const excess = sorted.length - maxValues
    const now = clock.now()
    for (const [index, { stored, until }] of sorted.entries()) {
      if (this.#isStopped || (index >= excess && until + skewMs > now)) return
      await storage.delete(stored.key, stored.revision).catch(ignoreChanged)
    }
  }
}

/** Ignores a value that a server has taken or extended. */
function ignoreChanged(error: unknown): void {
  const codes = ['KeyNotFound', 'RevisionConflict']
  if (!(error instanceof StorageError) || !codes.includes(error.code)) throw error
}
