import { followStore } from '../../../authentication/followStore.ts'
import { addTo, removeFrom } from '../../../meta/collections/setsByKey.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { LinkAnnotations } from '../../../apis/management/users/accountLink.ts'
import { loginName } from '../../../apis/management/users/loginName.ts'
import type { PasswordRef } from '../../../apis/management/users/passwordSecret.ts'
import type { Store } from '../../../registry/store.ts'

/** The fields of a User's spec that logins use. */
export interface UserSpec {
  displayName?: string
  username?: string
  email?: string
  icon?: string
  subject?: string
  ssoGroups?: string[]
  passwordRef?: PasswordRef
  disabled?: boolean
  groups?: string[]
  extraClaims?: Readonly<Record<string, string>>
  [field: string]: unknown
}

export interface KnownUser {
  name: string
  spec: UserSpec
  annotations: Readonly<Record<string, string>>
}

/** Users by login name, and the groups that have teams. */
export class UserDirectory {
  readonly #link: LinkAnnotations
  readonly #users = new Map<string, KnownUser>()
  readonly #byUsername = new Map<string, Set<string>>()
  readonly #byEmail = new Map<string, Set<string>>()
  readonly #bySubject = new Map<string, Set<string>>()
  readonly #byIdentity = new Map<string, Set<string>>()
  readonly #groupsOfTeams = new Map<string, readonly string[]>()
  readonly #teamsOfGroups = new Map<string, number>()

  constructor(link: LinkAnnotations) {
    this.#link = link
  }

  async start(users: Store, teams: Store): Promise<void> {
    await followStore(teams, (name, team) => this.#setTeam(name, team))
    await followStore(users, (name, user) => this.#setUser(name, user))
  }

  /**
   * The user for a string entered at the login page: a user name, or an email address that is unique to one account. A
   * name used by several accounts refers to the object of that name, or to none.
   */
  forLogin(text: string): KnownUser | undefined {
    const named = this.#byUsername.get(text)
    if (named !== undefined && named.size > 0) {
      return named.has(text) ? this.#users.get(text) : this.#only(named)
    }
    return this.#only(this.#byEmail.get(loginName(text)))
  }

  byIdentity(identity: string): KnownUser | undefined {
    return this.#only(this.#byIdentity.get(identity))
  }

  byEmail(email: string): KnownUser[] {
    return this.#all(this.#byEmail.get(loginName(email)))
  }

  bySubject(subject: string): KnownUser[] {
    return this.#all(this.#bySubject.get(subject))
  }

  byUsername(username: string): KnownUser[] {
    return this.#all(this.#byUsername.get(username))
  }

  hasTeamFor(group: string): boolean {
    return this.#teamsOfGroups.has(group)
  }

  #only(names: Set<string> | undefined): KnownUser | undefined {
    const [name, other] = names ?? []
    return name === undefined || other !== undefined ? undefined : this.#users.get(name)
  }

  #all(names: Set<string> = new Set()): KnownUser[] {
    return [...names].flatMap((name) => this.#users.get(name) ?? [])
  }

  #setTeam(name: string, team: ApiObject | undefined): void {
    // Sound by the schema of the kind.
    const { groups = [] } = (team?.['spec'] ?? {}) as { groups?: string[] }
    this.#count(this.#groupsOfTeams.get(name) ?? [], -1)
    this.#count(groups, 1)
    if (team === undefined) this.#groupsOfTeams.delete(name)
    else this.#groupsOfTeams.set(name, groups)
  }

  #count(groups: readonly string[], by: 1 | -1): void {
    for (const group of new Set(groups)) {
      const teams = (this.#teamsOfGroups.get(group) ?? 0) + by
      if (teams === 0) this.#teamsOfGroups.delete(group)
      else this.#teamsOfGroups.set(group, teams)
    }
  }

  #setUser(name: string, object: ApiObject | undefined): void {
    const before = this.#users.get(name)
    if (before !== undefined) this.#index(before, removeFrom)
    this.#users.delete(name)
    if (object === undefined) return
    // Sound by the schema of the kind.
    const spec = (object['spec'] ?? {}) as UserSpec
    const user = { name, spec, annotations: object.metadata.annotations ?? {} }
    this.#users.set(name, user)
    this.#index(user, addTo)
  }

  #index({ name, spec, annotations }: KnownUser, change: typeof addTo<string, string>): void {
    const { username = '', email = '', subject = '' } = spec
    const identity = annotations[this.#link.identity] ?? ''
    const entries: [Map<string, Set<string>>, string][] = [
      [this.#byUsername, username === '' ? name : username],
      [this.#byEmail, loginName(email)],
      [this.#bySubject, subject === '' ? name : subject],
      [this.#byIdentity, identity],
    ]
    for (const [index, key] of entries) if (key !== '') change(index, key, name)
  }
}
