import type { Allowance } from '../../meta/collections/allowance.ts'
import { memberPath } from '../../meta/fieldPath.ts'
import { isWhole } from '../../meta/json/integers.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { Schema } from '../../meta/schema.ts'
import { requestEntityTooLarge } from '../../meta/statusErrors.ts'
import { patternOf, type Pattern } from '../formats/goPattern.ts'
import type { Correlated } from './correlated.ts'
import { enumerationOf } from './enumeration.ts'
import { isNearlyWhole, numberProblems } from './numberProblems.ts'
import { noProperties, visitedNames, type Properties } from './propertyOrder.ts'
import { hasFormat, type SchemaDialect } from './schemaDialect.ts'
import { formatName } from './schemaFieldErrors.ts'
import { junctorResult } from './schemaJunctors.ts'
import type { SchemaProblem } from './schemaProblem.ts'

/**
 * Checks a value by walking its schema, with the same findings as the compiled check. It is slower for each value, but
 * avoids the seconds of compiling a large schema. In the order of the API: type, junctors, the value itself and its
 * items, then for an object its members, and finally missing ones. With `correlated`, problems of an unchanged value
 * are ignored.
 * @throws StatusError 413 before the branches of junctors cost more than `maxBranchChecks`.
 */
export function walkSchema(
  value: unknown,
  schema: Schema,
  dialect: SchemaDialect,
  { correlated, allowance = branchAllowance() }: WalkOptions = {},
): SchemaProblem[] {
  const walk = new Walk(dialect, allowance)
  walk.check(value, schema, { path: '', correlated })
  return walk.problems
}

/** Maximum number of problems; beyond it validation stops. */
const maxProblems = 10_000

/**
 * Maximum number of checks in the branches of junctors for one object: of values, required names, and hundreds of
 * characters. Each item of a list is validated by each branch, so that a small definition and a small object could
 * together block the server for minutes.
 */
const maxBranchChecks = 1_000_000

/** The checks in branches of one object. */
export function branchAllowance(): Allowance {
  return { left: maxBranchChecks }
}

export interface WalkOptions {
  /** Value of an update. */
  correlated?: Correlated | undefined
  /** Checks in branches that remain for this value and others; absent: those of one object. */
  allowance?: Allowance | undefined
}

type Rule = [keyword: string, limit: number | undefined, isKept: (limit: number) => boolean]

interface Place {
  path: string
  correlated: Correlated | undefined
}

class Walk {
  problems: SchemaProblem[] = []
  /** Number of passed checks, as the API counts them to choose a branch of a junctor. */
  matches = 0
  readonly #dialect: SchemaDialect
  readonly #allowance: Allowance
  /** True within a branch of a junctor. */
  readonly #isBranch: boolean

  constructor(dialect: SchemaDialect, allowance: Allowance, isBranch = false) {
    this.#dialect = dialect
    this.#allowance = allowance
    this.#isBranch = isBranch
  }

  check(value: unknown, schema: Schema, place: Place): void {
    if (this.problems.length >= maxProblems) return
    const { correlated } = place
    // Branches also count passed checks.
    if (!this.#isBranch && correlated?.isUnchanged === true) return
    const before = this.problems.length
    this.#value(value, schema, place)
    if (correlated === undefined || this.problems.length === before) return
    if (correlated.isUnchanged) this.problems.length = before
  }

  #value(value: unknown, schema: Schema, place: Place): void {
    const { path } = place
    if (this.#isBranch) spend(this.#allowance, value, schema)
    if (value === null && schema.nullable === true && schema.enum === undefined) {
      this.matches++
      return
    }
    if (!this.#isTyped(value, schema, path) && this.#dialect.stopsAtWrongType) return
    if (value !== null) this.#junctors(value, schema, place)
    this.#parts(value, schema, place)
    this.#enumeration(value, schema.enum, path)
    if (isObject(value)) this.#members(value, schema, place)
    if (value !== null) this.matches += 2
  }

  #parts(value: unknown, schema: Schema, place: Place): void {
    if (typeof value === 'string') this.#text(value, schema, place.path)
    else if (Array.isArray(value)) this.#list(value, schema, place)
    else if (typeof value === 'number' || typeof value === 'bigint')
      this.#number(value, schema, place.path)
  }

  #isTyped(value: unknown, schema: Schema, path: string): boolean {
    const types = typesOf(schema)
    const isTold = types !== undefined || schema.format !== undefined
    if (isTold && value !== null) this.matches++
    if (this.#isOfTypes(value, types, schema)) {
      if (isTold) this.matches++
      return true
    }
    const format = this.#formatOfType(value, schema)
    this.problems.push(problem('type', path, value, { type: types, ...format }))
    return false
  }

  #isOfTypes(value: unknown, types: readonly string[] | undefined, { format }: Schema): boolean {
    if (this.#dialect.formatsNameTypes && format !== undefined && isOfFormat(value, types))
      return true
    if (types === undefined)
      return !this.#dialect.formatsNameTypes || format === undefined || value === null
    return types.some((type) => isOfType(value, type, this.#dialect))
  }

  #formatOfType(value: unknown, { format }: Schema): { format?: string } {
    if (!this.#dialect.formatsNameTypes || format === undefined) return {}
    if (formatName(value) === format) return {}
    return value === null || typeof value === 'string' || Array.isArray(value) ? {} : { format }
  }

  #junctors(value: unknown, schema: Schema, { path, correlated }: Place): void {
    const branch = (one: Schema) => {
      const walk = new Walk(this.#dialect, this.#allowance, true)
      walk.#value(value, one, { path, correlated })
      return walk
    }
    const { problems, matches } = junctorResult(schema, { path, branch })
    for (const one of problems) this.problems.push(one)
    this.matches += matches + 2
  }

  #enumeration(value: unknown, allowedValues: Schema['enum'], path: string): void {
    if (allowedValues === undefined) return
    const allowed = enumerationOf(allowedValues)
    if (allowed.has(value)) return
    if (this.#dialect.comparesDoubles && allowed.hasNumber(value)) return
    this.problems.push(problem('enum', path, value, { allowedValues }))
  }

  #number(value: number | bigint, schema: Schema, path: string): void {
    this.matches += 2
    if (this.#dialect.comparesDoubles) {
      for (const told of numberProblems(value, schema, path)) this.problems.push({ ...told, path })
      return
    }
    this.#bounds(value, path, [
      ['maximum', schema.maximum, (limit) => value <= limit],
      ['minimum', schema.minimum, (limit) => value >= limit],
    ])
    this.#format(value, schema.format, path)
  }

  /** Validates a string; only the first violation of length or pattern is reported. */
  #text(value: string, schema: Schema, path: string): void {
    this.matches++
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
    this.problems.push(problem('pattern', path, value, { pattern }))
  }

  #list(value: readonly unknown[], schema: Schema, { path, correlated }: Place): void {
    const { items } = schema
    this.matches += 2
    if (items !== undefined) {
      value.forEach((item, index) => {
        const place = { path: `${path}[${index}]`, correlated: correlated?.item(index) }
        this.check(item, items, place)
      })
    }
    this.#bounds(value, path, [
      ['minItems', schema.minItems, (limit) => value.length >= limit],
      ['maxItems', schema.maxItems, (limit) => value.length <= limit],
    ])
  }

  #members(value: Record<string, unknown>, schema: Schema, place: Place): void {
    const { path } = place
    const count = Object.keys(value).length
    this.matches++
    this.#bounds(value, path, [
      ['minProperties', schema.minProperties, (limit) => count >= limit],
      ['maxProperties', schema.maxProperties, (limit) => count <= limit],
    ])
    this.#others(value, schema, place)
    this.#properties(value, schema.properties ?? noProperties, place)
    for (const name of requiredFields(schema)) {
      if (Object.hasOwn(value, name)) continue
      this.problems.push(problem('required', path, value, { missingProperty: name }))
    }
  }

  /** Checks the members that the schema does not name. */
  #others(value: Record<string, unknown>, schema: Schema, { path, correlated }: Place): void {
    const { properties = {}, additionalProperties, forbidsOthers } = schema
    if (additionalProperties === undefined) return
    for (const [name, member] of Object.entries(value)) {
      if (Object.hasOwn(properties, name)) continue
      const at = `${path}.${name}`
      if (forbidsOthers === true)
        this.problems.push(problem('forbiddenMember', path, name, { text: at }))
      else
        this.check(member, additionalProperties, { path: at, correlated: correlated?.member(name) })
    }
  }

  #properties(
    value: Record<string, unknown>,
    properties: Properties,
    { path, correlated }: Place,
  ): void {
    for (const name of visitedNames(value, properties)) {
      const property = properties[name]
      const member: unknown = Object.hasOwn(value, name) ? value[name] : undefined
      if (member === undefined || property === undefined) continue
      // The version of an object is not part of its content.
      const isFixed = path === '' && (name === 'kind' || name === 'apiVersion')
      const before = isFixed ? undefined : correlated?.member(name)
      this.check(member, property, { path: memberPath(path, name), correlated: before })
    }
  }

  /** Validates bounds; returns whether all are satisfied. */
  #bounds(value: unknown, path: string, rules: readonly Rule[]): boolean {
    const before = this.problems.length
    for (const [keyword, limit, isKept] of rules) {
      if (limit === undefined || isKept(limit)) continue
      this.problems.push(problem(keyword, path, value, { limit }))
    }
    return this.problems.length === before
  }

  #format(value: string | number | bigint, format: string | undefined, path: string): void {
    if (format === undefined) return
    if (this.#dialect.nameOf(format) !== undefined) this.matches++
    if (hasFormat(this.#dialect, format, value)) return
    this.problems.push(problem(this.#dialect.keyword, path, value, { format }))
  }
}

/** Charges the check of a value in a branch. @throws StatusError 413 if the allowance is used up. */
function spend(allowance: Allowance, value: unknown, { required = [] }: Schema): void {
  const length = typeof value === 'string' ? Math.floor(value.length / 100) : 0
  allowance.left -= 1 + required.length + length
  if (allowance.left >= 0) return
  throw requestEntityTooLarge(
    `allOf, anyOf, oneOf and not need more than ${maxBranchChecks} checks of values`,
  )
}

const patterns = new WeakMap<Schema, Pick<Pattern, 'test'>>()

function compiledPattern(schema: Schema, pattern: string): Pick<Pattern, 'test'> {
  let compiled = patterns.get(schema)
  if (compiled === undefined) patterns.set(schema, (compiled = patternOrNone(pattern)))
  return compiled
}

/**
 * The compiled pattern. A malformed pattern matches nothing: new definitions with one are refused,
 * but older definitions may exist.
 */
function patternOrNone(pattern: string): Pick<Pattern, 'test'> {
  try {
    return patternOf(pattern)
  } catch (error) {
    if (error instanceof SyntaxError) return { test: () => false }
    throw error
  }
}

/** Required fields, except fields that the canonical form fills in. */
export function requiredFields(schema: Schema): readonly string[] {
  const { required, properties } = schema
  if (required === undefined) return []
  let names = checkedNames.get(schema)
  if (names === undefined) {
    names = required.filter((name) => {
      const { zero, isRuled } = properties?.[name] ?? {}
      return zero === undefined && isRuled !== true
    })
    checkedNames.set(schema, names)
  }
  return names
}

const checkedNames = new WeakMap<Schema, readonly string[]>()

/**
 * Reports whether a value has a format: a string or a list passes for any type with a format,
 * except types of numbers.
 */
function isOfFormat(value: unknown, types: readonly string[] = []): boolean {
  if (types.includes('integer') || types.includes('number')) return false
  return typeof value === 'string' || Array.isArray(value)
}

/** The allowed types of a value; undefined: any. */
export function typesOf(schema: Schema): string[] | undefined {
  if (schema.canonical === 'quantity') return ['string']
  const allowsNull = schema.nullable === true || schema.zero === null
  const nulls = allowsNull ? ['null'] : []
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string', ...nulls]
  if (allowsNull && schema.type !== undefined) return [schema.type, ...nulls]
  return schema.type === undefined ? undefined : [schema.type]
}

/**
 * Reports whether a value has a type. Doubles that are whole except for rounding may be integers,
 * but not beyond 2^53.
 */
function isOfType(value: unknown, type: string, { comparesDoubles }: SchemaDialect): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      if (!comparesDoubles || typeof value !== 'number') return isWhole(value)
      return isNearlyWhole(value)
    case 'number':
      return typeof value === 'bigint' || Number.isFinite(value)
    default:
      return typeof value === type
  }
}

function problem(
  keyword: string,
  path: string,
  data: unknown,
  params: Record<string, unknown>,
): SchemaProblem {
  return { keyword, path, data, params }
}

const walkedWords = [
  ...(['allOf', 'anyOf', 'oneOf', 'not', 'multipleOf', 'minProperties', 'maxProperties'] as const),
  ...(['exclusiveMinimum', 'exclusiveMaximum', 'pattern', 'forbidsOthers'] as const),
]

/**
 * The number of subschemas, counted up to `most`; schemas with keywords that only the interpreter supports count as
 * `most`.
 */
export function schemaSize(schema: Schema, most: number): number {
  const bounds = [schema.minimum ?? 0, schema.maximum ?? 0]
  if (walkedWords.some((word) => schema[word] !== undefined)) return most
  if (!bounds.every(Number.isSafeInteger) || isLongEnum(schema.enum)) return most
  let size = 1
  const { properties = {}, items, additionalProperties } = schema
  for (const part of [...Object.values(properties), items, additionalProperties]) {
    if (size >= most) return size
    if (part !== undefined) size += schemaSize(part, most - size)
  }
  return size
}

/** Maximum number of allowed values in compiled code, which compares a value with each of them. */
const maxCompared = 100

function isLongEnum(allowed: Schema['enum'] = []): boolean {
  return (
    allowed.length > maxCompared || allowed.some((one) => typeof one === 'object' && one !== null)
  )
}
