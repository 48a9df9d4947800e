import { aggregateText } from '../../meta/fieldErrors.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { forbidden, notFound } from '../../meta/statusErrors.ts'
import type { UserInfo } from '../../meta/types.ts'
import { readError } from './missingRoles.ts'
import { rbacGroup, type PolicyRule, type RoleRef } from './policyRule.ts'
import type { RbacAuthorizer } from './rbacAuthorizer.ts'
import { quotedList, ruleLines, uncovered } from './ruleCovering.ts'

/** The object through whose write rights are granted. */
export interface GrantedThrough {
  /** Plural of the kind. */
  resource: string
  group: string
  namespace: string
  name: string
}

/** A role whose rules are being written. */
export interface RoleWritten extends GrantedThrough {
  isNew: boolean
  /**
   * True if the rules are or were aggregated, so that they may change to any rules. Default false.
   */
  isMade?: boolean
}

const allRights: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/**
 * Prevents users from granting rights that they do not have.
 * Source: Kubernetes documentation, "Privilege escalation prevention and bootstrapping"; reference 7.8.
 */
export class EscalationGuard {
  readonly #rbac: RbacAuthorizer

  constructor(rbac: RbacAuthorizer) {
    this.#rbac = rbac
  }

  isSuperuser(user: UserInfo): boolean {
    return this.#rbac.isSuperuser(user)
  }

  /**
   * Reports whether roles and bindings allow a verb on an object of a kind. `name` may be empty.
   */
  may(user: UserInfo, verb: string, on: GrantedThrough): boolean {
    const rest = { isResource: true, version: 'v1', subresource: '', path: '' }
    return this.#rbac.authorize({ user, verb, ...on, ...rest }).allowed
  }

  /**
   * Checks a write of a role's rules, which requires the verb `escalate` on the role, or all rights
   * in the rules.
   * @throws StatusError Forbidden.
   */
  checkRules(user: UserInfo, rules: readonly PolicyRule[], through: RoleWritten): void {
    // A new role has no name yet.
    const asked = through.isNew ? { ...through, name: '' } : through
    if (this.isSuperuser(user) || this.may(user, 'escalate', asked)) return
    this.checkHeld(user, rules, through)
    if (through.isMade !== true) return
    const held = this.#rbac.index.rulesFor(user, through.namespace)
    if (uncovered(held, allRights).length === 0) return
    const why = 'must have cluster-admin privileges to use the aggregationRule'
    throw forbidden(through, through.name, why)
  }

  /**
   * Checks a binding of a role, which requires the verb `bind` on the role, or all of its rights.
   * @throws StatusError Forbidden; NotFound for a role that does not exist.
   */
  checkBinding(user: UserInfo, role: RoleRef, through: GrantedThrough): void {
    if (this.isSuperuser(user)) return
    const resource = role.kind === 'Role' ? 'roles' : 'clusterroles'
    const { namespace } = through
    if (this.may(user, 'bind', { group: rbacGroup, resource, namespace, name: role.name })) return
    const rules = this.#rbac.index.rulesOfRole(role, namespace)
    // For bindings, the error combines the binding's resource with the role's name, as in the real
    // server.
    const missing = through.group === rbacGroup ? through : { group: rbacGroup, resource }
    if (rules === undefined) throw notFound(missing, role.name)
    this.checkHeld(user, rules, through)
  }

  /** Reports whether any role is bound to the name or one of the groups. */
  isBound(subject: Pick<UserInfo, 'name' | 'groups'>): boolean {
    for (const _ of this.#rbac.index.grantsOf(subject)) return true
    return false
  }

  /**
   * Checks the assignment of a group, which requires membership, the verb `impersonate` on it, or
   * all of its rights.
   * @throws StatusError Forbidden.
   */
  checkGroup(user: UserInfo, group: string, through: GrantedThrough): void {
    if (user.groups.includes(group)) return
    const on = { group: '', resource: 'groups', namespace: '', name: group }
    if (this.may(user, 'impersonate', on)) return
    for (const { namespace, rules } of this.#rbac.index.grantsOf({ name: '', groups: [group] })) {
      this.checkHeld(user, rules, { ...through, namespace })
    }
  }

  /** Checks that the user has all rights of `wanted`. @throws StatusError Forbidden. */
  checkHeld(user: UserInfo, wanted: readonly PolicyRule[], through: GrantedThrough): void {
    const { index } = this.#rbac
    const missing = uncovered(index.rulesFor(user, through.namespace), wanted)
    if (missing.length === 0) return
    const problems = index.missingRolesOf(user, through.namespace).map(readError)
    const resolution =
      problems.length === 0 ? '' : `; resolution errors: [${aggregateText(problems)}]`
    const who = `user ${goQuote(user.name)} (groups=${quotedList(user.groups)})`
    const what = ruleLines(missing).join('\n')
    throw forbidden(
      through,
      through.name,
      `${who} is attempting to grant RBAC permissions not currently held:\n${what}${resolution}`,
    )
  }
}
