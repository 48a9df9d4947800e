/** A known representation. */
export interface ServedType {
  mediaType: string
  /** True if watches support it. */
  streams: boolean
  /** True if the type is implemented; otherwise it is only listed in errors. */
  served: boolean
  /** Set if it exists for metadata alone, and not for whole objects. */
  onlyMetadata?: boolean
}

export const jsonType = 'application/json'
export const yamlType = 'application/yaml'
export const protobufType = 'application/vnd.kubernetes.protobuf'

/** Types in order of preference for wildcards. Source: reference 1.9. */
export const defaultTypes: readonly ServedType[] = [
  { mediaType: jsonType, streams: true, served: true },
  { mediaType: yamlType, streams: false, served: true },
  { mediaType: protobufType, streams: true, served: false },
]

/** The list in the message of a 406, for a watch or for other requests. */
export function acceptedTypes(types: readonly ServedType[], stream = false): string[] {
  if (!stream) return types.map(({ mediaType }) => mediaType)
  return types.filter(({ streams }) => streams).map(({ mediaType }) => `${mediaType};stream=watch`)
}
