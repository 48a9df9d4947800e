import type { ApiObject } from '../meta/types.ts'

/** Restores the metadata of `old`: for a status that is written without anything else of the object. */
export function keepMetadata(next: ApiObject, old: ApiObject): void {
  const { resourceVersion, managedFields } = next.metadata
  next.metadata = structuredClone(old.metadata)
  if (resourceVersion !== undefined) next.metadata.resourceVersion = resourceVersion
  if (managedFields === undefined) delete next.metadata.managedFields
  else next.metadata.managedFields = managedFields
}
