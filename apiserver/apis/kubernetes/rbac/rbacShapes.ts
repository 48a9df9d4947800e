import type { Schema } from '../../../meta/schema.ts'
import { struct, string } from '../../schema.ts'

/** Shapes that the kinds of the group use. Source: Kubernetes API reference, rbac.authorization.k8s.io/v1. */

/** The name that a type of the group is published under. */
export function rbacDefinition(name: string): string {
  return `io.k8s.api.rbac.v1.${name}`
}

function atomicTexts(description: string): Schema {
  return {
    type: 'array',
    items: { type: 'string' },
    description,
    'x-kubernetes-list-type': 'atomic',
  }
}

/** String that is always present; the kind's rules say when it must not be empty. */
function alwaysText(description: string): Schema {
  return { type: 'string', description, zero: '' }
}

function optionalStrings(description: string): Schema {
  return { ...atomicTexts(description), omitEmpty: true }
}

const policyRule = struct(
  {
    verbs: { ...atomicTexts('What may be done; * is everything.'), zero: null },
    apiGroups: optionalStrings('API groups of the resources; "" is the core group, * every group.'),
    resources: optionalStrings(
      'Resources the rule is about: a plural, a plural with its subresource, */subresource, or * for all.',
    ),
    resourceNames: optionalStrings('Names of the objects the rule is about; none means all.'),
    nonResourceURLs: optionalStrings(
      'Paths outside the resources; * is allowed alone and as the last step. Only what holds for the whole cluster can give them.',
    ),
  },
  'One thing that a role allows. It is about resources or about paths, not about both.',
  { definition: rbacDefinition('PolicyRule'), required: ['verbs'] },
)

/** The rules of a role; a role without any says null. */
export const rulesSchema: Schema = {
  type: 'array',
  items: policyRule,
  description: 'What the role allows.',
  zero: null,
  'x-kubernetes-list-type': 'atomic',
}

const subject = struct(
  {
    kind: alwaysText('User, Group or ServiceAccount.'),
    apiGroup: string(
      'API group of the subject: "" for a ServiceAccount, rbac.authorization.k8s.io for a User or Group, and so by default.',
    ),
    name: alwaysText('The user or team.'),
    namespace: string('Namespace of a ServiceAccount.'),
  },
  'Someone whom a binding gives a role.',
  { definition: rbacDefinition('Subject'), required: ['kind', 'name'] },
)

export const subjectsSchema: Schema = {
  type: 'array',
  items: { ...subject, 'x-kubernetes-map-type': 'atomic' },
  description: 'Who gets the role.',
  omitEmpty: true,
  'x-kubernetes-list-type': 'atomic',
}

export const roleRefSchema: Schema = {
  ...struct(
    {
      apiGroup: alwaysText('API group of the role.'),
      kind: alwaysText('Role or ClusterRole.'),
      name: alwaysText('Name of the role.'),
    },
    'The role that is given. It cannot be changed once it is set.',
    { definition: rbacDefinition('RoleRef'), required: ['kind', 'name'] },
  ),
  'x-kubernetes-map-type': 'atomic',
  zero: {},
}
