/** Writes the page of the platform's kinds from the OpenAPI document of a server: `apiReference.ts PAGE`. */
import { writeFileSync } from 'node:fs'
import { servedDocument } from '../docs/servedDocument.ts'
import { codeCell, textCell } from '../docs/tableCells.ts'

interface OpenApiSchema {
  description?: string
  type?: string
  $ref?: string
  allOf?: OpenApiSchema[]
  properties?: Record<string, OpenApiSchema>
  items?: OpenApiSchema
  additionalProperties?: OpenApiSchema
  enum?: unknown[]
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
}

interface Operation {
  'x-kubernetes-action'?: string
  'x-kubernetes-group-version-kind'?: { kind: string }
}

interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, OpenApiSchema> }
}

const group = 'management.platform'
const version = 'v1'
const [page = 'docs/reference/api-reference.md'] = process.argv.slice(2)
// Sound: the shape is that of OpenAPI v3.
const { paths, components } = JSON.parse(
  await servedDocument(`/openapi/v3/apis/${group}/${version}`),
) as OpenApiDocument

const kinds = Object.values(components.schemas)
  .flatMap((schema) => {
    const own = schema['x-kubernetes-group-version-kind']?.find((each) => each.group === group)
    const spec = schema.properties?.['spec'] ?? schema.properties?.['status']
    return own === undefined || spec === undefined ? [] : [{ kind: own.kind, schema }]
  })
  .sort((a, b) => (a.kind < b.kind ? -1 : 1))

writeFileSync(
  page,
  `# API reference

This page lists the kinds of \`${group}/${version}\`. It is generated from the server's OpenAPI document by
\`hack/update-api-reference.sh\`. \`kubectl explain KIND --recursive\` shows the same, and also describes the built-in kinds of
Kubernetes; at \`/docs\` you can call the operations in a browser. \`a[].b\` is the field \`b\` of each item in the list \`a\`. The fields
of Config are in [config-reference.md](config-reference.md).

${kinds.map(({ kind, schema }) => kindSection(kind, schema)).join('\n\n')}
`,
)

function kindSection(kind: string, schema: OpenApiSchema): string {
  const fields = kind === 'Config' ? [] : ['spec', 'status'].flatMap((name) => rows(name, schema))
  const table = ['| field | type | |', '|---|---|---|', ...fields]
  return [
    `## ${kind}`,
    '',
    textCell(schema.description ?? ''),
    '',
    ...addresses(kind),
    ...(fields.length === 0 ? [] : ['', ...table]),
  ].join('\n')
}

/** A line for each path of the kind, with its methods. */
function addresses(kind: string): string[] {
  return Object.entries(paths).flatMap(([path, operations]) => {
    const methods = Object.entries(operations)
      .filter(([, operation]) => operation['x-kubernetes-group-version-kind']?.kind === kind)
      .map(([method]) => method.toUpperCase())
    return methods.length === 0 || path.includes('/watch/')
      ? []
      : [`- ${codeCell(path)}: ${methods.join(', ')}`]
  })
}

/** Rows of a field and all nested fields. */
function rows(name: string, schema: OpenApiSchema): string[] {
  const field = schema.properties?.[name]
  return field === undefined ? [] : fieldRows(name, field, [])
}

function fieldRows(path: string, given: OpenApiSchema, seen: readonly string[]): string[] {
  const { schema, name } = resolved(given)
  const description = given.description ?? schema.description ?? ''
  const own = `| ${codeCell(path)} | ${typeOf(schema)} | ${textCell(description)} |`
  // A recursive definition is described once.
  if (name !== undefined && seen.includes(name)) return [own]
  const within = name === undefined ? seen : [...seen, name]
  const items = schema.items && resolved(schema.items)
  const inner = items?.schema.properties
  const below = Object.entries(inner ?? schema.properties ?? {})
  const prefix = inner === undefined ? path : `${path}[]`
  return [own, ...below.flatMap(([each, field]) => fieldRows(`${prefix}.${each}`, field, within))]
}

/** Schema of a reference, with the name of its definition. */
function resolved(schema: OpenApiSchema): { schema: OpenApiSchema; name?: string } {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
  if (reference === undefined) return { schema }
  const name = reference.split('/').at(-1) ?? ''
  return { schema: components.schemas[name] ?? {}, name }
}

function typeOf({
  type = 'object',
  items,
  additionalProperties,
  enum: values,
}: OpenApiSchema): string {
  if (values !== undefined) return values.map((value) => codeCell(JSON.stringify(value))).join(', ')
  const inner = items ?? additionalProperties
  return inner === undefined ? type : `${type} of ${resolved(inner).schema.type ?? 'object'}`
}
