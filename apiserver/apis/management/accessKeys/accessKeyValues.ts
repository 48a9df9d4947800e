import { duplicateField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { untilDone } from '../../../meta/untilDone.ts'
import { decodeObject } from '../../../registry/objectBytes.ts'
import type { Store } from '../../../registry/store.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import { HeldValues } from '../../uniqueValues.ts'
import { specOf } from './accessKeySpec.ts'

/** In the place of a value, which no answer tells, nor whose it is. */
const hidden = 'REDACTED'

/** The strategy of keys no two of which get the same value. What the server itself stores is made at random, or asked for
 *  by who runs it. `keys` is called when the store stands. */
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

/** A value is taken for what else was found to be right. */
function firstOf(found: FieldError[], others: () => FieldError[]): FieldError[] {
  return found.length > 0 ? found : others()
}

/** Which key has which stored value, so that no two get the same. A holder is the place in storage of its key. */
class AccessKeyValues {
  readonly #store: Store
  readonly #held: HeldValues<string>
  readonly #known = untilDone(() => this.#follow())

  constructor(store: Store) {
    this.#store = store
    const isHeld = (value: string, place: string) => {
      const stored = store.options.storage.newest(place)
      return stored !== undefined && specOf(decodeObject(stored.value)).key === value
    }
    this.#held = new HeldValues(isHeld, (one, other) => one === other)
  }

  /** Knows all keys from then on; the methods below need it. */
  async follow(): Promise<void> {
    await this.#known()
    this.#held.tidy()
  }

  /** Whether a key of another name holds the value. */
  isTaken(value: string, name: string): boolean {
    const holder = this.#held.holder(value)
    return holder !== undefined && holder !== this.#placeOf(name)
  }

  /** To be followed by the key's write in the same turn. */
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
