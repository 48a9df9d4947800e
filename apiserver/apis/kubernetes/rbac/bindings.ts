import type { ApiObject } from '../../../meta/types.ts'
import { rbacGroup, roleRefOf, subjectsOf } from '../../../authorization/rbac/policyRule.ts'
import type { Schema } from '../../../meta/schema.ts'
import {
  builtInPatchTypes,
  type Column,
  type ResourceDefinition,
} from '../../../registry/resource.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { struct } from '../../schema.ts'
import {
  bindingErrors,
  missingNames,
  roleRefChangeErrors,
  setBindingDefaults,
} from './roleBindingRules.ts'
import { grantsChecked, type GrantCheck } from './grantsChecked.ts'
import type { GuardOf } from './guardOf.ts'
import { rbacDefinition, roleRefSchema, subjectsSchema } from './rbacShapes.ts'

/** Gives a role, of the namespace or of the cluster, in one namespace.
 *  Source: Kubernetes API reference, RoleBinding v1. */
export function roleBindingResource(guard: GuardOf): ResourceDefinition {
  return {
    ...common,
    plural: 'rolebindings',
    singular: 'rolebinding',
    kind: 'RoleBinding',
    namespaced: true,
    schema: bindingSchema(
      'RoleBinding',
      'RoleBinding gives a Role of its namespace, or a ClusterRole, to someone in its namespace.',
    ),
    strategy: bindingStrategy('rolebindings', ['Role', 'ClusterRole'], guard),
  }
}

/** Gives a ClusterRole in every namespace and outside of them.
 *  Source: Kubernetes API reference, ClusterRoleBinding v1. */
export function clusterRoleBindingResource(guard: GuardOf): ResourceDefinition {
  return {
    ...common,
    plural: 'clusterrolebindings',
    singular: 'clusterrolebinding',
    kind: 'ClusterRoleBinding',
    namespaced: false,
    schema: bindingSchema(
      'ClusterRoleBinding',
      'ClusterRoleBinding gives a ClusterRole to someone in the whole cluster.',
    ),
    strategy: bindingStrategy('clusterrolebindings', ['ClusterRole'], guard),
  }
}

function bindingSchema(kind: string, description: string): Schema {
  return struct({ subjects: subjectsSchema, roleRef: roleRefSchema }, description, {
    definition: rbacDefinition(kind),
    required: ['roleRef'],
  })
}

function bindingStrategy(
  resource: string,
  roleKinds: readonly string[],
  guardOf: GuardOf,
): Strategy {
  const namespaced = roleKinds.includes('Role')
  const errors = (object: ApiObject) => bindingErrors(object, roleKinds, namespaced)
  const check: GrantCheck = (object, _old, context) => {
    const { name = '', namespace = '' } = object.metadata
    const through = { group: rbacGroup, resource, namespace, name }
    guardOf(context).checkBinding(context.user, roleRefOf(object), through)
  }
  return {
    nameRule: 'pathSegment',
    generation: 'none',
    metadata: { reportedFirst: true, qualifiedFinalizers: true },
    tellsErrorsOnce: true,
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: true,
    setDefaults: setBindingDefaults,
    authorizeWrite: grantsChecked(check),
    validate: (object) => [...errors(object), ...missingNames(object)],
    validateUpdate: (next, old) => [
      ...errors(next),
      ...roleRefChangeErrors(next, old),
      ...missingNames(next),
    ],
  }
}

const columns: readonly Column[] = [
  nameColumn,
  {
    name: 'Role',
    type: 'string',
    description: 'The role that is given.',
    cell: (object) => `${roleRefOf(object).kind}/${roleRefOf(object).name}`,
  },
  ageColumn,
  subjectColumn('Users', 'User', 'Users that get the role.'),
  subjectColumn('Groups', 'Group', 'Groups that get the role.'),
  subjectColumn('ServiceAccounts', 'ServiceAccount', 'Service accounts that get the role.'),
]

function subjectColumn(name: string, kind: string, description: string): Column {
  const shown = (object: ApiObject) =>
    subjectsOf(object)
      .filter((subject) => subject.kind === kind)
      .map((subject) =>
        kind === 'ServiceAccount' ? `${subject.namespace ?? ''}/${subject.name}` : subject.name,
      )
      .join(', ')
  return { name, type: 'string', description, priority: 1, cell: shown }
}

const common = {
  group: rbacGroup,
  version: 'v1',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  patchTypes: builtInPatchTypes,
  columns,
} as const
