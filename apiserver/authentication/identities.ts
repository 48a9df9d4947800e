import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { followStore } from './followStore.ts'
import {
  givenGroups,
  subjectIdentity,
  teamIdentity,
  userIdentity,
  type Identity,
  type UserIdentitySpec,
} from './identity.ts'
import { serviceAccountName, serviceAccountNamed } from './tokens/serviceAccountClaims.ts'
import { TeamMemberships } from './teamMemberships.ts'

export interface IdentitiesOptions {
  names: NamesProfile
  users: Store
  /** Absent: teams are not served, and every team is assumed to exist. */
  teams?: Store
  /** Absent: service accounts are not served, and every account is assumed to exist. */
  serviceAccounts?: Store
}

export interface IdentityChange {
  /** Changed user; undefined: a service account changed, or a team, which may affect any user. */
  user: string | undefined
  /** True if the change may have invalidated tokens. */
  endsTokens: boolean
}

/** Called after each change. */
export type IdentityListener = (change: IdentityChange) => void

/**
 * Users, teams and service accounts as identities, which are computed on first use and cached until
 * they change.
 * Source: platform facts 4, rule 6.
 */
export class Identities {
  readonly #options: IdentitiesOptions
  readonly #users = new Map<string, { uid: string; spec: UserIdentitySpec }>()
  readonly #teams = new TeamMemberships()
  readonly #madeUsers = new Map<string, Identity>()
  readonly #madeTeams = new Map<string, Identity>()
  /**
   * Service accounts by user name; undefined: there is none. Only requested accounts are cached,
   * since every namespace has accounts.
   */
  readonly #madeAccounts = new Map<string, Identity | undefined>()
  readonly #listeners = new Set<IdentityListener>()
  #version = 0

  constructor(options: IdentitiesOptions) {
    this.#options = options
  }

  /** Reads all users and teams, and follows changes of users, teams and service accounts. */
  async start(): Promise<void> {
    const { users, teams, serviceAccounts } = this.#options
    if (serviceAccounts !== undefined) await this.#followAccounts(serviceAccounts)
    if (teams !== undefined) await followStore(teams, (name, team) => this.#setTeam(name, team))
    await followStore(users, (name, user) => this.#setUser(name, user))
  }

  /** Incremented by every change. */
  get version(): number {
    return this.#version
  }

  /** Calls `listener` after each change. */
  onChange(listener: IdentityListener): void {
    this.#listeners.add(listener)
  }

  /** The identity of a User object; undefined: it does not exist. */
  user(name: string): Identity | undefined {
    let identity = this.#madeUsers.get(name)
    if (identity === undefined) {
      const known = this.#users.get(name)
      if (known === undefined) return undefined
      const teams = this.#teams.teamsOf(name, givenGroups(known.spec, this.#options.names))
      identity = userIdentity({ name, teams, ...known }, this.#options.names)
      this.#madeUsers.set(name, identity)
    }
    return identity
  }

  /**
   * The identity of a Team object; undefined: it does not exist. A team's user name differs from those of all users.
   */
  team(name: string): Identity | undefined {
    let identity = this.#madeTeams.get(name)
    if (identity === undefined) {
      const uid = this.#options.teams === undefined ? '' : this.#teams.uidOf(name)
      if (uid === undefined) return undefined
      identity = teamIdentity(name, uid, this.#options.names)
      this.#madeTeams.set(name, identity)
    }
    return identity
  }

  /**
   * Names of the teams that have the user or one of the groups as a member; the user need not
   * exist.
   */
  teamsWith(user: string, groups: readonly string[]): string[] {
    return this.#teams.teamsOf(user, groups)
  }

  /** The identity of a service account by its user name; undefined: it does not exist, or is being deleted. */
  account(user: string): Identity | undefined {
    if (!this.#madeAccounts.has(user)) this.#madeAccounts.set(user, this.#newAccount(user))
    return this.#madeAccounts.get(user)
  }

  /** Identity of a subject other than a user, team or service account. */
  subject(name: string, uid: string): Identity {
    return subjectIdentity(name, uid, this.#options.names)
  }

  #setUser(name: string, stored: ApiObject | undefined): void {
    const object = unlessDeleted(stored)
    const before = this.#users.get(name)
    // Guaranteed by the schema of the kind.
    const spec = (object?.['spec'] ?? {}) as UserIdentitySpec
    this.#madeUsers.delete(name)
    if (object === undefined) this.#users.delete(name)
    else this.#users.set(name, { uid: object.metadata.uid ?? '', spec })
    const endsTokens =
      before !== undefined && (before.spec.tokenGeneration ?? 0) !== (spec.tokenGeneration ?? 0)
    this.#tell({ user: name, endsTokens })
  }

  #setTeam(name: string, object: ApiObject | undefined): void {
    this.#teams.set(name, unlessDeleted(object))
    this.#madeTeams.delete(name)
    // Any user with one of the team's groups may have joined or left the team.
    this.#madeUsers.clear()
    this.#tell({ user: undefined, endsTokens: false })
  }

  async #followAccounts({ cache, keyPrefix }: Store): Promise<void> {
    await cache.warm()
    cache.onChange(({ key }) => {
      const [namespace = '', name = ''] = key.slice(keyPrefix.length).split('/')
      if (!this.#madeAccounts.delete(serviceAccountName(namespace, name))) return
      this.#tell({ user: undefined, endsTokens: true })
    })
  }

  #newAccount(user: string): Identity | undefined {
    const { serviceAccounts, names } = this.#options
    const account = serviceAccountNamed(user)
    if (serviceAccounts === undefined || account === undefined) return this.subject(user, '')
    const entry = serviceAccounts.cache.get(serviceAccounts.keyOf(account))
    const { metadata } = entry?.object() ?? {}
    if (metadata === undefined || metadata.deletionTimestamp !== undefined) return undefined
    return subjectIdentity(user, metadata.uid ?? '', names)
  }

  #tell(change: IdentityChange): void {
    this.#version++
    for (const listener of this.#listeners) listener(change)
  }
}

/**
 * The object, or undefined if it is being deleted, so that it is refused even if finalizers delay
 * the deletion.
 */
function unlessDeleted(object: ApiObject | undefined): ApiObject | undefined {
  return object?.metadata.deletionTimestamp === undefined ? object : undefined
}
