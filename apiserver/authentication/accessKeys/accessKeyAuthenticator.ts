import type { Clock } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import { accessKeyDigest } from './accessKeyForm.ts'
import { expiresAt, type AccessKeyLimits } from './accessKeyLifetime.ts'
import { followStore } from '../followStore.ts'
import type { Identities } from '../identities.ts'
import type { Identity } from '../identity.ts'
import { byAge, isSameKey, knownKey, userInfo, type KnownKey } from './knownKey.ts'
import { operatorInfo, type OperatorKey } from './operatorKey.ts'
import { Revocations } from '../revocations.ts'

export interface AccessKeyAuthenticatorOptions {
  keys: Store
  /** Identities, which must be started before the authenticator. */
  identities: Identities
  names: NamesProfile
  clock: Clock
  /** The platform's current limits: a new object after each change. Absent: only the default for logins. */
  limits?: () => AccessKeyLimits
  /** The operator's key. Absent: there is no such key. */
  operator?: OperatorKey
  /** Called with the name of a key that was used, at most once a second per key. */
  onUse: (keyName: string) => void
}

/** A key and the time at which it expires, in milliseconds; Infinity: never. */
export interface KeyExpiry {
  name: string
  uid: string
  expiresAt: number
}

const noLimits: AccessKeyLimits = {}
const tellEveryMs = 1_000

/**
 * Authenticates bearer tokens that are stored access keys. Keys are indexed by digest, so a look-up
 * takes constant time and compares no secrets. If several objects have the same key, the oldest
 * valid one is used. The user of a key is cached until the key, its user or a team changes.
 * Source: specification, "Authentication".
 */
export class AccessKeyAuthenticator {
  /** The platform's clients recognize this message. Source: platform facts 1.0, "Error body". */
  readonly refusal: string
  readonly #options: AccessKeyAuthenticatorOptions
  /** Keys by digest, oldest first. */
  readonly #keysByDigest = new Map<string, KnownKey[]>()
  readonly #keys = new Map<string, KnownKey>()
  readonly #revocations = new Revocations()
  #operator: { version: number; info: UserInfo } | undefined

  constructor(options: AccessKeyAuthenticatorOptions) {
    this.#options = options
    this.refusal = `${options.names.platform} access key not found. Please login again`
    options.identities.onChange(({ user }) => this.#identityChanged(user))
  }

  /** Reads all keys and follows changes. */
  start(): Promise<void> {
    return followStore(this.#options.keys, (name, object) => this.#setKey(name, object))
  }

  /**
   * The user of the token, or undefined if the key is unknown, expired or disabled, or its user is
   * disabled or missing. The result is shared by requests and must not be modified.
   */
  authenticate(token: string): UserInfo | undefined {
    const now = this.#options.clock.now()
    const digest = accessKeyDigest(token)
    for (const key of this.#keysByDigest.get(digest) ?? []) {
      const info = this.#infoOf(key, now)
      if (info === undefined) continue
      key.lastActivityAt = now
      if (now - key.toldAt >= tellEveryMs) {
        key.toldAt = now
        this.#options.onUse(key.name)
      }
      return info
    }
    return this.#isGivenToOperator(digest) ? this.#operatorInfo() : undefined
  }

  /**
   * Calls `callback` once when the key of `user` becomes invalid (the key or its user was disabled,
   * deleted or replaced) or its rights change; immediately if that has already happened. Returns a
   * function that unsubscribes.
   */
  onRevoked({ credential }: UserInfo, callback: () => void): () => void {
    const name = credential?.accessKey
    if (name === undefined) return () => undefined
    const key = this.#keys.get(name)
    const isOfUse = key !== undefined && this.#infoOf(key, this.#options.clock.now()) !== undefined
    const { operator } = this.#options
    if (isOfUse || (operator?.isGiven === true && operator.name === name))
      return this.#revocations.add(name, callback)
    callback()
    return () => undefined
  }

  /** Reports whether the user comes from the operator's key. */
  isOperator(user: UserInfo): boolean {
    return user === this.#operator?.info
  }

  /**
   * Fixed expiry of the operator's key, in milliseconds; Infinity: the key does not expire, or each
   * use extends it.
   */
  operatorEndsAt(): number {
    const { operator } = this.#options
    const key = operator && this.#keys.get(operator.name)
    if (key === undefined || operator?.isGiven === true || key.ttlAfterLastActivity) return Infinity
    return this.#endOf(key)
  }

  /**
   * Reports whether the key of `user` still authenticates the same user, with the same groups and
   * scope.
   */
  isSame(user: UserInfo): boolean {
    const name = user.credential?.accessKey
    if (name === undefined) return true
    const key = this.#keys.get(name)
    const now = key && this.#infoOf(key, this.#options.clock.now())
    return now === user || (now !== undefined && isAlike(now, user))
  }

  /**
   * Handles the expiry of a key: notifies its listeners, unless the key was extended in the
   * meantime.
   */
  ended(name: string): void {
    const key = this.#keys.get(name)
    if (key !== undefined && this.#infoOf(key, this.#options.clock.now()) === undefined)
      this.#revocations.run(name)
  }

  /** The expiry of each key. */
  *expiries(): Iterable<KeyExpiry> {
    for (const key of this.#keys.values()) yield this.#expiryOf(key)
  }

  /** The expiry of a key; undefined: no key has that name. */
  expiry(name: string): KeyExpiry | undefined {
    const key = this.#keys.get(name)
    return key && this.#expiryOf(key)
  }

  /** The expiry of a key; 0 if the key can never become valid again. */
  #expiryOf(key: KnownKey): KeyExpiry {
    const identity = this.#identityOf(key)
    const isOutdated =
      identity === undefined
        ? // Deleting a user or team deletes the keys it owns; service accounts own none.
          key.isAccount && key.ownerUid !== undefined
        : !isOfGeneration(key, identity)
    return { name: key.name, uid: key.uid, expiresAt: isOutdated ? 0 : this.#endOf(key) }
  }

  #infoOf(key: KnownKey, now: number): UserInfo | undefined {
    if (key.isDisabled || now >= this.#endOf(key)) return undefined
    const { version } = this.#options.identities
    // Common case, which needs no look-up: no identity has changed since.
    if (key.infoAt === version) return key.info
    key.infoAt = version
    key.info = this.#newInfo(key)
    return key.info
  }

  #newInfo(key: KnownKey): UserInfo | undefined {
    if (this.#isOperators(key)) return this.#operatorInfo()
    const identity = this.#identityOf(key)
    if (identity === undefined || identity.isDisabled || !isOfGeneration(key, identity))
      return undefined
    if (key.identity === identity && key.info !== undefined) return key.info
    key.identity = identity
    return userInfo(key, identity)
  }

  #isOperators({ name, digest }: KnownKey): boolean {
    const { operator } = this.#options
    return operator?.name === name && operator.digest === digest
  }

  #isGivenToOperator(digest: string): boolean {
    const { operator } = this.#options
    return operator?.isGiven === true && operator.digest === digest
  }

  /** The operator's user, cached until an identity changes. */
  #operatorInfo(): UserInfo | undefined {
    const { operator, identities, names } = this.#options
    if (operator !== undefined && this.#operator?.version !== identities.version) {
      const info = operatorInfo(operator, identities.user(operator.user), names)
      this.#operator = { version: identities.version, info }
    }
    return this.#operator?.info
  }

  /** Expiry of a key, recomputed if the limits changed or if use extends the key. */
  #endOf(key: KnownKey): number {
    const limits = this.#limitsOf(key)
    if (key.ttlAfterLastActivity) return expiresAt(key, limits)
    if (key.endUnder !== limits) {
      key.endUnder = limits
      key.end = expiresAt(key, limits)
    }
    return key.end
  }

  #limitsOf(key: KnownKey): AccessKeyLimits {
    return this.#isOperators(key) ? noLimits : (this.#options.limits?.() ?? noLimits)
  }

  #identityOf(key: KnownKey): Identity | undefined {
    const identity = this.#holderOf(key)
    // A user created later with the same name is a different one.
    const isOther = key.ownerUid !== undefined && identity?.uid !== key.ownerUid
    return isOther ? undefined : identity
  }

  #holderOf({ user, team, subject, isAccount, identity, uid }: KnownKey): Identity | undefined {
    const { identities } = this.#options
    if (user !== undefined) return identities.user(user)
    if (team !== undefined) return identities.team(team)
    if (subject === undefined) return undefined
    return isAccount ? identities.account(subject) : (identity ?? identities.subject(subject, uid))
  }

  #setKey(name: string, object: ApiObject | undefined): void {
    const previous = this.#keys.get(name)
    if (previous !== undefined) this.#forget(previous)
    const known = object && knownKey(name, object, this.#options.names)
    if (known !== undefined) this.#remember(known, previous)
    if (previous !== undefined && !this.#replaces(previous, known)) this.#revocations.run(name)
  }

  #remember(known: KnownKey, previous: KnownKey | undefined): void {
    if (previous?.uid === known.uid && previous.digest === known.digest) {
      known.lastActivityAt = Math.max(known.lastActivityAt, previous.lastActivityAt)
    }
    this.#keys.set(known.name, known)
    const same = [...(this.#keysByDigest.get(known.digest) ?? []), known]
    this.#keysByDigest.set(known.digest, same.sort(byAge))
  }

  /** Reports whether `next` authenticates the same users with the same rights as `previous`. */
  #replaces(previous: KnownKey, next: KnownKey | undefined): boolean {
    if (next === undefined || !isSameKey(previous, next)) return false
    return this.#infoOf(next, this.#options.clock.now()) !== undefined
  }

  #forget(key: KnownKey): void {
    this.#keys.delete(key.name)
    const others = (this.#keysByDigest.get(key.digest) ?? []).filter((other) => other !== key)
    if (others.length === 0) this.#keysByDigest.delete(key.digest)
    else this.#keysByDigest.set(key.digest, others)
  }

  #identityChanged(user: string | undefined): void {
    const now = this.#options.clock.now()
    for (const name of this.#revocations.names()) {
      const key = this.#keys.get(name)
      if (key === undefined || (user !== undefined && key.user !== user)) continue
      if (this.#infoOf(key, now) === undefined) this.#revocations.run(name)
    }
  }
}

function isAlike(one: UserInfo, other: UserInfo): boolean {
  const hasGroups = one.groups.length === other.groups.length
  return (
    one.name === other.name &&
    isSameScope(one.credential?.scope, other.credential?.scope) &&
    hasGroups &&
    one.groups.every((group, index) => other.groups[index] === group)
  )
}

function isSameScope(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function isOfGeneration(key: KnownKey, identity: Identity): boolean {
  return key.tokenGeneration === undefined || key.tokenGeneration === identity.tokenGeneration
}
