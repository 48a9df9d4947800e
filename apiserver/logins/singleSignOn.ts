import { managementResource } from '../apis/management/managementKind.ts'
import { StatusError } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import { systemContext } from '../registry/systemContext.ts'
import type { ExternalIdentity } from './externalIdentity.ts'
import { forbiddenLogin } from './loginRefusals.ts'
import type { LoginServices } from './loginServices.ts'
import { nameLike, otherNameLike, shortHash } from './objectNames.ts'
import { keptGroups } from './ssoGroups.ts'
import { SsoTeams } from './ssoTeams.ts'
import {
  linkAnnotations,
  type KnownUser,
  type UserDirectory,
  type UserSpec,
} from './userDirectory.ts'

interface SsoSettings {
  disableTeamCreation?: boolean
  disableUserCreation?: boolean
  groupsFilters?: readonly string[]
}

/** Turns whom a provider names into a User, made at the first login, with the groups of this login and their teams. An
 *  account is linked to one user of one connector; nothing else that providers say, no name and no email address, leads
 *  into an account that is there. Source: specification, "status.auth". */
export class SingleSignOn {
  readonly #services: LoginServices
  readonly #directory: UserDirectory
  readonly #teams: SsoTeams

  constructor(services: LoginServices, directory: UserDirectory) {
    this.#services = services
    this.#directory = directory
    this.#teams = new SsoTeams(services, directory)
  }

  /** The name of the User. `identity` is given back with the groups that are kept.
   *  @throws StatusError Forbidden. */
  async logIn(identity: ExternalIdentity): Promise<{ user: string; identity: ExternalIdentity }> {
    const kept = { ...identity, groups: this.#keptGroups(identity) }
    const known = this.#known(kept)
    if (known?.spec.disabled === true) throw forbiddenLogin('the account is disabled')
    if (known === undefined && this.#rules().disableUserCreation === true) {
      throw forbiddenLogin('there is no account for this user, and none is made at a login')
    }
    const user = known === undefined ? await this.#create(kept) : await this.#refresh(known, kept)
    await this.#ensureTeams(kept.groups)
    return { user, identity: kept }
  }

  /** Brings the User of a login up to date. `identity` is given back with the groups that are kept.
   *  @throws StatusError Forbidden where the account is gone, or is another's. */
  async renew(user: string, identity: ExternalIdentity): Promise<ExternalIdentity> {
    const kept = { ...identity, groups: this.#keptGroups(identity) }
    const known = this.#directory.byIdentity(linkOf(kept))
    if (known?.name !== user) throw forbiddenLogin('the account is not linked to this login')
    await this.#refresh(known, kept)
    await this.#ensureTeams(kept.groups)
    return kept
  }

  #keptGroups({ groups }: ExternalIdentity): string[] {
    return keptGroups(groups, this.#rules().groupsFilters ?? [], this.#services.names)
  }

  async #ensureTeams(groups: readonly string[]): Promise<void> {
    if (this.#rules().disableTeamCreation !== true) await this.#teams.ensure(groups)
  }

  #rules(): SsoSettings {
    // The schema of the configuration says so.
    return this.#services.settings().auth
  }

  #known(identity: ExternalIdentity): KnownUser | undefined {
    const link = linkOf(identity)
    return this.#directory.byIdentity(link) ?? this.#invited(identity)
  }

  /** An account that an administrator made ready for a user of this connector. */
  #invited({ connector, email, emailVerified, subject }: ExternalIdentity): KnownUser | undefined {
    const { identity, invitation } = this.#annotations()
    const isOpen = ({ annotations }: KnownUser) =>
      annotations[invitation] === connector && (annotations[identity] ?? '') === ''
    const named = this.#directory.bySubject(subject).filter(isOpen)
    const mailed = emailVerified && email !== undefined ? this.#directory.byEmail(email) : []
    const [user, other] = new Set([...named, ...mailed.filter(isOpen)])
    return other === undefined ? user : undefined
  }

  #annotations() {
    return linkAnnotations(this.#services.names.domain)
  }

  async #create(identity: ExternalIdentity): Promise<string> {
    const { email } = identity
    if (email !== undefined && this.#directory.byEmail(email).length > 0) {
      throw forbiddenLogin(
        `another account has the email address ${email}; an administrator can link it to this login`,
      )
    }
    const link = linkOf(identity)
    const users = this.#store()
    const spec = this.#newSpec(identity, link)
    for (const name of [
      nameLike(identity.username, link),
      otherNameLike(identity.username, link),
    ]) {
      const metadata = { name, annotations: { [this.#annotations().identity]: link } }
      const { kind } = users.resource
      const object: ApiObject = { kind, apiVersion: users.apiVersion, metadata, spec }
      try {
        await users.create(object, systemContext())
        return name
      } catch (error) {
        if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
        // Two first logins of one user at once: the other made it.
        const made = this.#directory.byIdentity(link)
        if (made !== undefined) return this.#refresh(made, identity)
      }
    }
    throw forbiddenLogin(`no name is free for the account of ${identity.username}`)
  }

  #newSpec(identity: ExternalIdentity, link: string): UserSpec {
    const { subject, username, groups } = identity
    const isTaken = this.#directory.byUsername(username).length > 0 || this.#isAccountName(username)
    return {
      ...shownOf(identity),
      username: isTaken ? `${username}-${shortHash(link)}` : username,
      subject: this.#isFree(subject) ? subject : link,
      ...(groups.length > 0 ? { ssoGroups: [...groups] } : {}),
    }
  }

  /** Rights are given to subjects by name: nobody gets one that is another's, or the system's. */
  #isFree(subject: string): boolean {
    const { platform } = this.#services.names
    const isReserved = subject.startsWith('system:') || subject.startsWith(`${platform}:`)
    return !isReserved && subject !== '' && this.#directory.bySubject(subject).length === 0
  }

  #isAccountName(username: string): boolean {
    return this.#directory.forLogin(username)?.name === username
  }

  async #refresh(user: KnownUser, identity: ExternalIdentity): Promise<string> {
    const { email } = identity
    const isOthers =
      email !== undefined && this.#directory.byEmail(email).some(({ name }) => name !== user.name)
    const shown = shownOf(isOthers ? { ...identity, email: undefined } : identity)
    const link = { [this.#annotations().identity]: linkOf(identity) }
    const transform = (old: ApiObject): ApiObject => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, ...link } },
      spec: { ...(old['spec'] as UserSpec | undefined), ...shown, ssoGroups: [...identity.groups] },
    })
    await this.#store().update({ namespace: '', name: user.name }, { transform }, systemContext())
    return user.name
  }

  #store() {
    return this.#services.access.store(managementResource(this.#services.names, 'users'))
  }
}

function linkOf({ connector, userId }: ExternalIdentity): string {
  return `${connector}:${userId}`
}

function shownOf({ displayName, email, icon }: ExternalIdentity): UserSpec {
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(email === undefined ? {} : { email }),
    ...(icon === undefined ? {} : { icon }),
  }
}
