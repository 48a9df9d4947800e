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
  /** Started before the authenticator is. */
  identities: Identities
  names: NamesProfile
  clock: Clock
  /** The platform's limits as they are now: another object after a change. Absent: none but the default for logins. */
  limits?: () => AccessKeyLimits
  /** Of whoever runs the server. Absent: nobody's key is special. */
  operator?: OperatorKey
  /** Told of the use of a key, by its name; of many uses of one key once a second. */
  onUse: (keyName: string) => void
}

/** A key with the moment from which it is of no use; Infinity: it has no end. */
export interface KeyExpiry {
  name: string
  uid: string
  expiresAt: number
}

const noLimits: AccessKeyLimits = {}
const tellEveryMs = 1_000

/** Finds who a bearer token stands for, among the stored access keys. Keys are indexed by digest, so a look-up takes
 *  constant time and compares nothing secret. Of several objects with the same key the oldest that is of use counts.
 *  What a key stands for is made once, until the key, its user or a team changes.
 *  Source: specification, "Authentication". */
export class AccessKeyAuthenticator {
  /** Clients of the platform know it by this text. Source: platform facts 1.0, "Error body". */
  readonly refusal: string
  readonly #options: AccessKeyAuthenticatorOptions
  /** Oldest first. */
  readonly #keysByDigest = new Map<string, KnownKey[]>()
  readonly #keys = new Map<string, KnownKey>()
  readonly #revocations = new Revocations()
  #operator: { version: number; info: UserInfo } | undefined

  constructor(options: AccessKeyAuthenticatorOptions) {
    this.#options = options
    this.refusal = `${options.names.platform} access key not found. Please login again`
    options.identities.onChange(({ user }) => this.#identityChanged(user))
  }

  /** Reads every key, and follows their changes from then on. */
  start(): Promise<void> {
    return followStore(this.#options.keys, (name, object) => this.#setKey(name, object))
  }

  /** Who the token stands for; undefined when it is unknown, expired or disabled, or its user is. What is given is
   *  shared by requests, and not to be changed. */
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

  /** Calls `callback` once, when the key that `user` was found by stops being of use (it was disabled, deleted or
   *  replaced, or its user was), or is of another use; at once, where that has happened since. Gives the function that
   *  takes it back. */
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

  /** Whether the key that `user` was found by still stands for the same user with the same groups and scope. */
  isSame(user: UserInfo): boolean {
    const name = user.credential?.accessKey
    if (name === undefined) return true
    const key = this.#keys.get(name)
    const now = key && this.#infoOf(key, this.#options.clock.now())
    return now === user || (now !== undefined && isAlike(now, user))
  }

  /** The time of a key is over: tells who waits for that, unless it was extended since. */
  ended(name: string): void {
    const key = this.#keys.get(name)
    if (key !== undefined && this.#infoOf(key, this.#options.clock.now()) === undefined)
      this.#revocations.run(name)
  }

  /** When each key ends. */
  *expiries(): Iterable<KeyExpiry> {
    for (const key of this.#keys.values()) yield this.#expiryOf(key)
  }

  /** When one key ends; undefined: there is none of that name. */
  expiry(name: string): KeyExpiry | undefined {
    const key = this.#keys.get(name)
    return key && this.#expiryOf(key)
  }

  /** A key that can never be of use again has ended before all time. */
  #expiryOf(key: KnownKey): KeyExpiry {
    const identity = this.#identityOf(key)
    const isOutdated =
      identity === undefined
        ? // Its user or team takes a key along as its owner, which an account cannot be.
          key.isAccount && key.ownerUid !== undefined
        : !isOfGeneration(key, identity)
    return { name: key.name, uid: key.uid, expiresAt: isOutdated ? 0 : this.#endOf(key) }
  }

  #infoOf(key: KnownKey, now: number): UserInfo | undefined {
    if (key.isDisabled || now >= this.#endOf(key)) return undefined
    const { version } = this.#options.identities
    // Nothing has changed about anybody since it was found: the common case, without a look at the user.
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

  /** Made once, until somebody changes. */
  #operatorInfo(): UserInfo | undefined {
    const { operator, identities, names } = this.#options
    if (operator !== undefined && this.#operator?.version !== identities.version) {
      const info = operatorInfo(operator, identities.user(operator.user), names)
      this.#operator = { version: identities.version, info }
    }
    return this.#operator?.info
  }

  /** It is looked up anew where limits are others, or where use extends it. */
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
    // A user of the same name that was made later is another one.
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

  /** Whether whom the one let in the other lets in too, to the same. */
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
