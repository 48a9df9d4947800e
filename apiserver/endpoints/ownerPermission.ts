import { isPrivileged } from '../authorization/privilegedGroup.ts'
import { forbiddenField, type FieldError } from '../meta/fieldErrors.ts'
import { invalid } from '../meta/statusErrors.ts'
import type { ApiObject, OwnerReference } from '../meta/types.ts'
import { decodeObject } from '../registry/objectBytes.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { Exchange } from './exchange.ts'
import type { Target } from './target.ts'

/** Blocking the deletion of an owner needs the right to delete it. `before` gives the object as it was; absent: a new one.
 *  @throws StatusError Invalid. Source: specification, "Errors"; Kubernetes, OwnerReferencesPermissionEnforcement. */
export async function checkOwnerPermission(
  exchange: Exchange,
  resource: ResourceDefinition,
  next: ApiObject,
  before?: () => ApiObject | undefined,
): Promise<void> {
  const owners = next.metadata.ownerReferences ?? []
  if (owners.length === 0 || isPrivileged(exchange.user)) return
  const old = before?.()
  const errors: FieldError[] = []
  for (const [index, owner] of owners.entries()) {
    if (owner.blockOwnerDeletion !== true || wasBlocking(owner, old)) continue
    if (await mayDelete(exchange, owner, next)) continue
    const path = `metadata.ownerReferences[${index}].blockOwnerDeletion`
    const why =
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't delete"
    errors.push(forbiddenField(path, why))
  }
  if (errors.length > 0) throw invalid(resource, next.metadata.name ?? '', errors)
}

/** The newest state of what a request is about; undefined: there is none. */
export function stored({ store, object }: Target): ApiObject | undefined {
  const found = store.options.storage.newest(store.keyOf(object))
  return found && decodeObject(found.value)
}

function wasBlocking({ uid }: OwnerReference, old: ApiObject | undefined): boolean {
  const owners = old?.metadata.ownerReferences ?? []
  return owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true)
}

async function mayDelete(
  { user, plane, path }: Exchange,
  owner: OwnerReference,
  next: ApiObject,
): Promise<boolean> {
  const kind = plane.resources.ofKind(owner)
  if (kind === undefined) return false
  const { group, version, plural, namespaced } = kind
  const { allowed } = await plane.authorize({
    user,
    path,
    verb: 'delete',
    isResource: true,
    group,
    version,
    resource: plural,
    subresource: '',
    namespace: namespaced ? (next.metadata.namespace ?? '') : '',
    name: owner.name,
  })
  return allowed
}
