import { ownerOf, type Owner } from '../../authorization/ownerRule.ts'
import {
  accessOf,
  accessRule,
  clusterRolesOf,
  memberRule,
  roleMembersOf,
  type AccessEntry,
  type RoleMember,
} from '../../authorization/rbac/accessEntry.ts'
import { rbacGroup } from '../../authorization/rbac/policyRule.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import { managementGroup } from '../../meta/names/namesProfile.ts'
import { forbidden } from '../../meta/statusErrors.ts'
import type { ApiObject, GroupResource, UserInfo } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { RequestContext } from '../../registry/strategy.ts'
import type { AccessGuardOptions } from './accessGuardOptions.ts'
import { accountName, type AccountGuard } from './accountGuard.ts'
import { changesEntry, changesLink } from './accountEntry.ts'
import {
  checkedGuards,
  guardedAnnotations,
  guardsOf,
  type CheckedGuard,
} from '../management/rightsTable.ts'
import {
  entryKey,
  groupsOf,
  isSameField,
  membersOf,
  memberKey,
  ownerNames,
} from './writtenFields.ts'
import { referredSecrets } from '../management/users/referredSecrets.ts'

/** A write to check. */
interface Write {
  next: ApiObject
  /** Previous state; undefined: the object is new. */
  old: ApiObject | undefined
  user: UserInfo
  isOwner: boolean
}

/** Checks for the fields of one kind. Each throws StatusError Forbidden. */
export class AccessCheck {
  readonly #resource: ResourceDefinition
  readonly #options: AccessGuardOptions
  readonly #accounts: AccountGuard
  readonly #guards: readonly CheckedGuard[]
  readonly #steps: Readonly<Record<CheckedGuard, (write: Write) => void>> = {
    owner: (write) => this.#checkOwner(write),
    access: (write) => this.#checkAccess(write),
    clusterRoles: (write) => this.#checkClusterRoles(write),
    members: (write) => this.#checkRoleMembers(write),
    groups: (write) => this.#checkGroups(write),
    teamMembers: (write) => this.#checkTeamMembers(write),
    subject: (write) => this.#checkSubject(write),
    newName: (write) => this.#checkNewName(write),
    entry: (write) => this.#checkEntry(write),
    claims: (write) => this.#checkClaims(write),
    link: (write) => this.#checkLink(write),
    secrets: (write) => this.#checkSecrets(write),
    inside: (write) => this.#checkInside(write),
    place: (write) => this.#checkPlace(write),
  }

  constructor(resource: ResourceDefinition, options: AccessGuardOptions) {
    this.#resource = resource
    this.#options = options
    this.#accounts = options.accounts
    const guards = guardsOf(resource.plural)
    this.#guards = checkedGuards.filter((guard) => guards.has(guard))
  }

  get isNeeded(): boolean {
    return this.#guards.length > 0
  }

  /** True if checkOwned() refuses names. */
  get guardsNames(): boolean {
    return this.#guards.includes('newName')
  }

  run(next: ApiObject, old: ApiObject | undefined, { user, isTrusted }: RequestContext): void {
    if (isTrusted === true) return
    const checksEntry = this.#guards.includes('entry')
    const isSuperuser = this.#options.guard.isSuperuser(user)
    if (isSuperuser && !checksEntry) return
    // A user who creates an object for themselves owns it from the start.
    const write = { next, old, user, isOwner: this.#isOwner(user, ownerOf(old ?? next)) }
    // A scope also restricts superusers, and access to an account would bypass it.
    if (checksEntry) this.#checkEntry(write)
    if (isSuperuser) return
    for (const guard of this.#guards) this.#steps[guard](write)
  }

  /**
   * Checks a new name, since objects of a former user of that name would belong to the new user.
   */
  async checkOwned(next: ApiObject, { user }: RequestContext): Promise<void> {
    const { guard, owns, groups } = this.#options
    const { name = '' } = next.metadata
    const isUser = this.#resource.plural === 'users'
    const own = isUser ? groups.user(name) : groups.team(name)
    if (!this.guardsNames || guard.isSuperuser(user)) return
    if (user.groups.includes(own) || !(await owns(isUser ? { user: name } : { team: name }))) return
    if (isUser) this.#accounts.checkName(user, name)
    else this.#checkNamed(user, 'bind', 'teams', name)
  }

  #checkOwner({ next, old, user, isOwner }: Write): void {
    const [owner, previous] = [ownerOf(next), old && ownerOf(old)]
    if (previous?.user === owner.user && previous?.team === owner.team) return
    for (const [plural, name] of ownerNames(owner))
      this.#checkNamed(user, 'makeowner', plural, name)
    // An owner has all rights, so changing the owner grants all rights.
    if (old !== undefined && !isOwner) this.#checkHeld(next, { verbs: ['*'] }, user)
  }

  #checkAccess({ next, old, user, isOwner }: Write): void {
    const before = new Set((old === undefined ? [] : accessOf(old)).map(entryKey))
    for (const entry of accessOf(next)) {
      if (!before.has(entryKey(entry))) this.#checkAccessEntry(next, entry, user, isOwner)
    }
  }

  #checkAccessEntry(object: ApiObject, entry: AccessEntry, user: UserInfo, isOwner: boolean): void {
    for (const name of entry.users ?? []) this.#checkNamed(user, 'bind', 'users', name)
    for (const name of entry.teams ?? []) this.#checkNamed(user, 'bind', 'teams', name)
    if (!isOwner) this.#checkHeld(object, entry, user)
  }

  #checkClusterRoles({ next, old, user }: Write): void {
    const { guard } = this.#options
    const hadRoles = new Set(old === undefined ? [] : clusterRolesOf(old))
    for (const name of clusterRolesOf(next)) {
      const role = { apiGroup: rbacGroup, kind: 'ClusterRole', name }
      if (!hadRoles.has(name))
        guard.checkBinding(user, role, { ...this.#through(next), namespace: '' })
    }
  }

  #checkRoleMembers({ next, old, user, isOwner }: Write): void {
    const hadMembers = new Set((old === undefined ? [] : roleMembersOf(old)).map(memberKey))
    for (const member of roleMembersOf(next)) {
      if (!hadMembers.has(memberKey(member))) this.#checkRoleMember(next, member, user, isOwner)
    }
  }

  #checkRoleMember(object: ApiObject, member: RoleMember, user: UserInfo, isOwner: boolean): void {
    const { guard, memberNamespace } = this.#options
    const { plural, name, clusterRole } = member
    this.#checkNamed(user, 'bind', plural, name)
    const through = this.#through(object)
    if (clusterRole !== '') {
      const role = { apiGroup: rbacGroup, kind: 'ClusterRole', name: clusterRole }
      guard.checkBinding(user, role, { ...through, namespace: memberNamespace(through.name) })
    }
    if (!isOwner) guard.checkHeld(user, [memberRule(this.#resource, object)], through)
  }

  #checkGroups({ next, old, user }: Write): void {
    const before = new Set(old === undefined ? [] : groupsOf(old))
    for (const group of groupsOf(next)) {
      if (!before.has(group)) this.#accounts.checkGroup(user, group, this.#through(next))
    }
  }

  /**
   * Checks new members of a team, who gain its rights, and a new team name, which gives all members
   * the rights of that name.
   */
  #checkTeamMembers({ next, old, user, isOwner }: Write): void {
    if (old === undefined || isOwner) return
    const before = new Set(membersOf(old))
    if (membersOf(next).every((name) => before.has(name))) return
    this.#checkNamed(user, 'bind', 'teams', next.metadata.name ?? '')
  }

  /** Checks a user name other than the object's, which requires the right to impersonate it. */
  #checkSubject({ next, old, user }: Write): void {
    const name = accountName(next)
    if (old !== undefined && accountName(old) === name) return
    const isOwnName = name === next.metadata.name
    if (isOwnName && !this.#options.guard.isBound({ name, groups: [] })) return
    this.#accounts.checkName(user, name)
  }

  /** Checks a new name, since rights already granted to that name would apply to the object. */
  #checkNewName({ next, old, user }: Write): void {
    if (old !== undefined) return
    const { guard, groups } = this.#options
    const { name = '' } = next.metadata
    const through = this.#through(next)
    if (this.#resource.plural === 'users') {
      if (this.#accounts.isBound(next)) this.#accounts.checkEntry(user, next, through)
      return
    }
    const group = groups.team(name)
    if (!guard.isBound({ name: group, groups: [group] })) return
    this.#checkNamed(user, 'bind', 'teams', name)
    guard.checkGroup(user, group, through)
  }

  #checkEntry({ next, old, user }: Write): void {
    if (!changesEntry(next, old, this.#options.names)) return
    // The account before and after the write.
    for (const account of old === undefined ? [next] : [old, next]) {
      this.#accounts.checkEntry(user, account, this.#through(next))
    }
  }

  /** Checks extra claims, which programs trust as set by an administrator. */
  #checkClaims({ next, old, user }: Write): void {
    if (!isSameField(next, old, 'extraClaims')) this.#checkManager(next, user)
  }

  /** Checks the link to a provider's user, who gets access to this account. */
  #checkLink({ next, old, user }: Write): void {
    if (changesLink(next, old, this.#options.names)) this.#checkManager(next, user)
  }

  /** Checks that the user may impersonate the account's user, as account managers may; membership is not sufficient. */
  #checkManager(account: ApiObject, user: UserInfo): void {
    const name = accountName(account)
    if (this.#accounts.mayImpersonate(user, name)) return
    const on = { group: '', resource: 'users' }
    throw forbidden(on, name, refusal(user, 'impersonate', on))
  }

  #checkSecrets({ next, old, user }: Write): void {
    const { names, may } = this.#options
    const before = new Set((old === undefined ? [] : referredSecrets(old, names)).map(jsonText))
    for (const reference of referredSecrets(next, names)) {
      if (before.has(jsonText(reference))) continue
      const { verbs, ...on } = reference
      const missing = verbs.find((verb) => !may(user, verb, on))
      if (missing === undefined) continue
      const where = ` in the namespace ${goQuote(on.namespace)}`
      const why = `User ${goQuote(user.name)} cannot ${missing} resource ${goQuote(on.resource)} in API group ${goQuote(on.group)}${where}`
      throw forbidden(on, on.name, why)
    }
  }

  /** Checks fields that assign roles within a plane. */
  #checkInside({ next, old, user, isOwner }: Write): void {
    const fields = ['extraAccessRules', 'template', 'versions']
    if (old === undefined || isOwner) return
    if (fields.every((field) => isSameField(next, old, field))) return
    this.#checkHeld(next, { verbs: ['*'] }, user)
  }

  /** Checks the address to which clients send their credentials. */
  #checkPlace({ next, old, user, isOwner }: Write): void {
    if (old === undefined || isOwner) return
    const { domain } = this.#options.names
    const isSame = guardedAnnotations(this.#resource.plural, 'place', domain).every(
      (name) => next.metadata.annotations?.[name] === old.metadata.annotations?.[name],
    )
    if (!isSame) this.#checkHeld(next, { verbs: ['*'] }, user)
  }

  #checkHeld(object: ApiObject, entry: AccessEntry, user: UserInfo): void {
    const rule = accessRule(this.#resource, object, entry)
    this.#options.guard.checkHeld(user, [rule], this.#through(object))
  }

  /** Checks a named user or team; naming oneself or one's own team needs no right. */
  #checkNamed(user: UserInfo, verb: string, plural: 'users' | 'teams', name: string): void {
    const { names, guard, groups } = this.#options
    const identity = plural === 'users' ? groups.user(name) : groups.team(name)
    if (name !== '*' && user.groups.includes(identity)) return
    const group = managementGroup(names)
    if (guard.may(user, verb, { group, resource: plural, namespace: '', name })) return
    const on = { group, resource: plural }
    throw forbidden(on, name, refusal(user, verb, on))
  }

  #isOwner({ groups }: UserInfo, { user = '', team = '' }: Owner): boolean {
    const { groups: identity } = this.#options
    if (user !== '' && groups.includes(identity.user(user))) return true
    return team !== '' && groups.includes(identity.team(team))
  }

  #through({ metadata: { name = '', namespace = '' } }: ApiObject) {
    const { group, plural } = this.#resource
    return { group, resource: plural, namespace, name }
  }
}

function refusal({ name }: UserInfo, verb: string, { group, resource }: GroupResource): string {
  return `User ${goQuote(name)} cannot ${verb} resource ${goQuote(resource)} in API group ${goQuote(group)} at the cluster scope`
}
