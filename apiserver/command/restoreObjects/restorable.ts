import { isDeepStrictEqual } from 'node:util'
import type { ApiObject, ObjectMeta } from '../../meta/types.ts'

/** Metadata that the server sets for new objects. */
const serverFields = [
  ...(['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'selfLink'] as const),
  ...([
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'generateName',
    'managedFields',
  ] as const),
]

/**
 * Object as a client would create it: without the status, which controllers set, if the status is a
 * subresource.
 */
export function restorable(object: ApiObject): ApiObject {
  const metadata: ObjectMeta = { ...object.metadata }
  for (const field of serverFields) delete metadata[field]
  return { ...object, metadata }
}

/** Reports whether a restore would write the same content for both objects. */
export function hasSameContent(one: ApiObject, other: ApiObject): boolean {
  return isDeepStrictEqual(content(one), content(other))
}

function content(object: ApiObject): ApiObject {
  const { status: _, ...rest } = restorable(object)
  const { ownerReferences: owners = [], ...metadata } = rest.metadata
  // A restored owner has a new uid.
  const named = owners.map(({ uid: __, ...owner }) => ({ ...owner, uid: '' }))
  return { ...rest, metadata: { ...metadata, ownerReferences: named } }
}

/**
 * Order in which objects are restored: namespaces and definitions of kinds first, and owners before
 * their dependents.
 */
export function inOrder(objects: readonly ApiObject[]): ApiObject[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid ?? '', object]))
  const ordered = new Set<ApiObject>()
  const visiting = new Set<ApiObject>()
  const visit = (object: ApiObject) => {
    // Owners may form a cycle, for which there is no order.
    if (ordered.has(object) || visiting.has(object)) return
    visiting.add(object)
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const owner = byUid.get(uid)
      if (owner !== undefined) visit(owner)
    }
    ordered.add(object)
  }
  for (const kind of ['Namespace', 'CustomResourceDefinition'])
    for (const object of objects) if (object.kind === kind) visit(object)
  for (const object of objects) visit(object)
  return [...ordered]
}
