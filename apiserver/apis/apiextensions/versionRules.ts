import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  tooManyField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import { isObject } from '../../meta/isObject.ts'
import { dns1035Errors } from '../../meta/nameValidation.ts'
import type { CelLibrary } from '../../customResources/celLibrary.ts'
import {
  hasStatus,
  type DefinitionVersion,
  type JsonSchemaProps,
  type PrinterColumn,
  type ScalePaths,
} from '../../customResources/definition.ts'
import { parseJsonPath } from '../../customResources/jsonPath.ts'
import { defaultErrors } from './defaultRules.ts'
import { ruleRules } from './ruleRules.ts'
import { schemaWordErrors } from './schemaWordRules.ts'
import { structuralErrors } from './structuralRules.ts'

/** What is wrong with one version. Source: apiextensions, validateCustomResourceDefinitionVersion. */
export function versionErrors(
  version: DefinitionVersion,
  cel: CelLibrary,
  path: string,
): FieldError[] {
  const { name, schema, subresources, additionalPrinterColumns = [] } = version
  const props = schema?.openAPIV3Schema
  const schemaPath = `${path}.schema.openAPIV3Schema`
  const names = dns1035Errors(name)
  return [
    ...(names.length > 0 ? [invalidField(`${path}.name`, name, names.join(','))] : []),
    ...(props === undefined ? [requiredField(schemaPath)] : []),
    ...warningErrors(version, `${path}.deprecationWarning`),
    ...(props === undefined ? [] : schemaErrors(props, { version, cel, path: schemaPath })),
    ...scaleErrors(subresources?.scale, `${path}.subresources.scale`),
    ...additionalPrinterColumns.flatMap((column, at) =>
      columnErrors(column, `${path}.additionalPrinterColumns[${at}]`),
    ),
    ...selectableErrors(version, `${path}.selectableFields`),
  ]
}

/** Rules are read only where the schema itself is right. */
function schemaErrors(
  props: JsonSchemaProps,
  { version, cel, path }: { version: DefinitionVersion; cel: CelLibrary; path: string },
): FieldError[] {
  const structural = structuralErrors(props, path)
  const errors = [
    ...rootErrors(props, version, path),
    ...(structural.length > 0 ? structural : defaultErrors(props, path)),
    ...schemaWordErrors(props, { path, isRoot: true }),
  ]
  return errors.length > 0 ? errors : ruleRules(props, cel, { path })
}

function rootErrors(
  { type = '', nullable }: JsonSchemaProps,
  version: DefinitionVersion,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  if (hasStatus(version) && type !== 'object') {
    const why =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    errors.push(invalidField(`${path}.type`, type, why))
  }
  if (nullable === true)
    errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'))
  return errors
}

function warningErrors(
  { deprecated, deprecationWarning: text }: DefinitionVersion,
  path: string,
): FieldError[] {
  if (text === undefined) return []
  const errors: FieldError[] = []
  if (deprecated !== true)
    errors.push(invalidField(path, text, 'can only be set for deprecated versions'))
  if (text.length > 256) errors.push(invalidField(path, text, 'must be <= 256 characters long'))
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
  } else if (parseJsonPath(jsonPath) === undefined)
    errors.push(invalidField(`${path}.JSONPath`, jsonPath, 'is a json path that is not supported'))
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

function selectableError(
  jsonPath: string,
  schema: JsonSchemaProps | undefined,
  field: string,
): FieldError[] {
  const names = jsonPath.slice(1).split('.')
  const isPath = jsonPath.startsWith('.') && names.every((name) => /^[^[\]\s]+$/.test(name))
  if (names[0] === 'metadata')
    return [invalidField(field, jsonPath, 'must not point to fields in metadata')]
  let found: JsonSchemaProps | undefined = schema
  for (const name of names) {
    const next: unknown = found?.properties?.[name]
    found = isObject(next) ? next : undefined
  }
  if (!isPath || found === undefined) {
    const why = 'is an invalid path: does not refer to a valid field'
    return [invalidField(field, jsonPath, why)]
  }
  if (['string', 'boolean', 'integer'].includes(found.type ?? '')) return []
  const why =
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
  return [invalidField(field, jsonPath, why)]
}
