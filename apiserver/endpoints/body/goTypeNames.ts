import { memo } from '../../meta/collections/memo.ts'
import type { Schema } from '../../meta/schema.ts'
import goFieldTypes from './goFieldTypes.json' with { type: 'json' }

/** Go properties of a field that its schema lacks. */
interface GoField {
  /** Name of the Go type, such as `v1.RestartPolicy`. */
  goType?: string
  /** The embedded struct that has the field: `ProbeHandler`, or `RuleWithOperations.Rule` for one that is embedded again. */
  embedded?: string
}

const basic = { string: 'string', boolean: 'bool', number: 'float64' }

/** Name of the Go type of a schema: `int32`, `[]v1.Container`, `map[string]string`. */
export function goTypeName(schema: Schema): string {
  const { type, format, items, additionalProperties } = schema
  if (format === 'byte') return '[]uint8'
  if (type === 'array') return `[]${elementType(items ?? {})}`
  if (type === 'integer') return format ?? 'int64'
  if (type !== undefined && type !== 'object') return basic[type]
  if (additionalProperties !== undefined) return `map[string]${elementType(additionalProperties)}`
  return schema.definition?.split('.').slice(-2).join('.') ?? ''
}

/** Name of the type of items. A time is decoded from a string, and named by its type only here. */
function elementType(schema: Schema): string {
  if (schema.format !== 'date-time') return goTypeName(schema)
  return schema.canonical === 'microTime' ? 'v1.MicroTime' : 'v1.Time'
}

/**
 * The name of a struct without its package. A schema with alternative forms is decoded as a schema.
 */
export function structName({ definition }: Schema): string {
  const name = definition?.split('.').at(-1) ?? ''
  return name.startsWith('JSONSchemaPropsOr') ? 'JSONSchemaProps' : name
}

/** Go properties of a field of a struct. */
export function goField({ definition }: Schema, name: string): GoField {
  const struct = definition?.split('.').slice(-3).join('.') ?? ''
  const { [name]: found = {} } = structs().get(struct) ?? {}
  if (found.embedded === undefined) return found
  const embedding = `${struct.slice(0, struct.lastIndexOf('.'))}.${found.embedded.split('.').at(-1) ?? ''}`
  return { ...structs().get(embedding)?.[name], ...found }
}

type Struct = Record<string, GoField>

/** Loaded on first use: only refusals need these names. */
const structs = memo((): ReadonlyMap<string, Struct> => {
  return new Map(
    Object.entries(goFieldTypes).map(([name, words]) => [
      name,
      Object.fromEntries(words.split(' ').map(fieldOf)),
    ]),
  )
})

function fieldOf(word: string): [string, GoField] {
  const [name = '', sign, value = ''] = word.split(/([=<])/)
  return [name, sign === '<' ? { embedded: value } : { goType: value }]
}
