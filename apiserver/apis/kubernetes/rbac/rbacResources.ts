import type { BuiltInTypes } from '../builtInTypes.ts'
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
export function rbacResources(types: BuiltInTypes, guard: GuardOf): RbacResources {
  return {
    roles: roleResource(types, guard),
    clusterRoles: clusterRoleResource(types, guard),
    roleBindings: roleBindingResource(types, guard),
    clusterRoleBindings: clusterRoleBindingResource(types, guard),
  }
}
