import { conflictingField } from '../../../apis/management/users/accountNames.ts'
import { linkAnnotations } from '../../../apis/management/users/accountLink.ts'
import { emailOriginAnnotation } from '../../../apis/management/users/emailOrigin.ts'
import { managementResource } from '../../../apis/management/managementKind.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { systemContext } from '../../../registry/systemContext.ts'
import { linkOf, originOf, shownOf } from './accountFields.ts'
import type { ExternalIdentity } from './externalIdentity.ts'
import { forbiddenLogin } from '../loginRefusals.ts'
import type { LoginServices } from '../loginServices.ts'
import { KnownAccounts } from './knownAccounts.ts'
import { NewAccounts } from './newAccounts.ts'
import { keptGroups } from './ssoGroups.ts'
import { SsoTeams } from './ssoTeams.ts'
import type { KnownUser, UserDirectory, UserSpec } from './userDirectory.ts'

interface SsoSettings {
  disableTeamCreation?: boolean
  disableUserCreation?: boolean
  groupsFilters?: readonly string[]
  preparedAccountsBySubject?: readonly string[]
}

/**
 * Maps an identity of a provider to a User, created at the first login, with the groups of this login and their teams.
 * An account is linked to one user of one connector; neither a name nor an email address from a provider gives access
 * to an existing account. Source: specification, "status.auth".
 */
export class SingleSignOn {
  readonly #services: LoginServices
  readonly #directory: UserDirectory
  readonly #teams: SsoTeams
  readonly #accounts: KnownAccounts
  readonly #newAccounts: NewAccounts
  /** The annotation of a linked account. */
  readonly #link: string

  constructor(services: LoginServices, directory: UserDirectory) {
    this.#services = services
    this.#directory = directory
    this.#teams = new SsoTeams(services, directory)
    this.#accounts = new KnownAccounts(services, directory)
    this.#newAccounts = new NewAccounts(services, directory)
    this.#link = linkAnnotations(services.names.domain).identity
  }

  /**
   * Logs a user in and returns the name of the User, and `identity` with the groups that are kept.
   * @throws StatusError Forbidden.
   */
  async logIn(identity: ExternalIdentity): Promise<{ user: string; identity: ExternalIdentity }> {
    const kept = { ...identity, groups: this.#keptGroups(identity) }
    const known = this.#accounts.find(kept, this.#rules().preparedAccountsBySubject ?? [])
    if (known?.spec.disabled === true) throw forbiddenLogin('the account is disabled')
    if (known === undefined && this.#rules().disableUserCreation === true) {
      throw forbiddenLogin(
        `there is no account for this user, and none is made at a login; an administrator can let the user into one with the annotation ${this.#link}: ${linkOf(kept)}`,
      )
    }
    const user = known === undefined ? await this.#create(kept) : await this.#refresh(known, kept)
    await this.#ensureTeams(kept.groups)
    return { user, identity: kept }
  }

  /**
   * Updates the User of a login. Returns `identity` with the groups that are kept.
   * @throws StatusError Forbidden if the account is gone, or belongs to another identity.
   */
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
    // Sound by the schema of the configuration.
    return this.#services.settings().auth
  }

  async #create(identity: ExternalIdentity): Promise<string> {
    const made = await this.#newAccounts.create(identity)
    return typeof made === 'string' ? made : this.#refresh(made, identity)
  }

  /** Updates a User, without the email address if another user has it by now. */
  async #refresh(user: KnownUser, identity: ExternalIdentity): Promise<string> {
    try {
      await this.#write(user, identity)
    } catch (error) {
      if (conflictingField(error) !== 'spec.email') throw error
      await this.#write(user, { ...identity, email: undefined })
    }
    return user.name
  }

  async #write(user: KnownUser, identity: ExternalIdentity): Promise<void> {
    const { names } = this.#services
    const link = linkOf(identity)
    const origin = emailOriginAnnotation(names)
    const transform = (old: ApiObject): ApiObject => {
      const {
        [origin]: before,
        [this.#link]: linked = '',
        ...others
      } = {
        ...old.metadata.annotations,
      }
      // If two users are invited to one account, the first gets it.
      if (linked !== '' && linked !== link)
        throw forbiddenLogin('the account now belongs to another user')
      const known = before === undefined ? {} : { [origin]: before }
      const noted = identity.email === undefined ? known : originOf(identity, names)
      return {
        ...old,
        metadata: { ...old.metadata, annotations: { ...others, ...noted, [this.#link]: link } },
        spec: {
          ...(old['spec'] as UserSpec | undefined),
          ...shownOf(identity),
          ssoGroups: [...identity.groups],
        },
      }
    }
    await this.#store().update({ namespace: '', name: user.name }, { transform }, systemContext())
  }

  #store() {
    return this.#services.access.store(managementResource(this.#services.names, 'users'))
  }
}
