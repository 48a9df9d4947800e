import type { AuthorizationAttributes } from '../authorization/authorizer.ts'
import type { RequestTarget } from '../authorization/requestTarget.ts'
import type { RequestTarget as AuditedTarget } from '../audit/auditSettings.ts'
import type { UserInfo } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'

/** The object of the management API that a plane belongs to. */
export interface PlaneObject {
  /** The store of clusters or of instances. */
  store: Store
  name: ObjectName
  /** The plane as scopes of access keys refer to it. */
  target: RequestTarget
  /** The plane as audit policies refer to it. */
  audited: { target: AuditedTarget; cluster: string }
}

/** The request to use the object, as the management API authorizes it. `target` is the plane's, for scopes. */
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
