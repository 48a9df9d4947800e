import { createHash } from 'node:crypto'
import type { Clock } from '../meta/clock.ts'
import type { ApiObject, UserInfo } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'

export interface AccessKeyAuthenticatorOptions {
  keys: Store
  users: Store
  clock: Clock
  /** Told of every use of a key: its name. */
  onUse: (keyName: string) => void
}

interface KnownKey {
  name: string
  uid: string
  user: string | undefined
  team: string | undefined
  subject: string | undefined
  groups: readonly string[]
  disabled: boolean
  /** Milliseconds since the epoch; undefined: never. */
  expiresAt: number | undefined
}

interface KnownUser {
  name: string
  uid: string
  groups: readonly string[]
  disabled: boolean
}

/** Finds who a bearer token stands for, among the stored access keys. Keys are indexed by digest, so a look-up takes
 *  constant time and compares nothing secret. Source: specification, "Authentication". */
export class AccessKeyAuthenticator {
  readonly #options: AccessKeyAuthenticatorOptions
  readonly #keysByDigest = new Map<string, KnownKey>()
  readonly #digestByKeyName = new Map<string, string>()
  readonly #users = new Map<string, KnownUser>()

  constructor(options: AccessKeyAuthenticatorOptions) {
    this.#options = options
  }

  /** Reads every key and user, and follows their changes from then on. */
  async start(): Promise<void> {
    await this.#follow(this.#options.keys, (name, object) => this.#setKey(name, object))
    await this.#follow(this.#options.users, (name, object) => this.#setUser(name, object))
  }

  /** Who the token stands for; undefined when it is unknown, expired or disabled, or its user is. */
  authenticate(token: string): UserInfo | undefined {
    const key = this.#keysByDigest.get(`sha256:${createHash('sha256').update(token).digest('hex')}`)
    if (key === undefined || key.disabled) return undefined
    if (key.expiresAt !== undefined && this.#options.clock.now() >= key.expiresAt) return undefined
    const user = key.user === undefined ? subjectOf(key) : this.#users.get(key.user)
    if (user === undefined || user.disabled) return undefined
    this.#options.onUse(key.name)
    return {
      name: user.name,
      uid: user.uid,
      groups: [...new Set([...user.groups, ...key.groups, 'system:authenticated'])],
      extra: {},
    }
  }

  async #follow(
    store: Store,
    set: (name: string, object: ApiObject | undefined) => void,
  ): Promise<void> {
    await store.cache.warm()
    store.cache.onChange(({ key, entry }) =>
      set(key.slice(store.keyPrefix.length), entry?.object()),
    )
    for (const entry of store.cache.all())
      set(entry.key.slice(store.keyPrefix.length), entry.object())
  }

  #setKey(name: string, object: ApiObject | undefined): void {
    const previous = this.#digestByKeyName.get(name)
    if (previous !== undefined && this.#keysByDigest.get(previous)?.name === name) {
      this.#keysByDigest.delete(previous)
    }
    this.#digestByKeyName.delete(name)
    // The schema of the kind says what its spec holds.
    const spec = object?.['spec'] as KeySpec | undefined
    if (object === undefined || spec?.key === undefined) return
    this.#digestByKeyName.set(name, spec.key)
    this.#keysByDigest.set(spec.key, knownKey(name, object, spec))
  }

  #setUser(name: string, object: ApiObject | undefined): void {
    if (object === undefined) {
      this.#users.delete(name)
      return
    }
    // The schema of the kind says what its spec holds.
    const spec = object['spec'] as UserSpec
    this.#users.set(name, {
      name: spec.subject ?? name,
      uid: object.metadata.uid ?? '',
      groups: spec.groups ?? [],
      disabled: spec.disabled === true,
    })
  }
}

interface KeySpec {
  key?: string
  user?: string
  team?: string
  subject?: string
  groups?: string[]
  disabled?: boolean
  ttl?: number
  ttlAfterLastActivity?: boolean
}

interface UserSpec {
  subject?: string
  groups?: string[]
  disabled?: boolean
}

function knownKey(name: string, object: ApiObject, spec: KeySpec): KnownKey {
  return {
    name,
    uid: object.metadata.uid ?? '',
    user: spec.user,
    team: spec.team,
    subject: spec.subject,
    groups: spec.groups ?? [],
    disabled: spec.disabled === true,
    expiresAt: expiryOf(object, spec),
  }
}

/** A key of a team or a subject speaks for itself. */
function subjectOf({ subject, team, uid }: KnownKey): KnownUser | undefined {
  const name = subject ?? team
  return name === undefined ? undefined : { name, uid, groups: [], disabled: false }
}

function expiryOf(object: ApiObject, { ttl, ttlAfterLastActivity }: KeySpec): number | undefined {
  if (ttl === undefined || ttl === 0) return undefined
  // The schema of the kind says what its status holds.
  const status = object['status'] as { lastActivity?: string } | undefined
  const lastActivity = ttlAfterLastActivity === true ? status?.lastActivity : undefined
  return Date.parse(lastActivity ?? object.metadata.creationTimestamp ?? '') + ttl * 1000
}
