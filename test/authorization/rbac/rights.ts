import { BuiltInTypes } from '../../../apiserver/apis/kubernetes/builtInTypes.ts'
import { guardAccess } from '../../../apiserver/apis/access/accessGuard.ts'
import type { AccessGuardOptions } from '../../../apiserver/apis/access/accessGuardOptions.ts'
import { AccountGuard } from '../../../apiserver/apis/access/accountGuard.ts'
import { sharedSecretResource } from '../../../apiserver/apis/management/secrets/sharedSecret.ts'
import {
  rbacResources,
  type RbacResources,
} from '../../../apiserver/apis/kubernetes/rbac/rbacResources.ts'
import type { AuthorizationAttributes } from '../../../apiserver/authorization/authorizer.ts'
import { EscalationGuard } from '../../../apiserver/authorization/rbac/escalation.ts'
import { RbacAuthorizer } from '../../../apiserver/authorization/rbac/rbacAuthorizer.ts'
import { RbacIndex, type RbacStores } from '../../../apiserver/authorization/rbac/rbacIndex.ts'
import { identityGroups, superuserGroups } from '../../../apiserver/authorization/superusers.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../../apiserver/meta/types.ts'
import type { RequestContext } from '../../../apiserver/registry/strategy.ts'
import { openStores, type Stores } from '../../support/stores.ts'

/** Roles and bindings in separate stores, with every authorizer that uses them. */
export interface Rights {
  stores: Stores
  kinds: RbacResources
  rbac: RbacStores
  index: RbacIndex
  authorizer: RbacAuthorizer
  guard: EscalationGuard
}

export async function openRights(): Promise<Rights> {
  const stores = await openStores()
  const index = new RbacIndex()
  const authorizer = new RbacAuthorizer(index, superuserGroups(defaultNames))
  const guard = new EscalationGuard(authorizer)
  const kinds = rbacResources(new BuiltInTypes(), () => guard)
  const rbac = {
    roles: stores.storeOf(kinds.roles),
    clusterRoles: stores.storeOf(kinds.clusterRoles),
    roleBindings: stores.storeOf(kinds.roleBindings),
    clusterRoleBindings: stores.storeOf(kinds.clusterRoleBindings),
  }
  await index.start(rbac)
  return { stores, kinds, rbac, index, authorizer, guard }
}

/** Kind with an owner and access entries, and the check of changes to them. */
export function guardedSecrets({ guard }: Pick<Rights, 'guard'>) {
  const kinds = { secrets: sharedSecretResource(defaultNames) }
  return guardAccess(kinds, guardOptions(guard)).secrets
}

/** Options for a plane without owners and team members. */
export function guardOptions(guard: EscalationGuard): AccessGuardOptions {
  const groups = identityGroups(defaultNames)
  const names = defaultNames
  return {
    ...{ names, guard, groups },
    accounts: new AccountGuard({ names, guard, groups, teamsOf: () => [] }),
    memberNamespace: (name) => `p-${name}`,
    may: (who, verb, on) => guard.may(who, verb, on),
    owns: () => Promise.resolve(false),
  }
}

export function user(name: string, ...groups: string[]): UserInfo {
  return { name, uid: '', groups, extra: {} }
}

export function contextOf(who: UserInfo): RequestContext {
  return { user: who, dryRun: false, warn: () => undefined }
}

/** Request: `verb group/resource[/subresource] [namespace/]name`, or `verb /path`. */
export function request(who: UserInfo, text: string): AuthorizationAttributes {
  const [verb = '', what = '', where = ''] = text.split(' ')
  const isResource = !what.startsWith('/')
  const [group = '', resource = '', subresource = ''] = isResource ? what.split('/') : []
  const [first = '', second] = where.split('/')
  const [namespace, name] = second === undefined ? ['', first] : [first, second]
  const path = isResource ? '' : what
  return {
    user: who,
    verb,
    isResource,
    group: group === 'core' ? '' : group,
    version: 'v1',
    resource,
    subresource,
    namespace,
    name,
    path,
  }
}

const apiVersion = 'rbac.authorization.k8s.io/v1'
const apiGroup = 'rbac.authorization.k8s.io'

export function role(name: string, rules: unknown[], namespace?: string): ApiObject {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role'
  return { kind, apiVersion, metadata: metadata(name, namespace), rules }
}

/**
 * Binding: subjects are `User ann`, `Group g`, `ServiceAccount ns/name`; the role is `Role r` or
 * `ClusterRole r`.
 */
export function binding(
  name: string,
  roleText: string,
  subjects: string[],
  namespace?: string,
): ApiObject {
  const kind = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding'
  const [roleKind = '', roleName = ''] = roleText.split(' ')
  return {
    kind,
    apiVersion,
    metadata: metadata(name, namespace),
    subjects: subjects.map(subject),
    roleRef: { apiGroup, kind: roleKind, name: roleName },
  }
}

function subject(text: string) {
  const [kind = '', name = ''] = text.split(' ')
  if (kind !== 'ServiceAccount') return { kind, apiGroup, name }
  const [namespace = '', account = ''] = name.split('/')
  return { kind, name: account, ...(namespace === '' ? {} : { namespace }) }
}

function metadata(name: string, namespace: string | undefined) {
  return { name, ...(namespace === undefined ? {} : { namespace }) }
}
