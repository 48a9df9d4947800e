import type { Schema } from '../../meta/schema.ts'
import {
  definitionPrefix,
  enumOf,
  fieldRules,
  machinery,
  packageNames,
  parseType,
  typePlace,
  typeWords,
  type FieldWords,
} from './builtInWords.ts'
import addedDescriptions from './addedDescriptions.json' with { type: 'json' }

/** Descriptions of a definition and of its fields, as `kubectl explain` prints them. */
interface DefinitionWords {
  description?: string
  fields: Readonly<Record<string, string>>
}

/** Descriptions of definitions and fields that are missing in the packages from which descriptions are taken. */
const added = new Map(Object.entries<DefinitionWords>(addedDescriptions))

const metaV1 = `${machinery}.apis.meta.v1`
const extensionsV1 = definitionPrefix('apiextensions/v1')

/** Types without fields, by name. */
const scalars: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
}

/** Types with their own format, by name, and the definitions under which they are published. */
const references: Readonly<Record<string, string>> = {
  ObjectMeta: `${metaV1}.ObjectMeta`,
  Time: `${metaV1}.Time`,
  MicroTime: `${metaV1}.MicroTime`,
  FieldsV1: `${metaV1}.FieldsV1`,
  Quantity: `${machinery}.api.resource.Quantity`,
  IntOrString: `${machinery}.util.intstr.IntOrString`,
  RawExtension: `${machinery}.runtime.RawExtension`,
  JSON: `${extensionsV1}.JSON`,
  JSONSchemaPropsOrArray: `${extensionsV1}.JSONSchemaPropsOrArray`,
  JSONSchemaPropsOrBool: `${extensionsV1}.JSONSchemaPropsOrBool`,
  JSONSchemaPropsOrStringArray: `${extensionsV1}.JSONSchemaPropsOrStringArray`,
}

const formed = new Map<string, Schema>(
  Object.entries({
    Time: { type: 'string', format: 'date-time' },
    MicroTime: { type: 'string', format: 'date-time' },
    FieldsV1: { type: 'object' },
    Quantity: { canonical: 'quantity' },
    IntOrString: { 'x-kubernetes-int-or-string': true },
    RawExtension: { type: 'object' },
    JSON: {},
    JSONSchemaPropsOrArray: {},
    JSONSchemaPropsOrBool: {},
    JSONSchemaPropsOrStringArray: {},
  } satisfies Record<string, Schema>).map(([word, schema]) => [references[word] ?? word, schema]),
)
formed.set(`${metaV1}.Patch`, { type: 'object' })

/** Zero values that a decoder sets for absent scalars that the encoder always writes. */
const zeros: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
}

/**
 * Definitions of the built-in groups as published by OpenAPI, created on demand: the structure
 * comes from the Go types, descriptions from `describe`. A field whose type is another definition
 * only references it.
 */
export class BuiltInDefinitions {
  readonly #describe: (definition: string) => DefinitionWords | undefined
  readonly #packages = new Map(packageNames.map((name) => [definitionPrefix(name), name] as const))

  constructor(describe: (definition: string) => DefinitionWords | undefined) {
    this.#describe = describe
  }

  /** Schema of a definition; undefined: not a definition of the built-in groups. */
  schema(definition: string): Schema | undefined {
    const structure = formed.get(definition) ?? this.#struct(definition)
    if (structure === undefined) return undefined
    const words = this.#wordsOf(definition)
    const { properties } = structure
    return {
      definition,
      ...structure,
      ...(words.description === undefined ? {} : { description: words.description }),
      ...(properties && { properties: this.#described(properties, words.fields) }),
    }
  }

  /**
   * Adds descriptions. A field whose type is another definition does not get the description of
   * that type, which some sources repeat.
   */
  #described(
    properties: Readonly<Record<string, Schema>>,
    fields: Readonly<Record<string, string>>,
  ): Record<string, Schema> {
    const entries = Object.entries(properties).map(([name, schema]): [string, Schema] => {
      const description = Object.hasOwn(fields, name) ? fields[name] : undefined
      const inside = schema.definition && this.#describe(schema.definition)?.description
      const isRepeated = inside !== undefined && sameWords(inside, description ?? '')
      return [name, description === undefined || isRepeated ? schema : { description, ...schema }]
    })
    return Object.fromEntries(entries)
  }

  /** Descriptions of a definition, including those that the older source lacks. */
  #wordsOf(definition: string): DefinitionWords {
    const words = this.#describe(definition)
    const own = added.get(definition)
    return { ...own, ...words, fields: { ...own?.fields, ...words?.fields } }
  }

  #struct(definition: string): Schema | undefined {
    const at = definition.lastIndexOf('.')
    const packageName = this.#packages.get(definition.slice(0, at))
    if (packageName === undefined) return undefined
    const line = typeWords(packageName, definition.slice(at + 1))
    if (line === undefined) return undefined
    const { own, fields } = parseType(line)
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
    const properties = fields.map((field) => [field.name, this.#field(field, packageName)] as const)
    return {
      type: 'object',
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...own,
    }
  }

  #field(field: FieldWords, packageName: string): Schema {
    const rules = fieldRules(field.rules)
    const shown = rules.default ?? shownDefault(field)
    return {
      ...this.#type(field.type, packageName, this.#enum(field, packageName)),
      ...rules,
      ...(shown === undefined ? {} : { default: shown }),
    }
  }

  #type(type: string, packageName: string, allowed: Schema): Schema {
    if (type.startsWith('[]')) {
      return { type: 'array', items: this.#type(type.slice(2), packageName, allowed) }
    }
    if (type.startsWith('{}')) {
      const values = this.#type(type.slice(2), packageName, allowed)
      return { type: 'object', additionalProperties: values }
    }
    const scalar = scalars[type]
    if (scalar !== undefined) return { ...scalar, ...allowed }
    const [inside, name] = typePlace(type, packageName)
    return { definition: references[type] ?? `${definitionPrefix(inside)}.${name}` }
  }

  #enum({ rules }: FieldWords, packageName: string): Schema {
    const word = enumOf(rules)
    if (word === undefined) return {}
    const [inside, name] = typePlace(word, packageName)
    const values = typeWords(inside, `=${name}`)
    // The line of an enumeration contains its values as JSON.
    return values === undefined ? {} : { enum: JSON.parse(values) as string[] }
  }
}

/**
 * Default of a field that is always present: the zero value of a scalar, an empty struct. Lists, maps, pointers and
 * types with their own decoder have none.
 */
function shownDefault({ type, isAlwaysThere, isOmittedEmpty }: FieldWords): unknown {
  if (/^(\[\]|\{\})/.test(type) || type === 'bytes') return undefined
  if (Object.hasOwn(scalars, type)) return isAlwaysThere ? zeros[type] : undefined
  if (type === 'ObjectMeta') return {}
  const isStruct = !Object.hasOwn(references, type)
  return isStruct && (isAlwaysThere || isOmittedEmpty) ? {} : undefined
}

function sameWords(one: string, other: string): boolean {
  return one.replace(/\s+/g, ' ') === other.replace(/\s+/g, ' ')
}
