import type { StorageError } from '../errors.ts'
import type { StoredValue } from '../storage.ts'
import { withRevision } from './valueBytes.ts'

/** First provisional revision, above every revision of etcd. */
export const firstProvisional = 2 ** 52

interface PendingWriteOptions {
  key: string
  base: number | PendingWrite
  encoded: Buffer | undefined
  guard?: { name: string; base: number | PendingWrite } | undefined
}

/**
 * Write without a response from etcd, or not yet in the image. Only etcd assigns revisions; until then the write has a
 * provisional one, which the next write of the key may replace.
 */
export class PendingWrite {
  readonly key: string
  readonly provisional: number
  /** Encoded value; undefined: a deletion. */
  readonly encoded: Buffer | undefined
  readonly stored: StoredValue | undefined
  /** Resolves when the write is decided; rejects if it failed. */
  readonly decided: Promise<void>
  /** Base of the write: the revision it replaces, 0 for none, or a preceding undecided write. */
  #base: number | PendingWrite
  #guard: { name: string; base: number | PendingWrite } | undefined
  #revision = 0
  #decide!: () => void // set by the promise's constructor
  #refuse!: (error: StorageError) => void

  constructor(provisional: number, { key, base, encoded, guard }: PendingWriteOptions) {
    this.key = key
    this.#base = base
    this.#guard = guard
    this.encoded = encoded
    this.provisional = provisional
    this.stored = encoded && new PendingValue(this, encoded)
    this.decided = new Promise((resolve, reject) => {
      this.#decide = resolve
      this.#refuse = reject
    })
    this.decided.catch(() => undefined) // the writer gets the error
  }

  /** Revision, provisional until etcd has assigned one. */
  get revision(): number {
    return this.#revision === 0 ? this.provisional : this.#revision
  }

  /** Revision that etcd compares, 0 for no value; undefined: not known yet. */
  get expected(): number | undefined {
    const base = this.#base
    if (typeof base === 'number') return base
    if (base.revision >= firstProvisional) return undefined
    // Otherwise a chain of all writes of the key would be kept in memory.
    this.#base = base.encoded === undefined ? 0 : base.revision
    return this.#base
  }

  /** Name of the guard; undefined: none. */
  get guardName(): string | undefined {
    return this.#guard?.name
  }

  /** Revision of the guard that etcd compares, once the previous write is decided. */
  get guardExpected(): number {
    const guard = this.#guard
    if (guard === undefined) return 0
    // Otherwise a chain of all writes with the guard would be kept in memory.
    if (typeof guard.base !== 'number') this.#guard = { ...guard, base: guard.base.revision }
    return this.#guard?.base as number // set above
  }

  /** Write with the same guard that has to be decided first; undefined: none. */
  get guardBefore(): PendingWrite | undefined {
    const base = this.#guard?.base
    return typeof base === 'number' ? undefined : base
  }

  /** Write that has to be decided first; undefined: none. */
  get before(): PendingWrite | undefined {
    return typeof this.#base === 'number' ? undefined : this.#base
  }

  decide(revision: number): void {
    this.#revision = revision
    this.#decide()
  }

  fail(error: StorageError): void {
    this.#refuse(error)
  }
}

/** Value of a pending write: its revision and bytes become final as soon as they are known. */
class PendingValue implements StoredValue {
  readonly #write: PendingWrite
  readonly #encoded: Buffer
  #made: { revision: number; value: Buffer } | undefined

  constructor(write: PendingWrite, encoded: Buffer) {
    this.#write = write
    this.#encoded = encoded
  }

  get key(): string {
    return this.#write.key
  }

  get revision(): number {
    return this.#write.revision
  }

  get value(): Buffer {
    const { revision } = this.#write
    if (this.#made?.revision === revision) return this.#made.value
    const value = withRevision(this.#encoded, revision)
    this.#made = { revision, value }
    return value
  }
}
