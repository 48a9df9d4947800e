import { isDeepStrictEqual } from 'node:util'
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  tooManyField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { dns1035Errors } from '../../../meta/names/nameValidation.ts'
import {
  hasStatus,
  type DefinitionVersion,
  type PrinterColumn,
  type ScalePaths,
} from '../../../customResources/definition.ts'
import type { JsonSchemaProps } from '../../../meta/jsonSchemaProps.ts'
import { defaultErrors } from './defaultRules.ts'
import { validationRuleErrors, type RuleReading } from './validationRules.ts'
import { schemaKeywordErrors } from './schemaKeywordRules.ts'
import { structuralErrors } from './structuralRules.ts'

/** Parts of a version that are checked once if all versions share them. */
const parts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const

type Part = (typeof parts)[number]

/** Parts that are equal in all versions. */
export function sharedParts(versions: readonly DefinitionVersion[]): ReadonlySet<Part> {
  const [first, ...others] = versions
  return new Set(
    parts.filter((part) => others.every((other) => isDeepStrictEqual(first?.[part], other[part]))),
  )
}

interface VersionPlace {
  path: string
  shared: ReadonlySet<Part>
}

/** Errors for a single version. Source: apiextensions, validateCustomResourceDefinitionVersion. */
export function versionErrors(
  version: DefinitionVersion,
  reading: RuleReading,
  { path, shared }: VersionPlace,
): FieldError[] {
  const { name } = version
  const names = dns1035Errors(name)
  const own = parts.filter((part) => !shared.has(part))
  return [
    ...(names.length > 0 ? [invalidField(`${path}.name`, name, names.join(','))] : []),
    ...warningErrors(version, `${path}.deprecationWarning`),
    ...partErrors(version, reading, { path, schemaName: 'schema', told: own }),
  ]
}

/** Errors for the parts common to all versions, at the path of the definition. */
export function sharedErrors(
  [first]: readonly DefinitionVersion[],
  reading: RuleReading,
  shared: ReadonlySet<Part>,
): FieldError[] {
  if (first === undefined) return []
  const told = parts.filter((part) => shared.has(part))
  return partErrors(first, reading, { path: 'spec', schemaName: 'validation', told })
}

function partErrors(
  version: DefinitionVersion,
  reading: RuleReading,
  { path, schemaName, told }: { path: string; schemaName: string; told: readonly Part[] },
): FieldError[] {
  const { schema, subresources, additionalPrinterColumns = [] } = version
  const props = schema?.openAPIV3Schema
  const isSchemaElsewhere = !told.includes('schema')
  const errorsOf: Readonly<Record<Part, () => FieldError[]>> = {
    schema: () => {
      const place = { path: `${path}.${schemaName}.openAPIV3Schema`, version }
      return props === undefined ? [] : schemaErrors(props, reading, place)
    },
    subresources: () => scaleErrors(subresources?.scale, `${path}.subresources.scale`),
    additionalPrinterColumns: () =>
      additionalPrinterColumns.flatMap((column, at) =>
        columnErrors(column, `${path}.additionalPrinterColumns[${at}]`),
      ),
    selectableFields: () =>
      isSchemaElsewhere || props === undefined
        ? unsettled(version, path)
        : selectableErrors(version, `${path}.selectableFields`),
  }
  return told.flatMap((part) => errorsOf[part]())
}

/**
 * Errors for selectable fields without a schema: that of the version, or the common one at `spec`.
 * Source: seen on kube-apiserver 1.37.2.
 */
function unsettled({ selectableFields = [] }: DefinitionVersion, path: string): FieldError[] {
  const why =
    path === 'spec'
      ? 'may only be set when validations.schema is included'
      : 'may only be set when `version.schema.openAPIV3Schema` is not included'
  return selectableFields.length === 0 ? [] : [invalidField(`${path}.selectableFields`, '', why)]
}

/**
 * Errors for a schema. Rules are compiled only if the schema itself is valid. With an unsupported
 * keyword, the structure is not checked.
 */
function schemaErrors(
  props: JsonSchemaProps,
  reading: RuleReading,
  { path, version }: { path: string; version: DefinitionVersion },
): FieldError[] {
  const keywords = schemaKeywordErrors(props, { path, isRoot: true })
  const word = unsupportedWord(props)
  if (word !== undefined) {
    const errors = [...rootErrors(props, version, path), ...keywords]
    const why = `OpenAPIV3Schema '${word.replace('$', '')}' is not supported`
    return errors.length > 0 ? errors : [invalidField(path, '', why)]
  }
  const structural = structuralErrors(props, path)
  const shape = structural.length > 0 ? structural : defaultErrors(props, reading, path)
  const errors = [...rootErrors(props, version, path), ...shape, ...keywords]
  if (shape.length > 0) return errors
  const isUnchanged = reading.unchanged?.has(version.name) === true
  const faults = keywords.map(({ field }) => field)
  return [...errors, ...validationRuleErrors(props, reading, { path, isUnchanged, faults })]
}

const unsupportedWords = ['id', '$schema', '$ref', 'additionalItems']
const unsupportedMaps = ['patternProperties', 'definitions', 'dependencies']

/** First keyword in a schema that structural schemas do not support; empty values are ignored. */
function unsupportedWord(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined
  const own =
    unsupportedWords.find((word) => ![undefined, null, ''].includes(schema[word] as null)) ??
    unsupportedMaps.find((word) => isObject(schema[word]) && Object.keys(schema[word]).length > 0)
  if (own !== undefined) return own
  for (const part of partsOf(schema)) {
    const word = unsupportedWord(part)
    if (word !== undefined) return word
  }
  return undefined
}

function partsOf({ properties, items, additionalProperties, not, ...rest }: JsonSchemaProps) {
  const { allOf = [], anyOf = [], oneOf = [] } = rest
  const branches = [...allOf, ...anyOf, ...oneOf]
  return [...Object.values(properties ?? {}), items, additionalProperties, not, ...branches]
}

function rootErrors(
  props: JsonSchemaProps,
  version: DefinitionVersion,
  path: string,
): FieldError[] {
  const { type = '', nullable } = props
  const errors: FieldError[] = []
  if (hasStatus(version) && type !== 'object' && type !== '') {
    const why =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    errors.push(invalidField(`${path}.type`, type, why))
  } else if (hasStatus(version)) errors.push(...rootKeywordErrors(props, path))
  if (nullable === true)
    errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'))
  return errors
}

/** Keywords allowed at the root of a schema with a status subresource, in the spelling of the API. */
const rootWords = [
  ...['Description', 'Type', 'Format', 'Title', 'Maximum', 'ExclusiveMaximum', 'Minimum'],
  ...['ExclusiveMinimum', 'MaxLength', 'MinLength', 'Pattern', 'MaxItems', 'MinItems'],
  ...['UniqueItems', 'MultipleOf', 'Required', 'Items', 'Properties', 'ExternalDocs', 'Example'],
  ...['XPreserveUnknownFields', 'XValidations'],
]

const allowedAtRoot = new Set(
  rootWords.map((word) => word.replace(/^X(?=[A-Z])/, 'x-kubernetes-').toLowerCase()),
)

function rootKeywordErrors(props: JsonSchemaProps, path: string): FieldError[] {
  const isAllowed = (word: string) =>
    allowedAtRoot.has(word.toLowerCase().replaceAll(/(?<=^x-kubernetes-.*)-/g, ''))
  if (Object.keys(props).every(isAllowed)) return []
  const why = `only [${rootWords.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`
  return [invalidField(path, props, why)]
}

function warningErrors(
  { deprecated, deprecationWarning: text }: DefinitionVersion,
  path: string,
): FieldError[] {
  if (text === undefined) return []
  const errors: FieldError[] = []
  if (deprecated !== true)
    return [invalidField(path, text, 'can only be set for deprecated versions')]
  if (Buffer.byteLength(text) > 256)
    errors.push(invalidField(path, text, 'must be <= 256 characters long'))
  if (text === '') errors.push(invalidField(path, text, 'must not be an empty string'))
  const at = [...text].findIndex((character) => /[\p{C}\p{Zl}\p{Zp}]/u.test(character))
  if (at !== -1) {
    const why = `must only contain printable UTF-8 characters; non-printable character found at index ${at}`
    errors.push(invalidField(path, text, why))
  }
  return errors
}

function scaleErrors(scale: ScalePaths | undefined, path: string): FieldError[] {
  if (scale === undefined) return []
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale
  return [
    ...pathBelow(specReplicasPath, `${path}.specReplicasPath`, ['.spec.']),
    ...pathBelow(statusReplicasPath, `${path}.statusReplicasPath`, ['.status.']),
    ...(labelSelectorPath === undefined || labelSelectorPath === ''
      ? []
      : pathBelow(labelSelectorPath, `${path}.labelSelectorPath`, ['.spec.', '.status.'])),
  ]
}

function pathBelow(jsonPath: string, path: string, roots: readonly string[]): FieldError[] {
  if (jsonPath === '') return [requiredField(path)]
  if (!jsonPath.startsWith('.'))
    return [invalidField(path, jsonPath, 'must be a simple json path starting with .')]
  if (roots.some((root) => jsonPath.startsWith(root))) return []
  const either = roots.map((root) => root.slice(0, -1))
  const place = either.length === 1 ? String(either[0]) : `either ${either.join(' or ')}`
  return [invalidField(path, jsonPath, `should be a json path under ${place}`)]
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = [
  ...['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'],
]

function columnErrors({ name, type, format, jsonPath }: PrinterColumn, path: string): FieldError[] {
  const errors: FieldError[] = []
  const knownTypes = `must be one of ${columnTypes.join(',')}`
  if (name === '') errors.push(requiredField(`${path}.name`))
  if (type === '') errors.push(requiredField(`${path}.type`, knownTypes))
  else if (!columnTypes.includes(type)) errors.push(invalidField(`${path}.type`, type, knownTypes))
  if (format !== undefined && !columnFormats.includes(format)) {
    const why = `must be one of ${columnFormats.join(',')}`
    errors.push(invalidField(`${path}.format`, format, why))
  }
  if (jsonPath === '') errors.push(requiredField(`${path}.JSONPath`))
  else if (!jsonPath.startsWith('.')) {
    const why = 'must be a simple json path starting with .'
    errors.push(invalidField(`${path}.JSONPath`, jsonPath, why))
  }
  return errors
}

const mostSelectableFields = 8

function selectableErrors(
  { selectableFields = [], schema }: DefinitionVersion,
  path: string,
): FieldError[] {
  const seen = new Set<string>()
  const errors = selectableFields.flatMap(({ jsonPath }, at) => {
    const field = `${path}[${at}].jsonPath`
    if (jsonPath === '') return [requiredField(field)]
    if (seen.has(jsonPath)) return [duplicateField(field, jsonPath)]
    seen.add(jsonPath)
    return selectableError(jsonPath, schema?.openAPIV3Schema, field)
  })
  if (seen.size > mostSelectableFields)
    errors.push(tooManyField(path, seen.size, mostSelectableFields))
  return errors
}

/** Schema at a path, or the reason why there is none. */
function selected(schema: JsonSchemaProps, names: readonly string[]): JsonSchemaProps | string {
  let found = schema
  for (const name of names) {
    const plain = name.replace(/\[[^]*$/, '')
    const next: unknown = found.properties?.[plain]
    if (!isObject(next)) return 'does not refer to a valid field'
    if (plain !== name) return 'array notation is not allowed'
    found = next
  }
  return found
}

function selectableError(
  jsonPath: string,
  schema: JsonSchemaProps | undefined,
  field: string,
): FieldError[] {
  const invalid = (why: string) => [invalidField(field, jsonPath, `is an invalid path: ${why}`)]
  const [, start = ''] = /^([^.[\]]+)/.exec(jsonPath) ?? []
  if (start !== '') return invalid(`expected [ or . but got: ${start}`)
  const names = jsonPath.slice(1).split('.')
  const found = selected(schema ?? {}, names)
  if (typeof found === 'string') return invalid(found)
  if (names[0] === 'metadata')
    return [invalidField(field, jsonPath, 'must not point to fields in metadata')]
  if (['string', 'boolean', 'integer'].includes(found.type ?? '')) return []
  const why =
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
  return [invalidField(field, jsonPath, why)]
}
