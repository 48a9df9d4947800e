import { isDeepStrictEqual } from 'node:util'
import type { ApiObject, ObjectMeta } from '../../meta/types.ts'

/** Metadata that the server sets for a new object. */
const serverFields = [
  ...(['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'selfLink'] as const),
  ...([
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'generateName',
    'managedFields',
  ] as const),
]

/** Object as a client would create it, without the status, which controllers set, if the API keeps it separate. */
export function restorable(object: ApiObject): ApiObject {
  const metadata: ObjectMeta = { ...object.metadata }
  for (const field of serverFields) delete metadata[field]
  return { ...object, metadata }
}

/** Reports whether a restore would write the same content for two objects. */
export function hasSameContent(one: ApiObject, other: ApiObject): boolean {
  return isDeepStrictEqual(content(one), content(other))
}

function content(object: ApiObject): ApiObject {
  const { status: _, ...rest } = restorable(object)
  const { ownerReferences: owners = [], ...metadata } = rest.metadata
  // A restored owner has another uid.
  const named = owners.map(({ uid: __, ...owner }) => ({ ...owner, uid: '' }))
  return { ...rest, metadata: { ...metadata, ownerReferences: named } }
}

/** The order of restore: namespaces and definitions of kinds first, then each object after its owners. */
export function inOrder(objects: readonly ApiObject[]): ApiObject[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid ?? '', object]))
  const ordered = new Set<ApiObject>()
  const visiting = new Set<ApiObject>()
  const visit = (object: ApiObject) => {
    // Owners can form a cycle, which has no order.
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
