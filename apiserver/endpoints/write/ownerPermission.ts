import { forbiddenField, type FieldError } from '../../meta/fieldErrors.ts'
import { invalid } from '../../meta/statusErrors.ts'
import type { ApiObject, OwnerReference } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { Exchange } from '../exchange.ts'

/**
 * Returns a check of blockOwnerDeletion, which requires the right to delete the owner. It returns undefined if there is
 * nothing to check, and refuses with StatusError Invalid.
 * Source: specification, "Errors"; Kubernetes, OwnerReferencesPermissionEnforcement.
 */
export function ownerPermission(exchange: Exchange, resource: ResourceDefinition) {
  return (next: ApiObject, old: ApiObject | undefined): Promise<void> | undefined => {
    if (exchange.plane.allowsAnyOwner === true) return undefined
    const blocking = (next.metadata.ownerReferences ?? []).flatMap((owner, index) => {
      const isNew = owner.blockOwnerDeletion === true && !wasBlocking(owner, old)
      return isNew ? [{ owner, index }] : []
    })
    return blocking.length === 0 ? undefined : refuse(exchange, resource, next, blocking)
  }
}

interface Blocking {
  owner: OwnerReference
  index: number
}

async function refuse(
  exchange: Exchange,
  resource: ResourceDefinition,
  next: ApiObject,
  blocking: readonly Blocking[],
): Promise<void> {
  const errors: FieldError[] = []
  for (const { owner, index } of blocking) {
    if (await mayDelete(exchange, owner, next)) continue
    const path = `metadata.ownerReferences[${index}].blockOwnerDeletion`
    const why =
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't delete"
    errors.push(forbiddenField(path, why))
  }
  if (errors.length > 0) throw invalid(resource, next.metadata.name ?? '', errors)
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
  // An owner without a kind is ignored: nothing waits for it.
  if (kind === undefined) return true
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
