import { isWhole } from '../../meta/json/integers.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '../../meta/schema.ts'
import { patternOf, type Pattern } from '../formats/goPattern.ts'
import { hasFormat, type SchemaDialect } from './schemaDialect.ts'
import { junctorProblems } from './schemaJunctors.ts'
import type { SchemaProblem } from './schemaProblem.ts'

/** Checks a value by walking its schema: the same findings as the compiled check. It is slower than that for each value,
 *  but needs no seconds first, which large schemas cost. The order is that of the API: what a value is, its junctors,
 *  itself and its items, then for an object its members, and last those that are missing. */
export function walkSchema(
  value: unknown,
  schema: Schema,
  dialect: SchemaDialect,
  path = '',
): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  new Walk(problems, dialect).check(value, schema, path)
  return problems
}

/** Nobody is told of so many: what is beyond is not looked at. */
const maxProblems = 10_000

type Rule = [keyword: string, limit: number | undefined, isKept: (limit: number) => boolean]

class Walk {
  readonly #problems: SchemaProblem[]
  readonly #dialect: SchemaDialect

  constructor(problems: SchemaProblem[], dialect: SchemaDialect) {
    this.#problems = problems
    this.#dialect = dialect
  }

  check(value: unknown, schema: Schema, path: string): void {
    if (this.#problems.length >= maxProblems) return
    if (value === null && schema.nullable === true && schema.enum === undefined) return
    if (!this.#isTyped(value, schema, path) && !this.#dialect.isCustom) return
    if (value !== null) this.#junctors(value, schema, path)
    this.#parts(value, schema, path)
    this.#enumeration(value, schema.enum, path)
    if (isObject(value)) this.#members(value, schema, path)
  }

  #parts(value: unknown, schema: Schema, path: string): void {
    if (typeof value === 'string') this.#text(value, schema, path)
    else if (Array.isArray(value)) this.#list(value, schema, path)
    else if (typeof value === 'number' || typeof value === 'bigint')
      this.#number(value, schema, path)
  }

  #isTyped(value: unknown, schema: Schema, path: string): boolean {
    const types = typesOf(schema)
    if (types === undefined || types.some((type) => isOfType(value, type))) return true
    const format = this.#formatOfType(value, schema)
    this.#problems.push(problem('type', path, value, { type: types, ...format }))
    return false
  }

  #formatOfType(value: unknown, { format }: Schema): { format?: string } {
    const { isCustom, nameOf } = this.#dialect
    if (!isCustom || format === undefined || nameOf(format) === undefined) return {}
    return value === null || typeof value === 'string' || Array.isArray(value) ? {} : { format }
  }

  #junctors(value: unknown, schema: Schema, path: string): void {
    const branch = (one: Schema) => walkSchema(value, one, this.#dialect, path)
    this.#problems.push(...junctorProblems(schema, { path, branch }))
  }

  #enumeration(value: unknown, allowedValues: Schema['enum'], path: string): void {
    if (allowedValues === undefined) return
    if (allowedValues.some((one) => isDeepStrictEqual(one, value))) return
    this.#problems.push(problem('enum', path, value, { allowedValues }))
  }

  #number(value: number | bigint, schema: Schema, path: string): void {
    this.#bounds(value, path, [
      ['multipleOf', schema.multipleOf, (limit) => isMultiple(value, limit)],
      schema.exclusiveMaximum === true
        ? ['exclusiveMaximum', schema.maximum, (limit) => value < limit]
        : ['maximum', schema.maximum, (limit) => value <= limit],
      schema.exclusiveMinimum === true
        ? ['exclusiveMinimum', schema.minimum, (limit) => value > limit]
        : ['minimum', schema.minimum, (limit) => value >= limit],
    ])
    this.#format(value, schema.format, path)
  }

  /** Of the length and the pattern the first that is broken is told. */
  #text(value: string, schema: Schema, path: string): void {
    const length = schema.maxLength ?? schema.minLength
    const count = length === undefined ? 0 : [...value].length
    const isFitting = this.#bounds(value, path, [
      ['maxLength', schema.maxLength, (limit) => count <= limit],
      ['minLength', schema.minLength, (limit) => count >= limit],
    ])
    if (isFitting) this.#pattern(value, schema, path)
    const format = schema.canonical === 'quantity' ? 'quantity' : schema.format
    this.#format(value, format, path)
  }

  #pattern(value: string, schema: Schema, path: string): void {
    const { pattern } = schema
    if (pattern === undefined || compiledPattern(schema, pattern).test(value)) return
    this.#problems.push(problem('pattern', path, value, { pattern }))
  }

  #list(value: readonly unknown[], schema: Schema, path: string): void {
    const { items } = schema
    if (items !== undefined) {
      value.forEach((item, index) => {
        this.check(item, items, `${path}/${index}`)
      })
    }
    this.#bounds(value, path, [
      ['minItems', schema.minItems, (limit) => value.length >= limit],
      ['maxItems', schema.maxItems, (limit) => value.length <= limit],
    ])
  }

  #members(value: object, schema: Schema, path: string): void {
    const { properties = {}, additionalProperties } = schema
    const members = Object.entries(value)
    this.#bounds(value, path, [
      ['minProperties', schema.minProperties, (limit) => members.length >= limit],
      ['maxProperties', schema.maxProperties, (limit) => members.length <= limit],
    ])
    if (additionalProperties !== undefined) {
      for (const [name, member] of members) {
        if (Object.hasOwn(properties, name)) continue
        this.check(member, additionalProperties, join(path, name))
      }
    }
    this.#properties(value, properties, path)
    for (const name of requiredFields(schema)) {
      if (Object.hasOwn(value, name)) continue
      this.#problems.push(problem('required', path, value, { missingProperty: name }))
    }
  }

  #properties(value: object, properties: NonNullable<Schema['properties']>, path: string): void {
    for (const [name, property] of Object.entries(properties)) {
      const member: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
      if (member !== undefined) this.check(member, property, join(path, name))
    }
  }

  /** Whether all are kept. */
  #bounds(value: unknown, path: string, rules: readonly Rule[]): boolean {
    const before = this.#problems.length
    for (const [keyword, limit, isKept] of rules) {
      if (limit === undefined || isKept(limit)) continue
      this.#problems.push(problem(keyword, path, value, { limit }))
    }
    return this.#problems.length === before
  }

  #format(value: string | number | bigint, format: string | undefined, path: string): void {
    if (format === undefined || hasFormat(this.#dialect, format, value)) return
    this.#problems.push(problem(this.#dialect.keyword, path, value, { format }))
  }
}

const patterns = new WeakMap<Schema, Pick<Pattern, 'test'>>()

function compiledPattern(schema: Schema, pattern: string): Pick<Pattern, 'test'> {
  let compiled = patterns.get(schema)
  if (compiled === undefined) patterns.set(schema, (compiled = patternOrNone(pattern)))
  return compiled
}

/** Nothing fits a pattern that cannot be read: new definitions with one are refused, older ones may stand. */
function patternOrNone(pattern: string): Pick<Pattern, 'test'> {
  try {
    return patternOf(pattern)
  } catch (error) {
    if (error instanceof SyntaxError) return { test: () => false }
    throw error
  }
}

/** Division of decimal numbers has a remainder of rounding. */
function isMultiple(value: number | bigint, of: number): boolean {
  if (typeof value === 'bigint' && Number.isInteger(of)) return value % BigInt(of) === 0n
  const times = Number(value) / of
  return Math.abs(times - Math.round(times)) < 1e-9
}

/** Those that a value must bring: what is always there is filled in when it takes its one form. */
export function requiredFields({ required = [], properties }: Schema): string[] {
  return required.filter((name) => {
    const { zero, isRuled } = properties?.[name] ?? {}
    return zero === undefined && isRuled !== true
  })
}

/** The types that a value may have; undefined: any. */
export function typesOf(schema: Schema): string[] | undefined {
  if (schema.canonical === 'quantity') return ['string']
  const allowsNull = schema.nullable === true || schema.zero === null
  const nulls = allowsNull ? ['null'] : []
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string', ...nulls]
  if (allowsNull && schema.type !== undefined) return [schema.type, ...nulls]
  return schema.type === undefined ? undefined : [schema.type]
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return isWhole(value)
    case 'number':
      return typeof value === 'bigint' || Number.isFinite(value)
    default:
      return typeof value === type
  }
}

function problem(
  keyword: string,
  instancePath: string,
  data: unknown,
  params: Record<string, unknown>,
): SchemaProblem {
  return { keyword, instancePath, data, params }
}

function join(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

const walkedWords = [
  ...(['allOf', 'anyOf', 'oneOf', 'not', 'multipleOf', 'minProperties', 'maxProperties'] as const),
  ...(['exclusiveMinimum', 'exclusiveMaximum', 'pattern'] as const),
]

/** How many schemas a schema is made of, counted up to `most`; those with words that only walking knows count so much. */
export function schemaSize(schema: Schema, most: number): number {
  if (walkedWords.some((word) => schema[word] !== undefined)) return most
  let size = 1
  const { properties = {}, items, additionalProperties } = schema
  for (const part of [...Object.values(properties), items, additionalProperties]) {
    if (size >= most) return size
    if (part !== undefined) size += schemaSize(part, most - size)
  }
  return size
}
