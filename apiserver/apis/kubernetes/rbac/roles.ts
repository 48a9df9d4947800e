import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { GrantedThrough } from '../../../authorization/rbac/escalation.ts'
import {
  aggregationOf,
  type LabelSelectorField,
} from '../../../authorization/rbac/roleAggregation.ts'
import { rbacGroup, rulesOf } from '../../../authorization/rbac/policyRule.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import { builtInKind } from '../builtInKind.ts'
import type { BuiltInTypes } from '../builtInTypes.ts'
import { grantsChecked } from './grantsChecked.ts'
import type { GuardOf } from './guardOf.ts'
import { selectorErrors } from '../selectorRules.ts'
import { policyRuleErrors } from './roleRules.ts'

/** Kind for rights in one namespace. Source: Kubernetes API reference, Role v1. */
export function roleResource(types: BuiltInTypes, guardOf: GuardOf): ResourceDefinition {
  const errors = (object: ApiObject) => policyRuleErrors(rulesOf(object), true)
  const through = throughOf('roles')
  return builtInKind(types, {
    group: rbacGroup,
    version: 'v1',
    plural: 'roles',
    kind: 'Role',
    namespaced: true,
    description: 'Role is a set of permissions in one namespace. RoleBindings grant it.',
    strategy: roleStrategy(errors, (next, old, context) => {
      const isNew = old === undefined
      guardOf(context).checkRules(context.user, rulesOf(next), { ...through(next), isNew })
    }),
  })
}

/**
 * Kind for rights in every namespace and to cluster-scoped objects. Source: Kubernetes API reference, ClusterRole v1.
 */
export function clusterRoleResource(types: BuiltInTypes, guardOf: GuardOf): ResourceDefinition {
  const through = throughOf('clusterroles')
  return builtInKind(types, {
    group: rbacGroup,
    version: 'v1',
    plural: 'clusterroles',
    kind: 'ClusterRole',
    namespaced: false,
    description:
      'ClusterRole is a set of rights. ClusterRoleBindings grant it in the whole cluster, RoleBindings in one namespace.',
    strategy: roleStrategy(clusterRoleErrors, (next, old, context) => {
      const guard = guardOf(context)
      const given = { ...through(next), isNew: old === undefined }
      // The rules of an aggregated role change with the roles that it aggregates, so they cannot be checked in
      // advance.
      const isMade = [next, old].some((role) => role && aggregationOf(role) !== undefined)
      guard.checkRules(context.user, rulesOf(next), { ...given, isMade })
    }),
  })
}

function throughOf(resource: string): (object: ApiObject) => GrantedThrough {
  return ({ metadata: { name = '', namespace = '' } }) => ({
    group: rbacGroup,
    resource,
    namespace,
    name,
  })
}

function roleStrategy(
  errors: (object: ApiObject) => FieldError[],
  check: (next: ApiObject, old: ApiObject | undefined, context: RequestContext) => void,
): Strategy {
  return {
    nameRule: 'pathSegment',
    generation: 'none',
    allowCreateOnUpdate: true,
    authorizeWrite: grantsChecked(check),
    declaredErrors: [{ field: 'rules[].verbs' }],
    validate: errors,
    validateUpdate: errors,
    canonicalize: (object) => {
      if (rulesOf(object).length === 0) object['rules'] = null
    },
  }
}

function clusterRoleErrors(object: ApiObject): FieldError[] {
  const selectors = aggregationOf(object)
  const path = 'aggregationRule.clusterRoleSelectors'
  const none = 'at least one clusterRoleSelector required if aggregationRule is non-nil'
  return [
    ...policyRuleErrors(rulesOf(object), false),
    ...(selectors?.length === 0 ? [requiredField(path, none)] : []),
    ...(selectors ?? []).flatMap((one, at) => unreadableErrors(`${path}[${at}]`, one)),
  ]
}

function unreadableErrors(path: string, selector: LabelSelectorField): FieldError[] {
  const errors = selectorErrors(path, selector)
  return errors.length === 0 ? [] : [...errors, invalidField(path, null, 'invalid label selector.')]
}
