import { ownerOf, type Owner } from '../authorization/ownership.ts'
import {
  accessOf,
  accessRule,
  clusterRolesOf,
  memberRule,
  roleMembersOf,
  specField,
  type AccessEntry,
  type RoleMember,
} from '../authorization/rbac/accessEntry.ts'
import type { EscalationGuard } from '../authorization/rbac/escalation.ts'
import { rbacGroup } from '../authorization/rbac/policyRule.ts'
import type { IdentityGroups } from '../authorization/superusers.ts'
import type { FieldError } from '../meta/fieldErrors.ts'
import { goQuote } from '../meta/goQuote.ts'
import { managementGroup, type NamesProfile } from '../meta/namesProfile.ts'
import { forbidden } from '../meta/statusErrors.ts'
import type { ApiObject, GroupResource, UserInfo } from '../meta/types.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { RequestContext, Strategy } from '../registry/strategy.ts'

export interface AccessGuardOptions {
  names: NamesProfile
  guard: EscalationGuard
  groups: IdentityGroups
  /** Where the members of an object have their cluster roles, by its name. */
  memberNamespace: (name: string) => string
}

const grantingFields = [
  ...['owner', 'access', 'clusterRoles', 'members', 'groups', 'ssoGroups', 'subject'],
]

/** Keeps whoever writes an owner, access entries, cluster roles, members or groups into an object from giving rights that they
 *  do not have: every kind whose spec has such a field is given the check, others stay what they are.
 *  Source: platform facts 7.1, 7.3. */
export function guardAccess<Kinds extends object>(
  kinds: Kinds,
  options: AccessGuardOptions,
): Kinds {
  const guarded = Object.entries(kinds).map(([key, resource]: [string, ResourceDefinition]) => [
    key,
    guardedResource(resource, options),
  ])
  // Each key keeps its resource.
  return Object.fromEntries(guarded) as Kinds
}

function guardedResource(
  resource: ResourceDefinition,
  options: AccessGuardOptions,
): ResourceDefinition {
  const { schema, strategy, answers } = resource
  const grants = grantingFields.some((field) => specField(schema, field) !== undefined)
  if (!grants || answers !== undefined) return resource
  const check = new AccessCheck(resource, options)
  return { ...resource, strategy: guardedStrategy(strategy, check) }
}

function guardedStrategy(strategy: Strategy, check: AccessCheck): Strategy {
  const passed = (errors: FieldError[], run: () => void): FieldError[] => {
    if (errors.length === 0) run()
    return errors
  }
  return {
    ...strategy,
    validate: (object, context) =>
      passed(strategy.validate?.(object, context) ?? [], () =>
        check.run(object, undefined, context),
      ),
    validateUpdate: (next, old, context) =>
      passed(strategy.validateUpdate?.(next, old, context) ?? [], () =>
        check.run(next, old, context),
      ),
  }
}

/** The check of one kind. Each step throws StatusError Forbidden. */
class AccessCheck {
  readonly #resource: ResourceDefinition
  readonly #options: AccessGuardOptions

  constructor(resource: ResourceDefinition, options: AccessGuardOptions) {
    this.#resource = resource
    this.#options = options
  }

  run(next: ApiObject, old: ApiObject | undefined, { user }: RequestContext): void {
    const { guard } = this.#options
    if (guard.isSuperuser(user)) return
    // Whoever makes an object for themselves owns it from the start.
    const isOwner = this.#isOwner(user, ownerOf(old ?? next))
    this.#checkOwner(next, old, user, isOwner)
    const before = new Set((old === undefined ? [] : accessOf(old)).map(entryText))
    for (const entry of accessOf(next)) {
      if (!before.has(entryText(entry))) this.#checkEntry(next, entry, user, isOwner)
    }
    this.#checkClusterRoles(next, old, user)
    this.#checkRoleMembers(next, old, user, isOwner)
    this.#checkGroups(next, old, user)
    this.#checkSubject(next, old, user)
    if (old !== undefined && !isOwner) this.#checkMembers(next, old, user)
  }

  #checkClusterRoles(next: ApiObject, old: ApiObject | undefined, user: UserInfo): void {
    const { guard } = this.#options
    const hadRoles = new Set(old === undefined ? [] : clusterRolesOf(old))
    for (const name of clusterRolesOf(next)) {
      const role = { apiGroup: rbacGroup, kind: 'ClusterRole', name }
      if (!hadRoles.has(name))
        guard.checkBinding(user, role, { ...this.#through(next), namespace: '' })
    }
  }

  #checkRoleMembers(
    next: ApiObject,
    old: ApiObject | undefined,
    user: UserInfo,
    isOwner: boolean,
  ): void {
    const hadMembers = new Set((old === undefined ? [] : roleMembersOf(old)).map(memberText))
    for (const member of roleMembersOf(next)) {
      if (!hadMembers.has(memberText(member))) this.#checkRoleMember(next, member, user, isOwner)
    }
  }

  #checkOwner(next: ApiObject, old: ApiObject | undefined, user: UserInfo, isOwner: boolean): void {
    const [owner, previous] = [ownerOf(next), old && ownerOf(old)]
    if (previous?.user === owner.user && previous?.team === owner.team) return
    for (const [plural, name] of ownerNames(owner))
      this.#checkNamed(user, 'makeowner', plural, name)
    // An owner has every right, so changing the owner gives every right.
    if (old !== undefined && !isOwner) this.#checkHeld(next, { verbs: ['*'] }, user)
  }

  #checkEntry(object: ApiObject, entry: AccessEntry, user: UserInfo, isOwner: boolean): void {
    for (const name of entry.users ?? []) this.#checkNamed(user, 'bind', 'users', name)
    for (const name of entry.teams ?? []) this.#checkNamed(user, 'bind', 'teams', name)
    if (!isOwner) this.#checkHeld(object, entry, user)
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

  #checkHeld(object: ApiObject, entry: AccessEntry, user: UserInfo): void {
    const rule = accessRule(this.#resource, object, entry)
    this.#options.guard.checkHeld(user, [rule], this.#through(object))
  }

  /** Naming oneself or a team of one's own needs no right. */
  #checkNamed(user: UserInfo, verb: string, plural: 'users' | 'teams', name: string): void {
    const { names, guard, groups } = this.#options
    const identity = plural === 'users' ? groups.user(name) : groups.team(name)
    if (name !== '*' && user.groups.includes(identity)) return
    const group = managementGroup(names)
    if (guard.may(user, verb, { group, resource: plural, namespace: '', name })) return
    const on = { group, resource: plural }
    throw forbidden(on, name, refusal(user, verb, on))
  }

  /** Groups that the server itself gives meaning to are not for everyone to give. */
  #checkGroups(next: ApiObject, old: ApiObject | undefined, user: UserInfo): void {
    const { platform } = this.#options.names
    const before = new Set(old === undefined ? [] : groupsOf(old))
    const isReserved = (group: string) => /^system:/.test(group) || group.startsWith(`${platform}:`)
    const refused = groupsOf(next).find(
      (group) => isReserved(group) && !before.has(group) && !user.groups.includes(group),
    )
    if (refused === undefined) return
    const through = this.#through(next)
    const why = `user ${goQuote(user.name)} is attempting to give the group ${goQuote(refused)} without being in it`
    throw forbidden(through, through.name, why)
  }

  /** A new member of a team gets what the team has. */
  #checkMembers(next: ApiObject, old: ApiObject, user: UserInfo): void {
    if (specField(this.#resource.schema, 'users') === undefined) return
    const before = new Set(membersOf(old))
    if (membersOf(next).every((name) => before.has(name))) return
    this.#checkNamed(user, 'bind', 'teams', next.metadata.name ?? '')
  }

  /** Whoever is called otherwise than the object is someone else: that is impersonation. */
  #checkSubject(next: ApiObject, old: ApiObject | undefined, user: UserInfo): void {
    const name = subjectOf(next)
    const isOwn = name === user.name || name === next.metadata.name
    if (name === '' || isOwn || (old !== undefined && subjectOf(old) === name)) return
    const on = { group: '', resource: 'users', namespace: '', name }
    if (this.#options.guard.may(user, 'impersonate', on)) return
    throw forbidden(on, name, refusal(user, 'impersonate', on))
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

function membersOf(object: ApiObject): string[] {
  // The schema of a kind with members says that both are lists of names.
  const { users = [], groups = [] } = object['spec'] as { users?: string[]; groups?: string[] }
  return [...users.map((name) => `user ${name}`), ...groups.map((name) => `group ${name}`)]
}

function subjectOf(object: ApiObject): string {
  // The schema of the kinds says that it is a text, where there is any.
  const spec = object['spec'] as { subject?: string } | undefined
  return spec?.subject ?? ''
}

function ownerNames({ user = '', team = '' }: Owner): ['users' | 'teams', string][] {
  return [
    ...(user === '' ? [] : [['users', user] as ['users', string]]),
    ...(team === '' ? [] : [['teams', team] as ['teams', string]]),
  ]
}

/** What an entry gives, without its label. Objects are canonical, so equal entries have equal text. */
function entryText({ name: _label, ...entry }: AccessEntry): string {
  return JSON.stringify(entry)
}

function memberText({ plural, name, clusterRole }: RoleMember): string {
  return JSON.stringify([plural, name, clusterRole])
}

function groupsOf(object: ApiObject): string[] {
  // The schema of the kinds says that both are lists of texts, where there are any.
  const spec = object['spec'] as { groups?: string[]; ssoGroups?: string[] } | undefined
  return [...(spec?.groups ?? []), ...(spec?.ssoGroups ?? [])]
}
