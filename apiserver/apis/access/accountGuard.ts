import { givenGroups, type UserIdentitySpec } from '../../authentication/identity.ts'
import type { EscalationGuard, GrantedThrough } from '../../authorization/rbac/escalation.ts'
import type { IdentityGroups } from '../../authorization/superusers.ts'
import { goQuote } from '../../meta/goQuote.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import { forbidden } from '../../meta/statusErrors.ts'
import type { ApiObject, UserInfo } from '../../meta/types.ts'

export interface AccountGuardOptions {
  names: NamesProfile
  guard: EscalationGuard
  groups: IdentityGroups
  /** Names of the teams that have the user or one of the groups as a member. */
  teamsOf: (user: string, groups: readonly string[]) => readonly string[]
}

/**
 * Decides who may get access to an account: its own user, and users who may impersonate that user and who have, or may
 * impersonate, all rights of its groups and teams.
 */
export class AccountGuard {
  readonly #options: AccountGuardOptions

  constructor(options: AccountGuardOptions) {
    this.#options = options
  }

  /** Checks a write that changes access to an account. @throws StatusError Forbidden. */
  checkEntry(user: UserInfo, account: ApiObject, through: GrantedThrough): void {
    const { guard, groups } = this.#options
    const { name = '' } = account.metadata
    if (user.credential?.scope !== undefined) {
      const why = 'how an account is entered is not changed under a scope'
      throw forbidden(through, name, why)
    }
    if (guard.isSuperuser(user) || user.groups.includes(groups.user(name))) return
    this.checkName(user, accountName(account))
    const { names, teamsOf } = this.#options
    const given = givenGroups(specOf(account), names)
    for (const group of given) this.checkGroup(user, group, through)
    const teams = teamsOf(name, given).map((team) => groups.team(team))
    for (const group of [groups.user(name), ...teams]) guard.checkGroup(user, group, through)
  }

  /**
   * Checks a user name used for authorization. @throws StatusError Forbidden for another user's
   * name without the right to impersonate it.
   */
  checkName(user: UserInfo, name: string): void {
    if (name === user.name || this.mayImpersonate(user, name)) return
    const on = { group: '', resource: 'users' }
    const why = `User ${goQuote(user.name)} cannot impersonate resource "users" in API group "" at the cluster scope`
    throw forbidden(on, name, why)
  }

  mayImpersonate(user: UserInfo, name: string): boolean {
    return this.#options.guard.may(user, 'impersonate', {
      ...{ group: '', resource: 'users' },
      ...{ namespace: '', name },
    })
  }

  /**
   * Checks a group that a user is added to, and its teams. Groups with a meaning for the server are reserved for their
   * members. @throws StatusError Forbidden.
   */
  checkGroup(user: UserInfo, group: string, through: GrantedThrough): void {
    const { guard, groups, teamsOf } = this.#options
    if (user.groups.includes(group)) return
    if (this.#isReserved(group)) {
      const why = `user ${goQuote(user.name)} is attempting to give the group ${goQuote(group)} without being in it`
      throw forbidden(through, through.name, why)
    }
    const all = [group, ...teamsOf('', [group]).map((team) => groups.team(team))]
    for (const one of all) guard.checkGroup(user, one, through)
  }

  /** Reports whether a user of this name, which need not exist, has any rights. */
  isBound(account: ApiObject): boolean {
    const { name = '' } = account.metadata
    const { guard, groups, teamsOf } = this.#options
    const isNamed = guard.isBound({ name: accountName(account), groups: [groups.user(name)] })
    return isNamed || teamsOf(name, []).length > 0
  }

  #isReserved(group: string): boolean {
    const { platform } = this.#options.names
    return group.startsWith('system:') || group.startsWith(`${platform}:`)
  }
}

/** The user name of an account for authorization. */
export function accountName(account: ApiObject): string {
  const { subject = '' } = specOf(account)
  return subject === '' ? (account.metadata.name ?? '') : subject
}

function specOf(account: ApiObject): UserIdentitySpec {
  // Guaranteed by the schema of users, which refuses other types.
  return account['spec'] ?? {}
}
