import { objectMetaSchema } from '../../meta/objectMetaSchema.ts'
import type { Schema } from '../../meta/schema.ts'
import { isDisabled, keepingUnsearched, searchedForFirst } from './featureGates.ts'
import { keepingRefused } from './refusedEmpties.ts'
import {
  definitionPrefix,
  fieldRules,
  machinery,
  parseType,
  typePlace,
  typeWords,
  type FieldWords,
} from './builtInWords.ts'

const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** Types other than structs, by name. */
const leaves: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double', canonical: 'double' },
  bytes: { type: 'string', format: 'byte', canonical: 'bytes' },
  Time: { type: 'string', format: 'date-time', canonical: 'time' },
  MicroTime: {
    type: 'string',
    format: 'date-time',
    canonical: 'microTime',
    definition: `${machinery}.apis.meta.v1.MicroTime`,
  },
  Quantity: { definition: `${machinery}.api.resource.Quantity`, canonical: 'quantity' },
  IntOrString: {
    'x-kubernetes-int-or-string': true,
    // 32-bit integer; larger values exceed the limits of every field of this type.
    canonical: 'double',
    definition: `${machinery}.util.intstr.IntOrString`,
  },
  ObjectMeta: objectMetaSchema,
  // Atomic. Its rules refuse any value but an object.
  RawExtension: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'atomic' },
  FieldsV1: anything,
  // A null is dropped.
  JSON: { 'x-kubernetes-preserve-unknown-fields': true },
}

/** Types that are a JSON schema or something else, with the decoder's error for other values. */
const schemaOr = new Map<string, Schema>([
  ['JSONSchemaPropsOrArray', {}],
  ['JSONSchemaPropsOrBool', { orBoolean: 'boolean or JSON schema expected' }],
  ['JSONSchemaPropsOrStringArray', {}],
])

/** Quantities of resources, by name. Source: Kubernetes API reference, ResourceList; seen on kube-apiserver 1.37.2. */
const resourceList: Schema = {
  type: 'object',
  additionalProperties: { ...leaves['Quantity'], roundsToMilli: true },
}
const exactResourceList: Schema = {
  type: 'object',
  additionalProperties: { ...leaves['Quantity'] },
}

/** Schema of a resource list; only the core types round quantities when they are decoded. */
function resourceListOf(packageName: string): Schema {
  return packageName === 'core/v1' ? resourceList : exactResourceList
}

/** Zero values of fields that are always present. */
const zeros: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: null,
  Time: null,
  MicroTime: null,
  Quantity: '0',
  IntOrString: 0,
}

/** Schemas of the built-in kinds, created on demand from the description of their types. */
export class BuiltInTypes {
  readonly #schemas = new Map<string, Schema>()
  readonly #off: ReadonlySet<string>

  /** @param off disabled features besides those disabled by default. */
  constructor(off: ReadonlySet<string> = new Set()) {
    this.#off = off
  }

  /** Number of created schemas. */
  get size(): number {
    return this.#schemas.size
  }

  /**
   * Schema of a type of a package (`apps/v1`). Each schema is created once, so that results derived
   * from it are shared.
   */
  schema(packageName: string, type: string): Schema {
    const key = `${packageName}.${type}`
    const known = this.#schemas.get(key)
    if (known !== undefined) return known
    const line = typeWords(packageName, type)
    if (line === undefined) throw new Error(`there is no type ${type} in ${packageName}`)
    const { own, fields } = parseType(line)
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
    const properties: Record<string, Schema> = {}
    const searched = searchedForFirst[type]
    const schema: Schema = {
      type: 'object',
      definition: `${definitionPrefix(packageName)}.${type}`,
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...own,
      ...(searched === undefined ? {} : { dropsInsideFirst: searched }),
    }
    // Set before its fields, since a type may be recursive.
    this.#schemas.set(key, schema)
    for (const field of fields) properties[field.name] = this.#fieldSchema(type, field, packageName)
    return schema
  }

  #fieldSchema(type: string, field: FieldWords, packageName: string): Schema {
    const schema = this.#typeSchema(field.type, packageName)
    const rules = fieldRules(field.rules)
    if (isDisabled(type, field, this.#off)) return disabledSchema(schema, field)
    // Go never omits empty structs.
    const isQuantity = field.type === 'Quantity' && field.isOmittedEmpty
    const extras = {
      ...(field.isOmittedEmpty && !isQuantity ? { omitEmpty: true } : {}),
      ...(field.isAlwaysThere || isQuantity ? { zero: zeroOf(field.type) } : {}),
      ...(isRuled(field) ? { isRuled: true } : {}),
      ...(field.isNullable ? { zero: null } : {}),
      // A lifecycle without any hook left is dropped.
      ...(field.type === 'Lifecycle' ? { goesWithDisabled: true } : {}),
      // Decoding sets a default given by a marker, like Go's generated defaulters.
      ...(rules.default === undefined ? {} : { zero: rules.default }),
      ...rules,
    }
    const whole = Object.keys(extras).length === 0 ? schema : { ...schema, ...extras }
    return keepingUnsearched(keepingRefused(whole, type, field.name), type, field.name)
  }

  #typeSchema(type: string, packageName: string): Schema {
    if (type.startsWith('[]')) {
      const items = this.#typeSchema(type.slice(2), packageName)
      return { type: 'array', items: type === '[]JSON' ? { ...items, nullable: true } : items }
    }
    if (type === '{}Quantity') return resourceListOf(packageName)
    if (type.startsWith('{}')) {
      const values = this.#typeSchema(type.slice(2), packageName)
      // A field that is not a list is a map value.
      const isList = values.type === 'array'
      return { type: 'object', additionalProperties: isList ? { ...values, zero: null } : values }
    }
    const other = schemaOr.get(type)
    if (other === undefined) return leaves[type] ?? this.schema(...typePlace(type, packageName))
    // The fields of the schema are known, but not its type, object.
    const { properties = {} } = this.schema(packageName, 'JSONSchemaProps')
    const definition = `${definitionPrefix(packageName)}.${type}`
    return { definition, properties, hidesUnknown: true, ...other }
  }
}

/** Zero value of a type: lists and maps are null if they are nil in Go. */
function zeroOf(type: string): unknown {
  if (type.startsWith('[]') || type.startsWith('{}')) return null
  return Object.hasOwn(zeros, type) ? zeros[type] : {}
}

/** Reports whether rules of the kind require the field, because Go decodes it as empty if it is missing. */
function isRuled({ isRequired, isOmittedEmpty, type }: FieldWords): boolean {
  return isRequired && (isOmittedEmpty || type === 'RawExtension')
}

/** Schema of a field that is known but not stored; field owners depend on its structure. */
function disabledSchema(schema: Schema, { isOmittedEmpty, rules }: FieldWords): Schema {
  const { default: _default, ...structure } = fieldRules(rules)
  return {
    ...schema,
    ...structure,
    ...(isOmittedEmpty ? { omitEmpty: true } : {}),
    isDisabled: true,
  }
}
