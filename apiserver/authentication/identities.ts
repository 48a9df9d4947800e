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
  /** Absent: teams are not served, and any team is taken to exist. */
  teams?: Store
  /** Absent: service accounts are not served, and any is taken to exist. */
  serviceAccounts?: Store
}

export interface IdentityChange {
  /** Undefined: any of them, a team changed; or a service account did. */
  user: string | undefined
  /** Tokens that were of use before may be of none now. */
  endsTokens: boolean
}

/** Told after each change. */
export type IdentityListener = (change: IdentityChange) => void

/** Users, teams and service accounts as identities: made when they are first asked for, kept until they change.
 *  Source: platform facts 4, rule 6. */
export class Identities {
  readonly #options: IdentitiesOptions
  readonly #users = new Map<string, { uid: string; spec: UserIdentitySpec }>()
  readonly #teams = new TeamMemberships()
  readonly #madeUsers = new Map<string, Identity>()
  readonly #madeTeams = new Map<string, Identity>()
  /** By user name; undefined: there is none. Nobody looks at the others: every namespace has accounts. */
  readonly #madeAccounts = new Map<string, Identity | undefined>()
  readonly #listeners = new Set<IdentityListener>()
  #version = 0

  constructor(options: IdentitiesOptions) {
    this.#options = options
  }

  /** Reads every user and team, and follows their changes from then on, and those of service accounts. */
  async start(): Promise<void> {
    const { users, teams, serviceAccounts } = this.#options
    if (serviceAccounts !== undefined) await this.#followAccounts(serviceAccounts)
    if (teams !== undefined) await followStore(teams, (name, team) => this.#setTeam(name, team))
    await followStore(users, (name, user) => this.#setUser(name, user))
  }

  /** Goes up with every change. */
  get version(): number {
    return this.#version
  }

  /** Calls `listener` after each change. */
  onChange(listener: IdentityListener): void {
    this.#listeners.add(listener)
  }

  /** By the name of the User object; undefined: there is none. */
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

  /** By the name of the Team object; undefined: there is none. A team has a name that no user has. */
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

  /** Names of the teams that name a user, or one of these groups; the user need not exist. */
  teamsWith(user: string, groups: readonly string[]): string[] {
    return this.#teams.teamsOf(user, groups)
  }

  /** By the user name of a service account; undefined: there is none, or it is being deleted. */
  account(user: string): Identity | undefined {
    if (!this.#madeAccounts.has(user)) this.#madeAccounts.set(user, this.#newAccount(user))
    return this.#madeAccounts.get(user)
  }

  /** Of a subject that is none of these. */
  subject(name: string, uid: string): Identity {
    return subjectIdentity(name, uid, this.#options.names)
  }

  #setUser(name: string, stored: ApiObject | undefined): void {
    const object = unlessDeleted(stored)
    const before = this.#users.get(name)
    // The schema of the kind says what its spec holds.
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
    // Whoever has one of its groups may be in it now, or no longer.
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

/** Who is being deleted comes in no more, whatever holds the deletion up. */
function unlessDeleted(object: ApiObject | undefined): ApiObject | undefined {
  return object?.metadata.deletionTimestamp === undefined ? object : undefined
}
