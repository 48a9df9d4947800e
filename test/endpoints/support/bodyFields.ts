/** A field at its place in the bodies of one operation, as the published document has it. */
export interface BodyField {
  /** Names, and 0 for the first entry of a list. */
  path: readonly (string | number)[]
  isRequired: boolean
  /** Empty value of the field. */
  empty: unknown
  /** The definition and the field's name, whatever body it stands in. */
  identity: string
}

/** A way to create objects: its path, with the namespace `default` and the name `a` where one belongs in it. */
export interface BodyKind {
  path: string
  apiVersion: string
  kind: string
  fields: readonly BodyField[]
}

interface Published {
  type?: string
  format?: string
  $ref?: string
  required?: readonly string[]
  properties?: Readonly<Record<string, Published>>
  items?: Published
  additionalProperties?: Published
}

interface Operation {
  parameters?: readonly { in: string; schema?: Published }[]
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }
}

interface Document {
  definitions: Readonly<Record<string, Published>>
  paths: Readonly<Record<string, { post?: Operation; parameters?: Operation['parameters'] }>>
}

/** All bodies that a POST of the document takes, with every field of them; of types that hold themselves one level. */
export function bodyKinds(published: unknown): BodyKind[] {
  // The server's own document, of the form that OpenAPI gives it.
  const document = published as Document
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const gvk = post?.['x-kubernetes-group-version-kind']
    const schema = post?.parameters?.find((parameter) => parameter.in === 'body')?.schema
    if (gvk === undefined || schema === undefined) return []
    const apiVersion = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`
    const filled = path.replace('{namespace}', 'default').replace('{name}', 'a')
    const fields = [...fieldsOf(schema, [], { document, within: [] })]
    return [{ path: filled, apiVersion, kind: gvk.kind, fields }]
  })
}

interface Walk {
  document: Document
  /** The definitions around a place. */
  within: readonly string[]
}

function* fieldsOf(
  schema: Published,
  path: readonly (string | number)[],
  { document, within }: Walk,
): Generator<BodyField> {
  const name = schema.$ref?.split('/').pop() ?? ''
  const resolved = document.definitions[name] ?? schema
  if (within.includes(name)) return
  const walk = { document, within: name === '' ? within : [...within, name] }
  if (resolved.items !== undefined) yield* fieldsOf(resolved.items, [...path, 0], walk)
  if (resolved.additionalProperties !== undefined) {
    yield* fieldsOf(resolved.additionalProperties, [...path, 'k'], walk)
  }
  for (const [field, member] of Object.entries(resolved.properties ?? {})) {
    if (isEnvelope(field, path)) continue
    const at = [...path, field]
    const isRequired = resolved.required?.includes(field) === true
    yield { path: at, isRequired, empty: emptyOf(member, document), identity: `${name}#${field}` }
    yield* fieldsOf(member, at, walk)
  }
}

/** Kind and version choose the type; the server sets most of the metadata of an object. */
function isEnvelope(field: string, path: readonly (string | number)[]): boolean {
  return path.length === 0 && ['kind', 'apiVersion', 'metadata'].includes(field)
}

function emptyOf(schema: Published, { definitions }: Document): unknown {
  const name = schema.$ref?.split('/').pop() ?? ''
  const { type, format = name } = definitions[name] ?? schema
  if (type === 'array') return []
  if (type === 'integer' || type === 'number') return 0
  if (type === 'boolean') return false
  return type === 'string' ? (Object.hasOwn(emptyTexts, format) ? emptyTexts[format] : '') : {}
}

/** Strings that are no string in Go. A zero time is null in JSON. */
const emptyTexts: Readonly<Record<string, unknown>> = {
  'date-time': null,
  'int-or-string': 0,
  'io.k8s.apimachinery.pkg.api.resource.Quantity': '0',
}
