import type { Entry } from './entry.ts'
import type { OrderedBlocks } from './orderedBlocks.ts'

export interface SnapshotLimits {
  /** Snapshots kept at most. */
  maxSnapshots: number
  /** Bytes of objects that are kept for snapshots alone, at most. */
  maxBytes: number
  /** For how long after it was last asked for. */
  maxAgeMs: number
}

interface Kept {
  /** The state was the same from one revision to the other. */
  from: number
  to: number
  snapshot: OrderedBlocks
  usedMs: number
  /** Of entries that were replaced while it was the newest: they go when it and all older ones are gone. */
  bytes: number
}

/** The states that lists in pages are read from, oldest first. A page that follows costs what its objects cost, however
 *  much was written since the first one; without a snapshot the state is found in storage's history. */
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

  /** `snapshot` is the state at `revision`, the newest, and has been since `since`. */
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

  /** The state at `revision`; undefined: it is not kept. */
  at(revision: number, nowMs: number): OrderedBlocks | undefined {
    const found = this.#kept.findLast(({ from, to }) => from <= revision && revision <= to)
    if (found === undefined) return undefined
    found.usedMs = nowMs
    return found.snapshot
  }

  /** `entry` is no longer the newest of its key. */
  replaced(entry: Entry): void {
    const newest = this.#kept.at(-1)
    if (newest === undefined) return
    newest.bytes += entry.bytes.length
    this.#bytes += entry.bytes.length
    while (this.#bytes > this.#limits.maxBytes) this.#dropOldest()
  }

  /** Drops what nobody has asked for lately, and what stands below `compacted`, which clients are told is gone. */
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
