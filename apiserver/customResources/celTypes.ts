import type { Environment } from '@marcbachmann/cel-js'
import { isObject } from '../meta/isObject.ts'
import type { JsonSchemaProps } from './definition.ts'
import { selectors } from './celValues.ts'

/** The types of the values of a schema, as far as an expression can tell: of objects those fields that it mentions. They
 *  are declared in an environment, which takes time by their square, so that a kind with thousands of them is no match. */
export class DeclaredTypes {
  readonly #environment: Environment
  readonly #mentioned: ReadonlySet<string>
  readonly #names = new Map<JsonSchemaProps, string | undefined>()
  #count = 0

  constructor(environment: Environment, mentioned: ReadonlySet<string>) {
    this.#environment = environment
    this.#mentioned = mentioned
  }

  /** The type of the values of a schema, declared if need be; undefined: rules cannot see such values.
   *  Source: Kubernetes documentation, "Validation rules", the table of types. */
  nameOf(props: JsonSchemaProps, { isRoot = false } = {}): string | undefined {
    if (this.#names.has(props)) return this.#names.get(props)
    const name = this.#declare(props, isRoot)
    this.#names.set(props, name)
    return name
  }

  #declare(props: JsonSchemaProps, isRoot: boolean): string | undefined {
    if (props['x-kubernetes-int-or-string'] === true) return 'dyn'
    const { type, format = '', items, additionalProperties } = props
    if (type === 'array')
      return isObject(items) ? this.#wrapped(items, (of) => `list<${of}>`) : undefined
    if (type === 'object' && isObject(additionalProperties))
      return this.#wrapped(additionalProperties, (of) => `map<string, ${of}>`)
    if (type === 'object') return this.#object(props, isRoot)
    return type === 'string' ? (textTypes[format] ?? 'string') : scalars[type ?? '']
  }

  #wrapped(props: JsonSchemaProps, wrap: (of: string) => string): string | undefined {
    const name = this.nameOf(props)
    return name === undefined ? undefined : wrap(name)
  }

  #object(props: JsonSchemaProps, isRoot: boolean): string {
    const isWhole = isRoot || props['x-kubernetes-embedded-resource'] === true
    const fields: Record<string, string> = isWhole
      ? { ...envelope, metadata: this.#register({ name: 'string', generateName: 'string' }) }
      : {}
    const known = fieldsOf(props)
    for (const selector of this.#mentioned) {
      const property = known.get(selector)
      if (property === undefined || Object.hasOwn(fields, selector)) continue
      const of = this.nameOf(property)
      if (of !== undefined) fields[selector] = of
    }
    return this.#register(fields)
  }

  #register(fields: Record<string, string>): string {
    if (this.#count === mostTypes) throw new TooManyTypesError()
    const name = `object${++this.#count}`
    this.#environment.registerType(name, { fields })
    // Rules are evaluated elsewhere, where objects have no types.
    this.#environment.registerOperator(`${name} == ${name}`, Object.is)
    return name
  }
}

const mostTypes = 300

/** An expression mentions too much to be checked by types. */
export class TooManyTypesError extends Error {}

const fieldMaps = new WeakMap<JsonSchemaProps, ReadonlyMap<string, JsonSchemaProps>>()

/** The properties of a schema by what they are selected with. */
function fieldsOf(props: JsonSchemaProps): ReadonlyMap<string, JsonSchemaProps> {
  let fields = fieldMaps.get(props)
  if (fields === undefined) {
    const entries = Object.entries(props.properties ?? {})
    fields = new Map(
      entries.flatMap(([name, one]) => selectors(name).map((selector) => [selector, one] as const)),
    )
    fieldMaps.set(props, fields)
  }
  return fields
}

const envelope = { apiVersion: 'string', kind: 'string', metadata: 'object' }

const textTypes: Readonly<Record<string, string>> = {
  byte: 'bytes',
  duration: 'google.protobuf.Duration',
  date: 'google.protobuf.Timestamp',
  'date-time': 'google.protobuf.Timestamp',
}

const scalars: Readonly<Record<string, string>> = {
  boolean: 'bool',
  integer: 'int',
  number: 'double',
}
