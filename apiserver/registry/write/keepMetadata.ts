import { deepCopy } from '../../meta/json/plainMembers.ts'
import type { ApiObject } from '../../meta/types.ts'

/** Restores the metadata of `old`, for a status that is written without any other part of the object. */
export function keepMetadata(next: ApiObject, old: ApiObject): void {
  const { resourceVersion, managedFields } = next.metadata
  next.metadata = deepCopy(old.metadata)
  if (resourceVersion !== undefined) next.metadata.resourceVersion = resourceVersion
  if (managedFields === undefined) delete next.metadata.managedFields
  else next.metadata.managedFields = managedFields
}

const labels = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const
const contents = ['deletionTimestamp', 'generation', ...labels] as const

/**
 * Restores identifying metadata of `old`: most kinds keep the rest as sent, for validation. Source: seen on
 * kube-apiserver 1.37.2.
 */
export function keepMetadataContents(next: ApiObject, old: ApiObject): void {
  keepFields(next, old, contents)
}

/** Restores only labels, annotations, finalizers and owners. */
export function keepLabels(next: ApiObject, old: ApiObject): void {
  keepFields(next, old, labels)
}

function keepFields(
  next: ApiObject,
  old: ApiObject,
  fields: readonly (typeof contents)[number][],
): void {
  for (const field of fields) {
    Reflect.deleteProperty(next.metadata, field)
    const value = old.metadata[field]
    if (value !== undefined) Object.assign(next.metadata, { [field]: deepCopy(value) })
  }
}
