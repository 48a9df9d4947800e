import { isTokenType } from '../../../authentication/accessKeys/tokenGeneration.ts'
import { superuserGroups } from '../../../authorization/superusers.ts'
import { jsonText } from '../../../meta/json/exactJson.ts'
import { forbiddenField, tooLongField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { untilDone } from '../../../meta/waiting/untilDone.ts'
import type { Store } from '../../../registry/store.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import { specOf, type AccessKeySpec } from './accessKeySpec.ts'

/** Maximum size of a key with its metadata in bytes, since every user may create keys. */
const maxKeyBytes = 64 * 1024

export interface AccessKeyBounds {
  names: NamesProfile
  /** Called after the store was created. */
  keys: () => Store
  /** Maximum number of keys of a user or a team, not counting those of logins; 0: unlimited. */
  maxKeys: () => number
}

/**
 * A strategy that limits the size and number of keys. Superusers and the server itself are exempt.
 * Pending keys are not counted yet.
 */
export function withBounds(strategy: Strategy, bounds: AccessKeyBounds): Strategy {
  let made: KeyCounts | undefined
  const counts = () => (made ??= new KeyCounts(bounds.keys()))
  const isBound = ({ isTrusted, user }: RequestContext) =>
    isTrusted !== true &&
    !superuserGroups(bounds.names).some((group) => user.groups.includes(group))
  const errors = (object: ApiObject, old: ApiObject | undefined): FieldError[] => {
    const owner = countedOwner(specOf(object))
    const isSame = old !== undefined && countedOwner(specOf(old)) === owner
    const max = bounds.maxKeys()
    const isMany = owner !== undefined && !isSame && max > 0 && counts().of(owner) >= max
    const why = `the limit of ${max} access keys is reached: delete some`
    return [
      ...(jsonText(object).length > maxKeyBytes ? [tooLongField('', maxKeyBytes)] : []),
      ...(isMany ? [forbiddenField('spec', why)] : []),
    ]
  }
  return {
    ...strategy,
    ready: async (context) => {
      await strategy.ready?.(context)
      if (isBound(context)) await counts().follow()
    },
    validate: (object, context) => [
      ...(isBound(context) ? errors(object, undefined) : []),
      ...(strategy.validate?.(object, context) ?? []),
    ],
    validateUpdate: (next, old, context) => [
      ...(isBound(context) ? errors(next, old) : []),
      ...(strategy.validateUpdate?.(next, old, context) ?? []),
    ],
  }
}

/**
 * Owner whose limit a key counts against; undefined: the key belongs to a login, and expires by
 * itself.
 */
function countedOwner({ user = '', team = '', type = '' }: AccessKeySpec): string | undefined {
  return isTokenType(type) ? undefined : `${user}/${team}`
}

/** Numbers of keys by owner. */
class KeyCounts {
  readonly #store: Store
  readonly #counts = new Map<string, number>()
  readonly #known = untilDone(() => this.#follow())

  constructor(store: Store) {
    this.#store = store
  }

  /** Counts all keys and follows changes. */
  follow(): Promise<void> {
    return this.#known()
  }

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0
  }

  async #follow(): Promise<void> {
    const { cache } = this.#store
    await cache.warm()
    cache.onChange(({ entry, previous }) => {
      if (previous !== undefined) this.#count(previous.object(), -1)
      if (entry !== undefined) this.#count(entry.object(), 1)
    })
    for (const entry of cache.all()) this.#count(entry.object(), 1)
  }

  #count(key: ApiObject, change: 1 | -1): void {
    const owner = countedOwner(specOf(key))
    if (owner === undefined) return
    const count = this.of(owner) + change
    if (count === 0) this.#counts.delete(owner)
    else this.#counts.set(owner, count)
  }
}
