import { hash } from 'node:crypto'
import type { Clock } from '../../../meta/clock.ts'
import { toStatusError } from '../../../registry/storageErrors.ts'
import { StorageError } from '../../../storage/errors.ts'
import type { Storage } from '../../../storage/storage.ts'
import { expiringPrefix, expiringTemplate, readExpiring } from '../../replicas/expiringValues.ts'
import type { LoginRecords } from './loginRecords.ts'

/**
 * Records in a storage that several servers share. A record is named by the digest of its id, so that a copy of the
 * storage reveals no codes, and is encrypted like Secrets.
 */
export class StoredLoginRecords implements LoginRecords {
  readonly #storage: Storage
  readonly #clock: Clock
  readonly #purpose: string

  constructor(storage: Storage, clock: Clock, purpose: string) {
    this.#storage = storage
    this.#clock = clock
    this.#purpose = purpose
  }

  async put(id: string, content: string, until: number): Promise<void> {
    await translated(this.#storage.create(this.#keyOf(id), expiringTemplate(content, until)))
  }

  async take(id: string): Promise<string | undefined> {
    const key = this.#keyOf(id)
    await translated(Promise.resolve(this.#storage.reachNewest()))
    const stored = this.#storage.newest(key)
    if (stored === undefined) return undefined
    const { content, until } = readExpiring(stored)
    const isFirst = await translated(
      this.#storage
        .delete(key, stored.revision)
        .then(() => true, falseIf('KeyNotFound', 'RevisionConflict')),
    )
    return isFirst && until > this.#clock.now() ? content : undefined
  }

  async use(id: string, until: number): Promise<boolean> {
    const marking = this.#storage.create(this.#keyOf(id), expiringTemplate('', until))
    return translated(marking.then(() => true, falseIf('KeyExists')))
  }

  #keyOf(id: string): string {
    return `${expiringPrefix}logins/${hash('sha256', `${this.#purpose} ${id}`)}`
  }
}

/** Returns false for errors with one of these codes. */
function falseIf(...codes: StorageError['code'][]): (error: unknown) => false {
  return (error) => {
    if (error instanceof StorageError && codes.includes(error.code)) return false
    throw error
  }
}

function translated<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw toStatusError(error, { group: '', resource: '' }, '')
  })
}
