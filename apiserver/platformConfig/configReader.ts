import { decodeWholeYaml } from '../encoding/yaml.ts'
import {
  invalidField,
  tooLongField,
  typeInvalidField,
  type FieldError,
} from '../meta/fieldErrors.ts'
import type { Schema } from '../meta/schema.ts'
import { StatusError } from '../meta/status.ts'
import { canonicalForm } from '../registry/schema/canonicalForm.ts'
import { SchemaValidator } from '../registry/schema/schemaValidator.ts'
import { withDefaults } from './configDefaults.ts'
import { Placeholders, type Environment } from './placeholders.ts'
import { maskedSecrets, secretMask } from './secretMask.ts'

/** Path of the document in the API object: errors name fields below it. */
const root = 'spec.raw'

/** The size limit of a Secret. */
const maxBytes = 1024 * 1024

export interface ConfigFormat {
  /** Schema of the document, including defaults and secrets. */
  schema: Schema
  /** Validates a document beyond the schema; paths are relative to the document. */
  rules: (document: Readonly<Record<string, unknown>>) => FieldError[]
  /**
   * Validates new documents only. A stored document that violates these rules was accepted earlier: it is used and
   * reported, since refusing to start would not help.
   */
  rulesOfNew: (document: Readonly<Record<string, unknown>>) => FieldError[]
  environment: Environment
}

/** The result of reading a document. */
export interface ConfigDocument {
  /** The document as written, without fields unknown to the schema, placeholders unreplaced. */
  written: unknown
  /**
   * The resulting configuration: placeholders replaced, defaults filled in. Only meaningful if the document is usable.
   */
  effective: Readonly<Record<string, unknown>>
  /** Paths unknown to the schema. */
  unknownFields: string[]
  /** Fields with placeholders, and the variables. */
  placeholders: ReadonlySet<string>
  /** Errors, one per invalid field. */
  errors: FieldError[]
  /** True if the document violates no rules, or only rules for new documents. */
  isUsable: boolean
}

/** Reads the platform's configuration, a YAML document. */
export class ConfigReader {
  readonly #format: ConfigFormat
  readonly #schema: Schema
  readonly #validator: SchemaValidator

  constructor(format: ConfigFormat) {
    this.#format = format
    // Errors of the schema name the whole path.
    const spec: Schema = { type: 'object', properties: { raw: format.schema } }
    this.#schema = { type: 'object', properties: { spec } }
    this.#validator = new SchemaValidator(this.#schema)
  }

  /** Configuration in effect if nothing is set. */
  get defaults(): Readonly<Record<string, unknown>> {
    return asRecord(withDefaults({}, this.#format.schema))
  }

  async read(raw: Buffer): Promise<ConfigDocument> {
    const document: ConfigDocument = {
      written: {},
      effective: this.defaults,
      unknownFields: [],
      placeholders: new Set(),
      errors: [],
      isUsable: false,
    }
    const value = await decode(raw, document.errors)
    if (document.errors.length > 0) return document
    const written = this.#canonical(value, document)
    document.written = written
    const { schema, environment, rules, rulesOfNew } = this.#format
    for (const path of maskedSecrets(written, schema, root)) {
      const why = 'this is the mask of a secret that was not shown: give the secret itself'
      document.errors.push(invalidField(path, secretMask, why))
    }
    const placeholders = new Placeholders(environment)
    const replaced = placeholders.replace(written, schema, root)
    document.placeholders = placeholders.places
    document.errors.push(...placeholders.errors)
    const check = await this.#validator.load()
    document.errors.push(...check({ spec: { raw: replaced } }))
    if (document.errors.length > 0) return document
    document.effective = asRecord(withDefaults(replaced, schema))
    document.errors.push(...rules(document.effective).map(belowRoot))
    document.isUsable = document.errors.length === 0
    document.errors.push(...rulesOfNew(document.effective).map(belowRoot))
    return document
  }

  #canonical(value: unknown, document: ConfigDocument): unknown {
    const form = canonicalForm({ spec: { raw: value } }, this.#schema)
    document.unknownFields = form.unknownFields
    // The canonical form of an object within an object has both, unless the inner one is empty and dropped.
    return (form.value as { spec?: { raw?: unknown } }).spec?.raw ?? {}
  }
}

function belowRoot(error: FieldError): FieldError {
  return { ...error, field: `${root}.${error.field}` }
}

async function decode(raw: Buffer, errors: FieldError[]): Promise<unknown> {
  if (raw.byteLength > maxBytes) {
    errors.push(tooLongField(root, maxBytes))
    return undefined
  }
  try {
    const { value, duplicates } = await decodeWholeYaml(raw)
    const [repeated] = duplicates
    if (repeated !== undefined) errors.push(unreadable(repeated))
    if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
      const type = Array.isArray(value) ? 'array' : typeof value
      errors.push(typeInvalidField(root, type, 'must be a YAML document that is a map of settings'))
    }
    return value ?? {}
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const line = /line \d+/.exec(error.message)?.[0]
    errors.push(unreadable(`is not readable as YAML${line === undefined ? '' : ` (${line})`}`))
    return undefined
  }
}

/** An error without the document as its value, since that contains secrets. */
function unreadable(why: string): FieldError {
  return { reason: 'FieldValueInvalid', field: root, message: `Invalid value: ${why}` }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // Sound: decode() returns only maps of settings, and the schema's defaults keep it one.
  return value as Record<string, unknown>
}
