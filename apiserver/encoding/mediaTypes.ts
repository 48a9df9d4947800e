/** A known representation. */
export interface ServedType {
  mediaType: string
  /** True if watches support it. */
  streams: boolean
  /** True if this representation exists only for metadata, not for whole objects. */
  onlyMetadata?: boolean
}

export const jsonType = 'application/json'
export const yamlType = 'application/yaml'
export const protobufType = 'application/vnd.kubernetes.protobuf'

/**
 * Types of any kind, in order of preference for wildcards. Metadata is a built-in kind, even that
 * of custom objects. Source: reference 1.9.
 */
export const defaultTypes: readonly ServedType[] = [
  { mediaType: jsonType, streams: true },
  { mediaType: yamlType, streams: false },
  { mediaType: protobufType, streams: true, onlyMetadata: true },
]

/** The list in the message of a 406, for a watch or for other requests. */
export function acceptedTypes(types: readonly ServedType[], stream = false): string[] {
  if (!stream) return types.map(({ mediaType }) => mediaType)
  return types.filter(({ streams }) => streams).map(({ mediaType }) => `${mediaType};stream=watch`)
}
