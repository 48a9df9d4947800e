import type { Schema } from '../apiserver/meta/schema.ts'
import type { Definitions } from './definitions.ts'
import type { KnownDefinition } from './kinds.ts'
import { shared } from './sharedDefinitions.ts'
import {
  constraints,
  copied,
  defaultOf,
  definitionExtensions,
  descriptive,
  extensions,
  typeWords,
  withoutWords,
} from './schemaWords.ts'
import type { PublishedSchema } from './publishedSchema.ts'

/** OpenAPI version: 2.0 and 3.0 express references, null and int-or-string differently. */
export type Dialect = 'v2' | 'v3'

type Known = Pick<ReadonlyMap<string, KnownDefinition>, 'get'>

const referencePrefixes = { v2: '#/definitions/', v3: '#/components/schemas/' } as const

/**
 * Publishes the schemas of one document. A schema with a `definition` is published once, under that
 * name, and referenced; `definitions()` returns the definitions used so far.
 */
export class SchemaPublisher {
  readonly #dialect: Dialect
  readonly #known: Known
  readonly #builtIn: Definitions
  readonly #definitions = new Map<string, PublishedSchema>()

  constructor(dialect: Dialect, known: Known, builtIn: Definitions) {
    this.#dialect = dialect
    this.#known = known
    this.#builtIn = builtIn
  }

  /**
   * Field: a reference with additions, or the schema itself. Default, null and description belong to the field rather
   * than the definition: `kubectl explain` prints both descriptions, and would print the same one twice.
   */
  #field(field: Schema): PublishedSchema {
    const schema = withTime(field)
    if (schema.definition === undefined) return this.#inline(schema)
    this.#define(schema.definition, withoutWords(schema, ['description', 'default', 'nullable']))
    return this.#refer(schema.definition, schema)
  }

  /** Item of a list or value of a map. */
  #element(element: Schema): PublishedSchema {
    const schema = withTime(element)
    if (schema.definition === undefined) return this.#inline(schema)
    this.#define(schema.definition, withoutWords(schema, ['default', 'nullable']))
    return this.#refer(schema.definition, withoutWords(schema, ['description', 'default']))
  }

  /** Schema of a request or response body: a bare reference, or an inlined schema if it has no name. */
  body(schema: Schema): PublishedSchema {
    if (schema.definition === undefined) return this.#inline(schema)
    this.#define(schema.definition, schema)
    return { $ref: referencePrefixes[this.#dialect] + schema.definition }
  }

  /** The definitions sorted by name. */
  definitions(): Record<string, PublishedSchema> {
    return Object.fromEntries([...this.#definitions].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #define(name: string, schema: Schema): void {
    if (this.#definitions.has(name)) return
    // Starts with a placeholder, since a schema may be recursive.
    this.#definitions.set(name, {})
    const known = this.#known.get(name)
    const written = known?.written?.(this.#dialect)
    if (written !== undefined) this.#defineReferred(written)
    const published = written ?? this.#inline(this.#builtIn.schema(name) ?? known?.schema ?? schema)
    const kinds = known?.groupVersionKinds ?? []
    const extension = kinds.length === 0 ? {} : { 'x-kubernetes-group-version-kind': kinds }
    this.#definitions.set(name, { ...published, ...extension })
  }

  /**
   * Defines the shared schemas that a written schema refers to, since operations of a custom kind
   * might not refer to them.
   */
  #defineReferred(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      const isReference = name === '$ref' && typeof member === 'string'
      if (!isReference) this.#defineReferred(member)
      else {
        const definition = member.slice(referencePrefixes[this.#dialect].length)
        if (this.#builtIn.schema(definition) !== undefined) this.#define(definition, { definition })
      }
    }
  }

  /**
   * Reference with additions: in 2.0 they are beside the reference; 3.0 ignores siblings of a reference, so it is
   * wrapped.
   */
  #refer(name: string, schema: Schema): PublishedSchema {
    const reference = { $ref: referencePrefixes[this.#dialect] + name }
    const siblings: PublishedSchema = {
      ...(schema.description === undefined ? {} : { description: schema.description }),
      ...this.#defaultOf(schema),
      ...this.#nullableOf(schema),
      // Markers of a schema with a structure belong to the definition.
      ...(isName(schema) ? copied(schema, extensions) : {}),
    }
    if (this.#dialect === 'v2') return { ...reference, ...siblings }
    return Object.keys(siblings).length === 0 ? reference : { allOf: [reference], ...siblings }
  }

  #inline(schema: Schema): PublishedSchema {
    return {
      ...copied(schema, descriptive),
      ...this.#typeOf(schema),
      ...this.#children(schema),
      ...this.#junctors(schema),
      ...(schema.required?.length ? { required: schema.required } : {}),
      ...this.#defaultOf(schema),
      ...this.#nullableOf(schema),
      ...copied(schema, constraints),
      ...copied(schema, schema.definition === undefined ? extensions : definitionExtensions),
    }
  }

  #typeOf(schema: Schema): PublishedSchema {
    if (schema.canonical === 'quantity') return this.#quantity()
    if (schema['x-kubernetes-int-or-string'] !== true) return copied(schema, typeWords)
    if (this.#dialect === 'v2') return { type: 'string', format: 'int-or-string' }
    return { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }
  }

  #quantity(): PublishedSchema {
    return this.#dialect === 'v2'
      ? { type: 'string' }
      : { oneOf: [{ type: 'string' }, { type: 'number' }] }
  }

  #children(schema: Schema): PublishedSchema {
    const { properties, items, additionalProperties } = schema
    return {
      ...(hasMembers(properties) && { properties: this.#properties(properties) }),
      // Both versions of OpenAPI require items of every array, at least an empty schema.
      ...(schema.type === 'array' && { items: this.#element(items ?? {}) }),
      ...(additionalProperties && { additionalProperties: this.#element(additionalProperties) }),
    }
  }

  /** Junctors of 3.0; clients do not read those of 2.0. Int-or-string has its own. */
  #junctors({ allOf, anyOf, oneOf, not, ...schema }: Schema): PublishedSchema {
    if (this.#dialect === 'v2') return {}
    const each = (branches: readonly Schema[]) => branches.map((one) => this.#inline(one))
    const isIntOrString = schema['x-kubernetes-int-or-string'] === true
    return {
      ...(allOf && { allOf: each(allOf) }),
      ...(anyOf && !isIntOrString ? { anyOf: each(anyOf) } : {}),
      ...(oneOf && { oneOf: each(oneOf) }),
      ...(not && { not: this.#inline(not) }),
    }
  }

  #properties(properties: Readonly<Record<string, Schema>>): Record<string, PublishedSchema> {
    const entries = Object.entries(properties).map(([name, schema]): [string, PublishedSchema] => [
      name,
      this.#field(name === 'metadata' && isBare(schema) ? withObjectMeta(schema) : schema),
    ])
    return Object.fromEntries(entries)
  }

  /** Default of a schema; none in version 2.0, as in the API. */
  #defaultOf(schema: Schema): PublishedSchema {
    return this.#dialect === 'v3' ? defaultOf(schema) : {}
  }

  #nullableOf({ nullable }: Schema): PublishedSchema {
    return nullable === true && this.#dialect === 'v3' ? { nullable } : {}
  }
}

/** Reports whether a schema only names a definition, apart from additions of the field. */
function isName({ type, properties }: Schema): boolean {
  return type === undefined && properties === undefined
}

/** Reports whether a map has members; Go types drop an empty map. */
function hasMembers<T>(map: Readonly<Record<string, T>> | undefined): map is Record<string, T> {
  return map !== undefined && Object.keys(map).length > 0
}

/** Reports whether a `metadata` without details refers to the shared definition, even in nested objects. */
function isBare(schema: Schema): boolean {
  return Object.keys(schema).every((word) => word === 'description' || word === 'omitEmpty')
}

function withObjectMeta({ description }: Schema): Schema {
  return description === undefined ? shared.objectMeta : { ...shared.objectMeta, description }
}

/** Publishes every date-time as the shared Time, which clients of built-in kinds know. */
function withTime(schema: Schema): Schema {
  return schema.format === 'date-time' ? { definition: shared.time.definition, ...schema } : schema
}
