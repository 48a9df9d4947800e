import { duplicateField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { untilDone } from '../../../meta/waiting/untilDone.ts'
import { decodeObject } from '../../../registry/objectBytes.ts'
import type { Store } from '../../../registry/store.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import { UniqueValues } from '../../uniqueValues.ts'
import { specOf } from './accessKeySpec.ts'

/** Replacement for the value in errors, which must not reveal it or its owner. */
const hidden = 'REDACTED'

/**
 * A strategy that makes values of keys unique. The server's own keys are exempt: they are random,
 * or configured by the operator. `keys` is called after the store was created.
 */
export function withDistinctValues(strategy: Strategy, keys: () => Store): Strategy {
  let made: AccessKeyValues | undefined
  const values = () => (made ??= new AccessKeyValues(keys()))
  const errors = (object: ApiObject, { isTrusted, dryRun }: RequestContext): FieldError[] => {
    const { key } = specOf(object)
    if (isTrusted === true || key === undefined) return []
    const { name = '' } = object.metadata
    if (values().isTaken(key, name)) return [duplicateField('spec.key', hidden)]
    if (!dryRun) values().take(key, name)
    return []
  }
  return {
    ...strategy,
    spans: 'access-keys',
    ready: async ({ isTrusted }) => {
      if (isTrusted !== true) await values().follow()
    },
    validate: (object, context) =>
      firstOf(strategy.validate?.(object, context) ?? [], () => errors(object, context)),
    validateUpdate: (next, old, context) => {
      const isSame = specOf(next).key === specOf(old).key
      const found = strategy.validateUpdate?.(next, old, context) ?? []
      return firstOf(found, () => (isSame ? [] : errors(next, context)))
    },
  }
}

/** The errors found or, if there are none, other errors. */
function firstOf(found: FieldError[], others: () => FieldError[]): FieldError[] {
  return found.length > 0 ? found : others()
}

/** Stored values by key, so that values are unique. A holder is the storage key of an access key. */
class AccessKeyValues {
  readonly #store: Store
  readonly #held: UniqueValues<string>
  readonly #known = untilDone(() => this.#follow())

  constructor(store: Store) {
    this.#store = store
    const isHeld = (value: string, place: string) => {
      const stored = store.options.storage.newest(place)
      return stored !== undefined && specOf(decodeObject(stored.value)).key === value
    }
    this.#held = new UniqueValues(isHeld, (one, other) => one === other)
  }

  /** Reads all keys and follows changes; the methods below require it. */
  async follow(): Promise<void> {
    await this.#known()
    this.#held.tidy()
  }

  /** Reports whether another key holds the value. */
  isTaken(value: string, name: string): boolean {
    const holder = this.#held.holder(value)
    return holder !== undefined && holder !== this.#placeOf(name)
  }

  /** Reserves the value; the key's write has to follow in the same turn. */
  take(value: string, name: string): void {
    this.#held.take(value, this.#placeOf(name))
  }

  #placeOf(name: string): string {
    return this.#store.keyOf({ namespace: '', name })
  }

  async #follow(): Promise<void> {
    const { cache } = this.#store
    await cache.warm()
    cache.onChange(({ key, entry, previous }) => {
      const value = entry && specOf(entry.object()).key
      const before = previous && specOf(previous.object()).key
      if (before !== undefined && before !== value) this.#held.remove(before, key)
      if (value !== undefined) this.#held.add(value, key)
    })
    for (const entry of cache.all()) {
      const { key } = specOf(entry.object())
      if (key !== undefined) this.#held.add(key, entry.key)
    }
  }
}
