import { readFileSync } from 'node:fs'

/** Encoding of an object by Kubernetes' own Go library; see vectors.go. */
interface Vector {
  name: string
  /** Type of the watch event in the frame. Absent: the bytes are the object alone. */
  event?: string
  json: { apiVersion: string; kind: string; [field: string]: unknown }
  protobuf: Buffer
}

export function readVectors(): Vector[] {
  const text = readFileSync(new URL('vectors.json', import.meta.url), 'utf8')
  // vectors.go writes the file with this type.
  const raw = JSON.parse(text) as (Omit<Vector, 'protobuf'> & { protobuf: string })[]
  return raw.map((vector) => ({ ...vector, protobuf: Buffer.from(vector.protobuf, 'base64') }))
}

/** Group and kind of an object. */
export function kindOf({ apiVersion, kind }: Pick<Vector['json'], 'apiVersion' | 'kind'>): {
  group: string
  version: string
  kind: string
} {
  const words = apiVersion.split('/')
  return { group: words.at(-2) ?? '', version: words.at(-1) ?? '', kind }
}
