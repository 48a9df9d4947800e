import { goQuote } from '../../../meta/goQuote.ts'
import { StatusError } from '../../../meta/status.ts'
import { conflict } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { untilDone } from '../../../meta/waiting/untilDone.ts'
import { decodeObject } from '../../../registry/objectBytes.ts'
import { groupResource } from '../../../registry/resource.ts'
import type { Store } from '../../../registry/store.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import { UniqueValues } from '../../uniqueValues.ts'
import { distinctName } from './loginName.ts'

/** A name of a user in comparable form, with its field and its value. */
interface AccountName {
  value: string
  field: string
  shown: string
}

/**
 * Strategy that makes user names unique: object name, user name, email address and provider link
 * each identify one user, since people and other programs use any of them. It also applies to the
 * server's own writes. `users` is called after the store was created, `link` is the annotation with
 * the link.
 */
export function withDistinctNames(
  strategy: Strategy,
  { users, link }: { users: () => Store; link: string },
): Strategy {
  let made: AccountNames | undefined
  const names = () => (made ??= new AccountNames(users(), link))
  return {
    ...strategy,
    spans: 'accounts',
    ready: () => names().follow(),
    validate: (object, context) => {
      const found = strategy.validate?.(object, context) ?? []
      if (found.length === 0) names().claim(object, undefined, context)
      return found
    },
    validateUpdate: (next, old, context) => {
      const found = strategy.validateUpdate?.(next, old, context) ?? []
      if (found.length === 0) names().claim(next, old, context)
      return found
    },
  }
}

/** The field with the conflicting value, according to an error. */
export function conflictingField(error: unknown): string | undefined {
  if (!(error instanceof StatusError) || error.reason !== 'Conflict') return undefined
  return error.details?.causes?.[0]?.field
}

/** Names of users, including pending writes. A holder is the storage key of a user. */
class AccountNames {
  readonly #store: Store
  readonly #link: string
  readonly #held: UniqueValues<string>
  readonly #known = untilDone(() => this.#follow())

  constructor(store: Store, link: string) {
    this.#store = store
    this.#link = link
    const isHeld = (value: string, place: string): boolean => {
      const stored = store.options.storage.newest(place)
      return stored !== undefined && this.#has(decodeObject(stored.value), value)
    }
    this.#held = new UniqueValues(isHeld, (one, other) => one === other)
  }

  /** Reads all users and follows changes; claim() requires it. */
  async follow(): Promise<void> {
    await this.#known()
    this.#held.tidy()
  }

  /**
   * Reserves the new names of a user, whose write follows in the same turn. Names that the user
   * already had are not checked.
   * @throws StatusError Conflict.
   */
  claim(next: ApiObject, old: ApiObject | undefined, { dryRun }: RequestContext): void {
    const { name = '' } = next.metadata
    const place = this.#store.keyOf({ namespace: '', name })
    const before = new Set(this.#names(old).map(({ value }) => value))
    const gained = this.#names(next).filter(({ value }) => !before.has(value))
    for (const each of gained) {
      const holder = this.#held.holder(each.value)
      if (holder !== undefined && holder !== place) throw this.#refusal(name, each)
    }
    if (!dryRun) for (const { value } of gained) this.#held.take(value, place)
  }

  #refusal(name: string, { field, shown }: AccountName): StatusError {
    const message = `${goQuote(shown)} is another user's`
    const cause = { reason: 'FieldValueDuplicate', message, field }
    const error = conflict(groupResource(this.#store.resource), name, `${field}: ${message}`)
    const details = { ...error.details, causes: [cause] }
    return new StatusError(error.code, error.reason, error.message, { details })
  }

  #names(user: ApiObject | undefined): AccountName[] {
    if (user === undefined) return []
    const { name = '', annotations } = user.metadata
    // Guaranteed by the schema of users.
    const { username = '', email = '' } = (user['spec'] ?? {}) as Record<string, string>
    const link = annotations?.[this.#link] ?? ''
    return [
      { field: 'metadata.name', shown: name, value: distinctName(name) },
      { field: 'spec.username', shown: username, value: distinctName(username) },
      { field: 'spec.email', shown: email, value: distinctName(email) },
      // Login names never begin with a space.
      { field: `metadata.annotations[${this.#link}]`, shown: link, value: link && ` ${link}` },
    ].filter(({ value }) => value !== '')
  }

  #has(user: ApiObject, value: string): boolean {
    return this.#names(user).some((name) => name.value === value)
  }

  async #follow(): Promise<void> {
    const { cache } = this.#store
    await cache.warm()
    cache.onChange(({ key, entry, previous }) => {
      const now = entry?.object()
      for (const { value } of this.#names(previous?.object())) {
        if (now === undefined || !this.#has(now, value)) this.#held.remove(value, key)
      }
      for (const { value } of this.#names(now)) this.#held.add(value, key)
    })
    for (const entry of cache.all()) {
      for (const { value } of this.#names(entry.object())) this.#held.add(value, entry.key)
    }
  }
}
