import type { GuardOf } from './guardOf.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { clusterRoleBindingResource, roleBindingResource } from './bindings.ts'
import { clusterRoleResource, roleResource } from './roles.ts'

export interface RbacResources {
  roles: ResourceDefinition
  clusterRoles: ResourceDefinition
  roleBindings: ResourceDefinition
  clusterRoleBindings: ResourceDefinition
}

/** The kinds of rbac.authorization.k8s.io/v1. */
export function rbacResources(guard: GuardOf): RbacResources {
  return {
    roles: roleResource(guard),
    clusterRoles: clusterRoleResource(guard),
    roleBindings: roleBindingResource(guard),
    clusterRoleBindings: clusterRoleBindingResource(guard),
  }
}
