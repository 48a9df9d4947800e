import type { Clock } from '../meta/clock.ts'
import type { ApiObject, UserInfo } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { accessKeyDigest } from './accessKeyForm.ts'

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
  digest: string
  user: string | undefined
  team: string | undefined
  subject: string | undefined
  groups: readonly string[]
  disabled: boolean
  /** Milliseconds; 0: no limit. */
  ttlMs: number
  ttlAfterLastActivity: boolean
  /** Milliseconds since the epoch, as all moments here. */
  createdAt: number
  /** As it is stored, or as it was seen here: activity is stored only now and then. */
  lastActivityAt: number
}

interface KnownUser {
  name: string
  uid: string
  groups: readonly string[]
  disabled: boolean
}

/** Finds who a bearer token stands for, among the stored access keys. Keys are indexed by digest, so a look-up takes
 *  constant time and compares nothing secret. Of several objects with the same key the oldest that is of use counts.
 *  Source: specification, "Authentication". */
export class AccessKeyAuthenticator {
  readonly #options: AccessKeyAuthenticatorOptions
  /** Oldest first. */
  readonly #keysByDigest = new Map<string, KnownKey[]>()
  readonly #keys = new Map<string, KnownKey>()
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
    const digest = accessKeyDigest(token)
    for (const key of this.#keysByDigest.get(digest) ?? []) {
      const user = this.#userOf(key)
      if (user === undefined) continue
      key.lastActivityAt = this.#options.clock.now()
      this.#options.onUse(key.name)
      return {
        name: user.name,
        uid: user.uid,
        groups: [...new Set([...user.groups, ...key.groups, 'system:authenticated'])],
        extra: {},
      }
    }
    return undefined
  }

  /** Whom the key stands for now. */
  #userOf(key: KnownKey): KnownUser | undefined {
    if (key.disabled || isExpired(key, this.#options.clock.now())) return undefined
    const user = key.user === undefined ? subjectOf(key) : this.#users.get(key.user)
    return user?.disabled === true ? undefined : user
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
    const previous = this.#keys.get(name)
    if (previous !== undefined) this.#forget(previous)
    // The schema of the kind says what its spec holds.
    const spec = object?.['spec'] as KeySpec | undefined
    if (object === undefined || spec?.key === undefined) return
    const known = knownKey(name, object, spec)
    if (previous?.uid === known.uid && previous.digest === known.digest) {
      known.lastActivityAt = Math.max(known.lastActivityAt, previous.lastActivityAt)
    }
    this.#keys.set(name, known)
    const same = [...(this.#keysByDigest.get(known.digest) ?? []), known]
    this.#keysByDigest.set(known.digest, same.sort(byAge))
  }

  #forget(key: KnownKey): void {
    this.#keys.delete(key.name)
    const others = (this.#keysByDigest.get(key.digest) ?? []).filter((other) => other !== key)
    if (others.length === 0) this.#keysByDigest.delete(key.digest)
    else this.#keysByDigest.set(key.digest, others)
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
  // The schema of the kind says what its status holds.
  const status = object['status'] as { lastActivity?: string } | undefined
  const { uid = '', creationTimestamp = '' } = object.metadata
  const createdAt = Date.parse(creationTimestamp)
  return {
    name,
    uid,
    digest: spec.key ?? '',
    user: spec.user,
    team: spec.team,
    subject: spec.subject,
    groups: spec.groups ?? [],
    disabled: spec.disabled === true,
    ttlMs: (spec.ttl ?? 0) * 1000,
    ttlAfterLastActivity: spec.ttlAfterLastActivity === true,
    createdAt,
    lastActivityAt:
      status?.lastActivity === undefined ? createdAt : Date.parse(status.lastActivity),
  }
}

function byAge(a: KnownKey, b: KnownKey): number {
  return a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1)
}

function isExpired(key: KnownKey, now: number): boolean {
  if (key.ttlMs === 0) return false
  return now >= (key.ttlAfterLastActivity ? key.lastActivityAt : key.createdAt) + key.ttlMs
}

/** A key of a team or a subject speaks for itself. */
function subjectOf({ subject, team, uid }: KnownKey): KnownUser | undefined {
  const name = subject ?? team
  return name === undefined ? undefined : { name, uid, groups: [], disabled: false }
}
