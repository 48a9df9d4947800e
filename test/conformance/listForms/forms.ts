/** Form in which a list is requested, with a function that finds its revision. */
export interface ListForm {
  name: string
  accept: string
  query: string
  revision: (body: Buffer) => string
  /** Part that is equal in two lists of the same state; default: all bytes. */
  compared?: (body: Buffer) => unknown
}

const metadataOnly = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
const json = 'application/json'
const yaml = 'application/yaml'
const protobuf = 'application/vnd.kubernetes.protobuf'

// Metadata precedes the items in JSON, and is at the left margin in YAML.
const inJson = (body: Buffer) => found(/"resourceVersion": ?"(\d+)"/, body)
const inYaml = (body: Buffer) =>
  found(/^metadata:\n(?: {2}.*\n)*? {2}resourceVersion: "(\d+)"/m, body)
/** Second field of the list's metadata, the first one that consists of digits. */
const inProtobuf = (body: Buffer) => {
  for (const match of body.toString('latin1').matchAll(/\x12([\x01-\x13])(\d+)/g)) {
    const [, length = '', digits = ''] = match
    if (digits.length >= length.charCodeAt(0)) return digits.slice(0, length.charCodeAt(0))
  }
  throw new Error('no revision in a list in protobuf')
}

export const listForms: readonly ListForm[] = [
  { name: 'JSON', accept: json, query: '', revision: inJson },
  { name: 'pretty JSON', accept: json, query: 'pretty=true', revision: inJson },
  { name: 'YAML', accept: yaml, query: '', revision: inYaml },
  { name: 'protobuf', accept: protobuf, query: '', revision: inProtobuf },
  { name: 'metadata', accept: `${json};${metadataOnly}`, query: '', revision: inJson },
  { name: 'metadata in YAML', accept: `${yaml};${metadataOnly}`, query: '', revision: inYaml },
  {
    name: 'metadata in protobuf',
    accept: `${protobuf};${metadataOnly}`,
    query: '',
    revision: inProtobuf,
  },
  {
    name: 'a table',
    accept: `${json};as=Table;v=v1;g=meta.k8s.io`,
    query: '',
    revision: inJson,
    compared: rowsWithoutAge,
  },
]

export const listSelections: readonly string[] = [
  '',
  'labelSelector=color%3Dred',
  'fieldSelector=metadata.name!%3Dm3',
  'limit=150',
  'labelSelector=color%3Dred&limit=70',
]

function found(pattern: RegExp, body: Buffer): string {
  const revision = pattern.exec(body.toString())?.[1]
  if (revision === undefined) throw new Error(`no revision in ${body.toString().slice(0, 200)}`)
  return revision
}

/** Removes the last column, the age of an object. */
function rowsWithoutAge(body: Buffer): unknown {
  const table = JSON.parse(body.toString()) as { rows: { cells: unknown[] }[] } // what was asked for
  for (const { cells } of table.rows) cells.pop()
  return table
}
