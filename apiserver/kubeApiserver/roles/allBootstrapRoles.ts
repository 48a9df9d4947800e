import { autoUpdate } from '../../apis/kubernetes/rbac/bootstrapForm.ts'
import { rbacGroup, type PolicyRule } from '../../authorization/rbac/policyRule.ts'
import type { StartRoles } from '../../controlPlane/startRoles.ts'
import type { ApiObject } from '../../meta/types.ts'
import recorded from './bootstrapRoles.json' with { type: 'json' }

/** Recorded object without the fields common to all. */
interface Recorded {
  namespace?: string
  name: string
  labels?: Record<string, string>
  rules?: PolicyRule[]
  aggregationRule?: object
  roleRef?: object
  subjects?: object[]
}

/**
 * The roles and bindings of every component of Kubernetes. Aggregated roles have no rules: a controller gathers them.
 * Source: recorded from kube-apiserver 1.37.2 by hack/real-server/bootstrapRoles.mjs.
 */
export function allBootstrapRoles(): StartRoles {
  const { roles, bindings, namespaceRoles, namespaceBindings } = recorded as Record<
    keyof StartRoles,
    Recorded[]
  >
  return {
    roles: roles.map((one) => objectOf('ClusterRole', { rules: [], ...one })),
    bindings: bindings.map((one) => objectOf('ClusterRoleBinding', one)),
    namespaceRoles: namespaceRoles.map((one) => objectOf('Role', one)),
    namespaceBindings: namespaceBindings.map((one) => objectOf('RoleBinding', one)),
  }
}

function objectOf(kind: string, { namespace, name, labels, ...content }: Recorded): ApiObject {
  return {
    kind,
    apiVersion: `${rbacGroup}/v1`,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { [autoUpdate]: 'true' },
    },
    ...content,
  }
}
