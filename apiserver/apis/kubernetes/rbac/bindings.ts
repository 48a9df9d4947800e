import type { ApiObject } from '../../../meta/types.ts'
import { rbacGroup, roleRefOf, subjectsOf } from '../../../authorization/rbac/policyRule.ts'
import type { Column, ResourceDefinition } from '../../../registry/resource.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind } from '../builtInKind.ts'
import type { BuiltInTypes } from '../builtInTypes.ts'
import { bindingErrors, roleRefChangeErrors, setBindingDefaults } from './roleBindingRules.ts'
import { grantsChecked, type GrantCheck } from './grantsChecked.ts'
import type { GuardOf } from './guardOf.ts'

/**
 * Kind that grants a Role or ClusterRole in one namespace.
 * Source: Kubernetes API reference, RoleBinding v1.
 */
export function roleBindingResource(types: BuiltInTypes, guard: GuardOf): ResourceDefinition {
  return builtInKind(types, {
    group: rbacGroup,
    version: 'v1',
    plural: 'rolebindings',
    kind: 'RoleBinding',
    namespaced: true,
    description: 'RoleBinding grants a Role or a ClusterRole within its namespace.',
    strategy: bindingStrategy('rolebindings', ['Role', 'ClusterRole'], guard),
    columns,
  })
}

/**
 * Kind that grants a ClusterRole in all namespaces and for cluster-scoped objects.
 * Source: Kubernetes API reference, ClusterRoleBinding v1.
 */
export function clusterRoleBindingResource(
  types: BuiltInTypes,
  guard: GuardOf,
): ResourceDefinition {
  return builtInKind(types, {
    group: rbacGroup,
    version: 'v1',
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    namespaced: false,
    description: 'ClusterRoleBinding grants a ClusterRole in the whole cluster.',
    strategy: bindingStrategy('clusterrolebindings', ['ClusterRole'], guard),
    columns,
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
    allowCreateOnUpdate: true,
    setDefaults: setBindingDefaults,
    authorizeWrite: grantsChecked(check),
    declaredErrors: [
      { field: 'subjects[].name', reasons: ['FieldValueRequired'] },
      {
        field: 'roleRef.name',
        reasons: ['FieldValueRequired'],
        // The rule for changes of the role comes first; if it fails, the others do not run.
        isRun: (next, old) => roleRefChangeErrors(next, old).length === 0,
      },
    ],
    validate: errors,
    validateUpdate: (next, old) => [...errors(next), ...roleRefChangeErrors(next, old)],
  }
}

const columns: readonly Column[] = [
  nameColumn,
  {
    name: 'Role',
    type: 'string',
    description: 'Granted role.',
    cell: (object) => `${roleRefOf(object).kind}/${roleRefOf(object).name}`,
  },
  ageColumn,
  subjectColumn('Users', 'User', 'Users to whom the role is granted.'),
  subjectColumn('Groups', 'Group', 'Groups to which the role is granted.'),
  subjectColumn(
    'ServiceAccounts',
    'ServiceAccount',
    'Service accounts to which the role is granted.',
  ),
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
