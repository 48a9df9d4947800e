import { readFileSync } from 'node:fs'

/** Encoding of an object by Kubernetes' own Go library; see vectors.go. */
interface Vector {
  name: string
  /** The type of the watch event whose frame the bytes are. Absent: they are the object alone. */
  event?: string
  json: { apiVersion: string; kind: string; [field: string]: unknown }
  protobuf: Buffer
}

export function readVectors(): Vector[] {
  const text = readFileSync(new URL('vectors.json', import.meta.url), 'utf8')
  // The file is written by vectors.go, whose type this is.
  const raw = JSON.parse(text) as (Omit<Vector, 'protobuf'> & { protobuf: string })[]
  return raw.map((vector) => ({ ...vector, protobuf: Buffer.from(vector.protobuf, 'base64') }))
}

/** The kind that an object says it is. */
export function kindOf({ apiVersion, kind }: Pick<Vector['json'], 'apiVersion' | 'kind'>): {
  group: string
  version: string
  kind: string
} {
  const words = apiVersion.split('/')
  return { group: words.at(-2) ?? '', version: words.at(-1) ?? '', kind }
}
