import type { AuthorizationAttributes } from '../authorization/authorizer.ts'
import type { RequestTarget } from '../authorization/requestTarget.ts'
import type { RequestTarget as AuditedTarget } from '../audit/auditSettings.ts'
import type { UserInfo } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'

/** The object of the management API that brings a plane with it. */
export interface PlaneObject {
  /** Clusters or instances. */
  store: Store
  name: ObjectName
  /** What scopes know the plane as. */
  target: RequestTarget
  /** What audit policies know it as. */
  audited: { target: AuditedTarget; cluster: string }
}

/** Using the object, as the management API would be asked for it. `target` is that of the plane, for scopes. */
export function useOf(
  { store: { resource }, name, target }: PlaneObject,
  user: UserInfo,
): AuthorizationAttributes {
  const { group, version, plural } = resource
  return {
    user,
    verb: 'use',
    isResource: true,
    group,
    version,
    resource: plural,
    subresource: '',
    namespace: name.namespace,
    name: name.name,
    path: '',
    target,
  }
}
