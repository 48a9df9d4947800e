import { authenticationResources } from '../apis/kubernetes/authentication/tokenReviews.ts'
import { authorizationResources } from '../apis/kubernetes/authorization/reviewResources.ts'
import { builtInResources } from '../apis/kubernetes/builtInResources.ts'
import { BuiltInTypes } from '../apis/kubernetes/builtInTypes.ts'
import { featuresLackedBy, newestMinor, servesKind } from '../apis/kubernetes/emulatedVersion.ts'
import { inGroupOrder } from '../apis/kubernetes/groupOrder.ts'
import { configMapResource } from '../apis/kubernetes/core/configMap.ts'
import { namespaceResource } from '../apis/kubernetes/core/namespace/namespace.ts'
import { secretResource } from '../apis/kubernetes/core/secret.ts'
import { PlaneAccess } from '../apis/planeAccess.ts'
import { clusterBootstrapRoles } from '../apis/kubernetes/rbac/bootstrapRoles.ts'
import { rbacResources, type RbacResources } from '../apis/kubernetes/rbac/rbacResources.ts'
import { privilegedGroup } from '../authorization/privilegedGroup.ts'
import { EscalationGuard } from '../authorization/rbac/escalation.ts'
import { RbacAuthorizer } from '../authorization/rbac/rbacAuthorizer.ts'
import { RbacIndex } from '../authorization/rbac/rbacIndex.ts'
import { PlaneKinds, type DocumentWords } from '../controlPlane/planeKinds.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { RequestContext } from '../registry/strategy.ts'
import { startRoles, type StartRoles } from '../controlPlane/startRoles.ts'
import { planeUserGroup, planeUserRoles } from './startBindings.ts'

/**
 * Kinds and default objects of every cluster, host or virtual. Definitions, schemas, documents and
 * the default roles are created once and shared by all clusters. Requests identify their plane.
 */
export interface ClusterKinds {
  planeKinds: PlaneKinds
  rbac: RbacResources
  roles: StartRoles
}

/** @param minor minor version of Kubernetes that defines the served kinds and fields. */
export function clusterKinds(
  names: NamesProfile,
  words: Omit<DocumentWords, 'title'>,
  minor = newestMinor,
): ClusterKinds {
  const types = new BuiltInTypes(featuresLackedBy(minor))
  const access = new PlaneAccess()
  const rights = (context: RequestContext) => access.of(context).rights()
  const rbac = rbacResources(types, (context) =>
    isOwn(context) ? ownGuard : rights(context).guard,
  )
  const resources: ResourceDefinition[] = [
    ...[namespaceResource, configMapResource, secretResource],
    ...Object.values<ResourceDefinition>({ ...rbac }),
    ...Object.values<ResourceDefinition>({
      ...authorizationResources(names, (context) => rights(context).decisions),
      ...authenticationResources({
        names,
        types,
        authenticate: (token, context) => rights(context).authenticate(token),
        tokens: (context) => access.of(context).tokens(),
      }),
    }),
    ...builtInResources({ types, access }).filter((kind) => servesKind(kind, minor)),
  ]
  return {
    planeKinds: new PlaneKinds(inGroupOrder(resources), { title: 'Kubernetes', ...words }),
    rbac,
    roles: startRoles(rolesWithPlaneUsers(names)),
  }
}

/** Reports whether the server itself writes, without a request to a plane and with all rights. */
function isOwn({ plane }: RequestContext): boolean {
  return plane === undefined
}

const ownGuard = new EscalationGuard(new RbacAuthorizer(new RbacIndex(), [privilegedGroup]))

/**
 * The default roles, bound to users from the platform by bindings that the cluster's own administrators see and may
 * remove.
 */
function rolesWithPlaneUsers(names: NamesProfile) {
  return clusterBootstrapRoles(names).map((role) =>
    planeUserRoles.includes(role.name)
      ? { ...role, groups: [...(role.groups ?? []), planeUserGroup(names, role.name)] }
      : role,
  )
}
