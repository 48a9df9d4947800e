import type { Entry } from './cacheEntry.ts'
import type { OrderedBlocks } from './orderedBlocks.ts'

export interface SnapshotLimits {
  maxSnapshots: number
  /** Maximum bytes of objects kept only by snapshots. */
  maxBytes: number
  /** Time to keep a snapshot after its last use. */
  maxAgeMs: number
}

interface Kept {
  /** First and last revision with this state. */
  from: number
  to: number
  snapshot: OrderedBlocks
  usedMs: number
  /** Bytes of entries replaced while it was the newest: they are freed when it and all older ones are gone. */
  bytes: number
}

/**
 * The states that paginated lists read from, oldest first. A later page costs only its objects, however much was
 * written since the first one; without a snapshot the state is read from storage's history.
 */
export class KeptSnapshots {
  readonly #limits: SnapshotLimits
  #kept: Kept[] = []
  #bytes = 0

  constructor(limits: SnapshotLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#kept.length
  }

  /** Keeps `snapshot`, the state at `revision`, the newest, unchanged since `since`. */
  keep(
    snapshot: OrderedBlocks,
    { since, revision, nowMs }: { since: number; revision: number; nowMs: number },
  ): void {
    const newest = this.#kept.at(-1)
    if (newest !== undefined && newest.to >= since) {
      newest.to = Math.max(newest.to, revision)
      newest.usedMs = nowMs
      return
    }
    this.#kept.push({ from: since, to: revision, snapshot, usedMs: nowMs, bytes: 0 })
    if (this.#kept.length > this.#limits.maxSnapshots) this.#dropOldest()
  }

  /** The state at `revision`; undefined: it was not kept. */
  at(revision: number, nowMs: number): OrderedBlocks | undefined {
    const found = this.#kept.findLast(({ from, to }) => from <= revision && revision <= to)
    if (found === undefined) return undefined
    found.usedMs = nowMs
    return found.snapshot
  }

  /** Records that `entry` is no longer the newest of its key. */
  replaced(entry: Entry): void {
    const newest = this.#kept.at(-1)
    if (newest === undefined) return
    newest.bytes += entry.bytes.length
    this.#bytes += entry.bytes.length
    while (this.#bytes > this.#limits.maxBytes) this.#dropOldest()
  }

  /**
   * Drops snapshots that were not used recently, or are below `compacted`, which clients can no
   * longer read.
   */
  tidy(nowMs: number, compacted: number): void {
    const { maxAgeMs } = this.#limits
    for (let oldest = this.#kept[0]; oldest !== undefined; oldest = this.#kept[0]) {
      if (nowMs - oldest.usedMs < maxAgeMs && oldest.to >= compacted) return
      this.#dropOldest()
    }
  }

  #dropOldest(): void {
    this.#bytes -= this.#kept.shift()?.bytes ?? 0
  }
}
