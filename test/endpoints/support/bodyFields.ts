/** Field at its place in the bodies of one operation, as in the published document. */
export interface BodyField {
  /** Path of names, and 0 for the first item of a list. */
  path: readonly (string | number)[]
  isRequired: boolean
  /** Empty value of the field. */
  empty: unknown
  /** Definition and name of the field, independent of the body that contains it. */
  identity: string
}

/**
 * Way to create objects: its path, with the namespace `default` and the name `a` if it needs them.
 */
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

/** All bodies of a POST in the document, with every field; recursive types have one level. */
export function bodyKinds(published: unknown): BodyKind[] {
  // The document of the server has the form of OpenAPI.
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
  /** Names of the definitions around the field. */
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

/** Fields that determine the type, and metadata that the server sets. */
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

/** Formats of strings that are not strings in Go. A zero time is null in JSON. */
const emptyTexts: Readonly<Record<string, unknown>> = {
  'date-time': null,
  'int-or-string': 0,
  'io.k8s.apimachinery.pkg.api.resource.Quantity': '0',
}
