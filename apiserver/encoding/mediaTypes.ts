/** A representation that the server knows. */
export interface ServedType {
  mediaType: string
  /** Whether a watch can be written in it. */
  streams: boolean
  /** False: it stands in the lists that errors show, but is not written yet. */
  served: boolean
}

export const jsonType = 'application/json'
export const yamlType = 'application/yaml'
export const protobufType = 'application/vnd.kubernetes.protobuf'

/** In the order in which wildcards choose. Source: reference 1.9. */
export const defaultTypes: readonly ServedType[] = [
  { mediaType: jsonType, streams: true, served: true },
  { mediaType: yamlType, streams: false, served: true },
  { mediaType: protobufType, streams: true, served: false },
]

/** The list that the message of a 406 shows, for a watch or for anything else. */
export function acceptedTypes(types: readonly ServedType[], stream = false): string[] {
  if (!stream) return types.map(({ mediaType }) => mediaType)
  return types.filter(({ streams }) => streams).map(({ mediaType }) => `${mediaType};stream=watch`)
}
