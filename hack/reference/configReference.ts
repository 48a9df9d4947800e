/** Writes the page of the platform's configuration from its schema: `configReference.ts PAGE`. */
import { writeFileSync } from 'node:fs'
import { configStatusSchema } from '../../apiserver/apis/management/config/configStatus.ts'
import { namesProfile } from '../../apiserver/meta/names/namesProfile.ts'
import type { Schema } from '../../apiserver/meta/schema.ts'
import { codeCell, textCell } from '../docs/tableCells.ts'

interface Field {
  /** Path: `a.b`, `a[].b` for items of a list, `a.<key>` for values of a map. */
  path: string
  schema: Schema
}

const header = ['| field | type | default | |', '|---|---|---|---|']
const [page = 'docs/reference/config-reference.md'] = process.argv.slice(2)
const { properties = {} } = configStatusSchema(namesProfile())
const sections = Object.entries(properties).map(([name, schema]) => {
  const rows = fieldsOf(name, schema).map(row)
  return [`## ${name}`, '', schema.description ?? '', '', ...header, ...rows].join('\n')
})
writeFileSync(
  page,
  `# Configuration reference

This page lists every field of the [platform's configuration](../users/platform-config.md). It is generated from the schema by
\`hack/update-config-reference.sh\`. \`a[].b\` is the field \`b\` of each item in the list \`a\`, and \`a.<key>\` is each value in the
map \`a\`. Secrets are shown only to users who may \`get\` the subresource \`configs/secrets\`.

${sections.join('\n\n')}
`,
)

/** Field and all nested fields, in declared order. */
function fieldsOf(path: string, schema: Schema): Field[] {
  const { properties: inner = {}, items, additionalProperties } = schema
  const below = Object.entries(inner).flatMap(([name, field]) => fieldsOf(`${path}.${name}`, field))
  const ofItems = items?.properties === undefined ? [] : fieldsOf(`${path}[]`, items).slice(1)
  const ofValues =
    additionalProperties?.properties === undefined
      ? []
      : fieldsOf(`${path}.<key>`, additionalProperties).slice(1)
  return [{ path, schema }, ...below, ...ofItems, ...ofValues]
}

function row({ path, schema }: Field): string {
  const fallback = schema.default === undefined ? '' : codeCell(JSON.stringify(schema.default))
  return `| ${codeCell(path)} | ${typeOf(schema)} | ${fallback} | ${meaning(schema)} |`
}

function typeOf({ type, items, additionalProperties, secret }: Schema): string {
  const inner = items ?? additionalProperties
  const own: string = type ?? 'any'
  const whole = inner === undefined ? own : `${own} of ${inner.type ?? 'any'}`
  return secret === true ? `${whole}, secret` : whole
}

/** Description and limits of a field. */
function meaning({ description = '', enum: values, pattern, minimum, maximum }: Schema): string {
  const limits = [
    values && `One of ${values.map((value) => codeCell(JSON.stringify(value))).join(', ')}.`,
    pattern && `Must match ${codeCell(pattern)}.`,
    minimum !== undefined && `At least ${minimum}.`,
    maximum !== undefined && `At most ${maximum}.`,
  ]
  return [textCell(description), ...limits.filter((limit) => typeof limit === 'string')].join(' ')
}
