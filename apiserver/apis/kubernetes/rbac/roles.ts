import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { GrantedThrough } from '../../../authorization/rbac/escalation.ts'
import {
  aggregationOf,
  type LabelSelectorField,
} from '../../../authorization/rbac/roleAggregation.ts'
import { rbacGroup, rulesOf } from '../../../authorization/rbac/policyRule.ts'
import { builtInPatchTypes, type ResourceDefinition } from '../../../registry/resource.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import { listOf, struct } from '../../schema.ts'
import { grantsChecked } from './grantsChecked.ts'
import type { GuardOf } from './guardOf.ts'
import { selectorErrors } from '../selectorRules.ts'
import { labelSelectorSchema } from './labelSelectorShape.ts'
import { rbacDefinition, rulesSchema } from './rbacShapes.ts'
import { policyRuleErrors } from './roleRules.ts'

const common = {
  group: rbacGroup,
  version: 'v1',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  patchTypes: builtInPatchTypes,
} as const

/** Rights in one namespace. Source: Kubernetes API reference, Role v1. */
export function roleResource(guardOf: GuardOf): ResourceDefinition {
  const errors = (object: ApiObject) => policyRuleErrors(rulesOf(object), true)
  const through = throughOf('roles')
  return {
    ...common,
    plural: 'roles',
    singular: 'role',
    kind: 'Role',
    namespaced: true,
    schema: struct(
      { rules: rulesSchema },
      'Role is a set of rights in one namespace; a RoleBinding gives it to someone.',
      { definition: rbacDefinition('Role') },
    ),
    strategy: roleStrategy(errors, (next, old, context) => {
      const isNew = old === undefined
      guardOf(context).checkRules(context.user, rulesOf(next), { ...through(next), isNew })
    }),
  }
}

/** Rights in every namespace and outside of them. Source: Kubernetes API reference, ClusterRole v1. */
export function clusterRoleResource(guardOf: GuardOf): ResourceDefinition {
  const through = throughOf('clusterroles')
  return {
    ...common,
    plural: 'clusterroles',
    singular: 'clusterrole',
    kind: 'ClusterRole',
    namespaced: false,
    schema: struct(
      { rules: rulesSchema, aggregationRule },
      'ClusterRole is a set of rights in the whole cluster; a ClusterRoleBinding gives it to someone, a RoleBinding gives it in one namespace.',
      { definition: rbacDefinition('ClusterRole') },
    ),
    strategy: roleStrategy(clusterRoleErrors, (next, old, context) => {
      const guard = guardOf(context)
      const given = { ...through(next), isNew: old === undefined }
      // Nobody knows what such a role will allow tomorrow, nor what it would have come to allow.
      const isMade = [next, old].some((role) => role && aggregationOf(role) !== undefined)
      guard.checkRules(context.user, rulesOf(next), { ...given, isMade })
    }),
  }
}

const aggregationRule = {
  ...struct(
    {
      clusterRoleSelectors: {
        ...listOf(labelSelectorSchema, 'The roles that any of these selects give their rules.'),
        'x-kubernetes-list-type': 'atomic',
      },
    },
    'Makes the server fill the rules from other roles; rules that are written by hand are lost.',
    { definition: rbacDefinition('AggregationRule') },
  ),
} as const

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
    metadata: { reportedFirst: true, qualifiedFinalizers: true },
    tellsErrorsOnce: true,
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: true,
    authorizeWrite: grantsChecked(check),
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
