/** Media types of a kind's responses. Source: reference 6.3. */
export interface MediaTypes {
  objects: readonly string[]
  lists: readonly string[]
  watches: readonly string[]
}

const json = 'application/json'
const yaml = 'application/yaml'
const protobuf = 'application/vnd.kubernetes.protobuf'
const stream = ';stream=watch'

const plain: MediaTypes = {
  objects: [json, yaml],
  lists: [json, yaml, json + stream],
  watches: [json, yaml, json + stream],
}

const withProtobuf: MediaTypes = {
  objects: [json, yaml, protobuf],
  lists: [json, yaml, protobuf, json + stream, protobuf + stream],
  watches: [json, yaml, protobuf, json + stream, protobuf + stream],
}

/** Bodies of any type are accepted: the server refuses unknown ones with 415. */
export const anyType: readonly string[] = ['*/*']

export function mediaTypes(hasProtobuf: boolean): MediaTypes {
  return hasProtobuf ? withProtobuf : plain
}
