import type { PublishedSchema, PublishedSchemas } from './publishedSchemas.ts'

/** Change of one field of an object. */
export interface Mutation {
  /** Path of the field. */
  path: readonly (string | number)[]
  /** Value; undefined: the field is removed. */
  value: unknown
}

/** Strings that some rule refuses and another accepts. */
const strings = [
  '',
  'x',
  'X-y',
  'a.b',
  'a/b',
  'a_b',
  'A B',
  'a=b',
  'é',
  '-a',
  '/x',
  '../x',
  'a:b',
  '*',
  '0',
  '-1',
  '50%',
  '1.2.3.4',
  '::1',
  '10.0.0.0/8',
  'fd00::/64',
  'https://a.example.com/x',
  'example.com/x',
  'a'.repeat(64),
  'a'.repeat(254),
]
const times = ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000001Z', '2020-01-01', '', 0]
const bytes = ['', 'AAEC', '!', 'AAE']
const quantities = ['1', '0', '-1', '1.5', '100m', '0.1m', '1Ki', 1, 1.5, 'x', '', '1e3', null]
const integers = [0, 1, -1, 2, 99, 65535, 65536, 2_147_483_648, 1.5, '5', true, null]
const numbers = [0, -1, 1.5, 1e10, '5', null]
const intOrStrings = [0, 80, -1, 65536, 'http', '', 'A B', '50%', '101%', 1.5, true]
const maps = [
  {},
  { a: 'b' },
  { '': 'x' },
  { 'A B': 'x' },
  { a: '' },
  { a: 5 },
  { a: null },
  [],
  'x',
]

/** Depth to which unknown fields are added below a field of the object. */
const depthOfNew = 3

/**
 * Every change of one field of `object` suggested by its schema: of existing fields, of absent
 * fields, and of an unknown field.
 */
export function mutationsOf(
  object: unknown,
  schema: PublishedSchema,
  schemas: PublishedSchemas,
): Mutation[] {
  const found: Mutation[] = []
  walk(object, schema, { path: [], schemas, found })
  return found
}

interface Walk {
  path: Mutation['path']
  schemas: PublishedSchemas
  found: Mutation[]
}

function walk(value: unknown, published: PublishedSchema, at: Walk): void {
  const schema = at.schemas.resolved(published)
  const { path, found } = at
  if (path.length > 0) {
    found.push({ path, value: undefined })
    for (const one of valuesOf(schema, at.schemas)) found.push({ path, value: one })
  }
  if (Array.isArray(value)) walkList(value, schema, at)
  else if (typeof value === 'object' && value !== null) walkObject(value, schema, at)
}

function walkList(list: readonly unknown[], { items = {} }: PublishedSchema, at: Walk): void {
  const { path, found } = at
  // A repeated item.
  if (list.length > 0) found.push({ path: [...path, list.length], value: list[0] })
  for (const [index, item] of list.entries()) walk(item, items, { ...at, path: [...path, index] })
}

function walkObject(object: object, schema: PublishedSchema, at: Walk): void {
  const { path, found, schemas } = at
  const { properties = {}, additionalProperties } = schema
  const free = typeof additionalProperties === 'object' ? additionalProperties : {}
  found.push({ path: [...path, 'unknownField'], value: 1 })
  for (const [name, inner] of Object.entries(object))
    walk(inner, properties[name] ?? free, { ...at, path: [...path, name] })
  for (const [name, inner] of Object.entries(properties)) {
    if (name in object || name === 'managedFields') continue
    for (const one of [...valuesOf(schemas.resolved(inner), schemas), ...samples(inner, schemas)])
      found.push({ path: [...path, name], value: one })
  }
}

/** Values for a field of this schema, valid and invalid. */
function valuesOf(schema: PublishedSchema, schemas: PublishedSchemas): readonly unknown[] {
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string')
    return intOrStrings
  if (schema.oneOf !== undefined) return quantities
  if (schema.additionalProperties !== undefined) return mapValues(schema, schemas)
  switch (schema.type) {
    case 'string':
      return stringValues(schema)
    case 'integer':
      return integers
    case 'number':
      return numbers
    case 'boolean':
      return [true, false, 'x', null]
    case 'array':
      return [[], null, 'x', {}, [null]]
    case undefined:
    default:
      return [{}, null, 'x', []]
  }
}

function stringValues({ format, enum: known }: PublishedSchema): readonly unknown[] {
  if (format === 'date-time') return times
  if (format === 'byte') return bytes
  return [...(known ?? []), ...strings, null, 5, {}]
}

function mapValues({ additionalProperties }: PublishedSchema, schemas: PublishedSchemas) {
  if (typeof additionalProperties !== 'object') return maps
  const inner = valuesOf(schemas.resolved(additionalProperties), schemas)
  return [...maps, ...inner.slice(0, 13).map((value) => ({ cpu: value }))]
}

/** Objects with one field each, and lists of one such object. */
function samples(published: PublishedSchema, schemas: PublishedSchemas): unknown[] {
  return samplesWithin(published, schemas, depthOfNew)
}

function samplesWithin(
  published: PublishedSchema,
  schemas: PublishedSchemas,
  depth: number,
): unknown[] {
  const schema = schemas.resolved(published)
  if (schema.type === 'array') {
    const items = samplesWithin(schema.items ?? {}, schemas, depth - 1)
    return items.flatMap((item) => [[item]])
  }
  const { properties, required = [] } = schema
  if (depth <= 0 || properties === undefined) return valuesOf(schema, schemas).slice(0, 4)
  const base = Object.fromEntries(
    required.map((name) => [
      name,
      samplesWithin(properties[name] ?? {}, schemas, depth - 1).at(1) ?? 'x',
    ]),
  )
  return Object.entries(properties).flatMap(([name, inner]) =>
    samplesWithin(inner, schemas, depth - 1).map((value) => ({ ...base, [name]: value })),
  )
}

/** Copy of the object with the change; the object itself if the path leads nowhere. */
export function mutated<T>(object: T, { path, value }: Mutation): T {
  const copy = structuredClone(object)
  let parent: unknown = copy
  for (const name of path.slice(0, -1)) {
    // An earlier change may have left any value there.
    parent = (parent as Record<string | number, unknown> | null | undefined)?.[name]
    if (typeof parent !== 'object' || parent === null) return object
  }
  // A path has at least one name, and its parent is an object or a list.
  const members = parent as Record<string | number, unknown>
  const last = path.at(-1) ?? ''
  if (value === undefined && Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (value === undefined) delete members[last]
  else members[last] = value
  return copy
}
