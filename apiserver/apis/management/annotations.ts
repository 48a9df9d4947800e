import type { ApiObject } from '../../meta/types.ts'

/** Copy with the annotation, or without it if there is no value. Keys are sorted, as in canonical objects. */
export function withAnnotation(
  object: ApiObject,
  name: string,
  value: string | undefined,
): ApiObject {
  if (object.metadata.annotations?.[name] === value) return object
  const { annotations, ...metadata } = object.metadata
  const { [name]: _, ...others } = annotations ?? {}
  const all = Object.entries(value === undefined ? others : { ...others, [name]: value })
  if (all.length === 0) return { ...object, metadata }
  const sorted = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
  return { ...object, metadata: { ...metadata, annotations: sorted } }
}
