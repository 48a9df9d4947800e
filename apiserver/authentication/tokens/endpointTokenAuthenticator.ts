import { hash } from 'node:crypto'
import type { Clock } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import { endpointTokenHolder, holderKinds, type EndpointTokenHolder } from './endpointToken.ts'
import { HolderRevocations, type ChangingIdentities } from '../holderRevocations.ts'
import type { Identity } from '../identity.ts'
import { looksLikeJwt, verifiedClaims } from './jwt.ts'
import type { JwtKeys } from './jwtKeys.ts'

/** Part of an identity that tokens depend on. */
export type TokenIdentity = Pick<
  Identity,
  'name' | 'uid' | 'groups' | 'isDisabled' | 'tokenGeneration'
>

/** Finds users and teams by the names of their objects; undefined: not found. */
export interface TokenIdentities extends ChangingIdentities {
  user(name: string): TokenIdentity | undefined
  team(name: string): TokenIdentity | undefined
}

export interface EndpointTokenAuthenticatorOptions {
  keys: JwtKeys
  identities: TokenIdentities
  names: NamesProfile
  clock: Clock
  /** The groups of an administrator without a User object. */
  adminGroups: readonly string[]
}

interface Verified {
  holder: EndpointTokenHolder
  /** Expiry in milliseconds since the epoch. */
  expiresAt: number
}

const maxRemembered = 10_000

/**
 * Authenticates tokens for direct cluster endpoints. Signatures are slow to verify, so verified
 * tokens are cached by digest until they expire; the holder is checked for every request.
 * Source: specification, "Authentication" 5 and 6; platform facts 1.5.
 */
export class EndpointTokenAuthenticator {
  readonly #options: EndpointTokenAuthenticatorOptions
  /** Verified tokens, oldest first. */
  readonly #verified = new Map<string, Verified>()
  readonly #holders = new WeakMap<UserInfo, EndpointTokenHolder>()
  readonly #revocations: HolderRevocations

  constructor(options: EndpointTokenAuthenticatorOptions) {
    this.#options = options
    this.#revocations = new HolderRevocations(options.identities)
  }

  /**
   * The user of a token. Undefined: not such a token, the token has expired, or its holder is
   * deleted, disabled or has another token generation.
   */
  async authenticate(token: string): Promise<UserInfo | undefined> {
    if (!looksLikeJwt(token)) return undefined
    const digest = hash('sha256', token)
    const verified = this.#verified.get(digest) ?? (await this.#verify(token, digest))
    if (verified === undefined) return undefined
    if (this.#options.clock.now() >= verified.expiresAt) {
      this.#verified.delete(digest)
      return undefined
    }
    const user = this.#userOf(verified.holder)
    if (user !== undefined) this.#holders.set(user, verified.holder)
    return user
  }

  /**
   * Calls `callback` once when the token of `user` becomes invalid because of its holder; immediately if that has
   * already happened. Returns a function that unsubscribes.
   */
  onRevoked(user: UserInfo, callback: () => void): () => void {
    const holder = this.#holders.get(user)
    if (holder === undefined) return () => undefined
    const isTaken = () => this.#userOf(holder) !== undefined
    return this.#revocations.add(user.credential?.user, { isTaken, callback })
  }

  async #verify(token: string, digest: string): Promise<Verified | undefined> {
    const { keys, names } = this.#options
    const claims = await verifiedClaims(token, keys)
    const holder = claims && endpointTokenHolder(claims, names)
    if (claims === undefined || holder === undefined) return undefined
    const verified = { holder, expiresAt: claims.exp * 1000 }
    this.#remember(digest, verified)
    return verified
  }

  #remember(digest: string, verified: Verified): void {
    for (const oldest of this.#verified.keys()) {
      if (this.#verified.size < maxRemembered) break
      this.#verified.delete(oldest)
    }
    this.#verified.set(digest, verified)
  }

  #userOf(holder: EndpointTokenHolder): UserInfo | undefined {
    const { names, identities, adminGroups } = this.#options
    const { user, team, admin } = holderKinds(names)
    const scope = holder.scope === undefined ? {} : { scope: holder.scope }
    if (holder.kind === admin) {
      const { name, uid } = holder
      return { name, uid, groups: [...adminGroups], extra: {}, credential: scope }
    }
    if (holder.kind !== user && holder.kind !== team) return undefined
    const found = holder.kind === user ? identities.user(holder.name) : identities.team(holder.name)
    if (found === undefined || found.isDisabled) return undefined
    if (found.uid !== holder.uid || found.tokenGeneration !== holder.gen) return undefined
    const named = holder.kind === user ? { user: holder.name } : { team: holder.name }
    const { name, uid, groups } = found
    return { name, uid, groups: [...groups], extra: {}, credential: { ...named, ...scope } }
  }
}
