import type { Allowance } from '../../meta/collections/allowance.ts'
import { formOf } from '../objectForm.ts'
import type { ValidateFunction } from 'ajv'
import { uniqueErrors, type FieldError } from '../../meta/fieldErrors.ts'
import type { Schema } from '../../meta/schema.ts'
import { objectSchema } from './canonicalForm.ts'
import type { Correlated } from './correlated.ts'
import type { ResourceDefinition } from '../resource.ts'
import { builtInDialect, customDialect, type SchemaDialect } from './schemaDialect.ts'
import { toFieldErrors } from './schemaFieldErrors.ts'
import { requiredFields, schemaSize, typesOf, walkSchema } from './schemaWalk.ts'

/** Minimum size of a schema that is interpreted rather than compiled, which would take a second or more. */
const walkedSize = 400

export type ValidatorOptions = Pick<ResourceDefinition, 'form'>

/** Validates a whole object by its schema. Compiling takes milliseconds, so it happens once, at first use. */
export class SchemaValidator {
  readonly #schema: Schema
  readonly #options: ValidatorOptions
  #compiled: Promise<Check> | undefined

  constructor(schema: Schema, options: ValidatorOptions = {}) {
    this.#schema = schema
    this.#options = options
  }

  /** Resolves to the check: one field error per problem, in document order; empty: valid. */
  load(): Promise<Check> {
    this.#compiled ??= this.#load()
    return this.#compiled
  }

  #load(): Promise<Check> {
    const { dialect } = formOf(this.#options)
    return dialect.findsErrorsByWalk ? customCheck(this.#schema) : checkOf(this.#schema, dialect)
  }
}

const validators = new WeakMap<ResourceDefinition, SchemaValidator>()

export function schemaValidatorOf(resource: ResourceDefinition): SchemaValidator {
  let validator = validators.get(resource)
  if (validator === undefined) {
    validator = new SchemaValidator(objectSchema(resource.schema), resource)
    validators.set(resource, validator)
  }
  return validator
}

/** Checks a value. @param correlated value of an update: only changed parts are refused; used by custom kinds. */
type Check = (value: unknown, correlated?: Correlated) => FieldError[]

async function checkOf(schema: Schema, dialect: SchemaDialect): Promise<Check> {
  if (schemaSize(schema, walkedSize) >= walkedSize) return walkedCheck(schema, dialect)
  return compiledCheck(schema, dialect)
}

/** A check by interpreting the schema, for schemas of any size. Calls share `allowance`; absent: each has its own. */
export function walkedCheck(
  schema: Schema,
  dialect = builtInDialect,
  allowance?: Allowance,
): Check {
  return (value, correlated) => {
    const errors = toFieldErrors(walkSchema(value, schema, dialect, { correlated, allowance }))
    // Several branches of a junctor may find the same error.
    return dialect.findsErrorsByWalk ? [...uniqueErrors(errors)] : errors
  }
}

/**
 * Check of a custom kind: if compiled code finds a value invalid, the schema is interpreted, which reports the problems
 * in the wording and the order of the API.
 */
async function customCheck(schema: Schema): Promise<Check> {
  const walked = walkedCheck(schema, customDialect)
  if (schemaSize(schema, walkedSize) >= walkedSize) return walked
  const validate = await compiled(schema, customDialect)
  return (value, correlated) => (validate(value) ? [] : walked(value, correlated))
}

export async function compiledCheck(schema: Schema, dialect = builtInDialect): Promise<Check> {
  const validate = await compiled(schema, dialect)
  const walked = walkedCheck(schema, dialect)
  return (value) => {
    if (validate(value)) return []
    const errors = validate.errors ?? []
    // Compiled code does not support bigints.
    return errors.some(({ data }) => typeof data === 'bigint')
      ? walked(value)
      : toFieldErrors(errors)
  }
}

async function compiled(schema: Schema, dialect: SchemaDialect): Promise<ValidateFunction> {
  const { Ajv } = await import('ajv')
  const ajv = new Ajv({
    allErrors: !dialect.findsErrorsByWalk,
    verbose: true,
    strict: false,
    // Inherited members do not count.
    ownProperties: true,
    // It would log unknown formats, which are allowed.
    logger: false,
    formats: dialect.formats,
  })
  return ajv.compile(jsonSchema(schema, dialect))
}

const carried = [
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
] as const

/** The validated part of a schema in the terms of JSON Schema. */
function jsonSchema(schema: Schema, dialect: SchemaDialect): Record<string, unknown> {
  const { properties, items, additionalProperties } = schema
  const required = requiredFields(schema)
  const type = typesOf(schema)
  const members = Object.entries(properties ?? {}).map(([name, one]) => [
    name,
    jsonSchema(one, dialect),
  ])
  return {
    ...carriedWords(schema),
    ...(type && { type }),
    ...formatWord(schema, dialect),
    ...(required.length > 0 && { required }),
    ...(items && { items: jsonSchema(items, dialect) }),
    ...(additionalProperties && {
      additionalProperties: jsonSchema(additionalProperties, dialect),
    }),
    ...(properties && { properties: Object.fromEntries(members) as unknown }),
  }
}

function formatWord(
  { canonical, format, type }: Schema,
  dialect: SchemaDialect,
): { format?: string } {
  if (dialect.comparesDoubles && type === 'integer') return { format: format ?? 'int64' }
  const name = canonical === 'quantity' ? 'quantity' : format && dialect.nameOf(format)
  return name === undefined ? {} : { format: name }
}

function carriedWords(schema: Schema): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const word of carried) if (schema[word] !== undefined) result[word] = schema[word]
  return result
}
