import {
  duplicateField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import {
  labelErrors,
  labelValueErrors,
  subdomainErrors,
} from '../../../meta/names/nameValidation.ts'
import { errorIf, qualifiedName } from '../../fieldChecks.ts'
import { driverErrors } from '../core/volume/volumeSources.ts'
import type { DeviceTaint, DeviceToleration } from '../shapes/resourceV1.ts'

const maxPoolBytes = 253
const maxIdBytes = 32
const identifierForm = '[A-Za-z_][A-Za-z0-9_]*'
const identifierText = `a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '${identifierForm}')`

/** Errors for the name of a request, a device or a set of counters. */
export function deviceNameErrors(path: string, name: string): FieldError[] {
  return labelErrors(name).map((text) => invalidField(path, name, text))
}

/** Errors for the name of a pool: subdomains separated by slashes. */
export function poolErrors(path: string, name: string): FieldError[] {
  if (name === '') return [requiredField(path)]
  return [
    ...errorIf(name.length > maxPoolBytes, () => tooLongField(path, maxPoolBytes)),
    ...name
      .split('/')
      .flatMap((part) => subdomainErrors(part).map((text) => invalidField(path, part, text))),
  ]
}

/** Errors for the name of an attribute or a capacity, with or without a domain. */
export function attributeNameErrors(
  path: string,
  name: string,
  empty = { domain: 'the domain must not be empty', name: 'the name must not be empty' },
): FieldError[] {
  const parts = name.split('/')
  const [first = '', second = ''] = parts
  if (parts.length === 1) return identifierErrors(path, first)
  if (parts.length > 2) return []
  return [
    ...(first === '' ? [invalidField(path, '', empty.domain)] : driverErrors(path, first)),
    ...(second === '' ? [invalidField(path, '', empty.name)] : identifierErrors(path, second)),
  ]
}

const emptyParts = { domain: 'prefix must not be empty', name: 'name must not be empty' }
const domainText = 'a fully qualified name must be a domain and a name separated by a slash'

export function fullAttributeNameErrors(path: string, name: string): FieldError[] {
  return [
    ...attributeNameErrors(path, name, emptyParts),
    ...errorIf(!name.includes('/'), () => invalidField(path, name, domainText)),
  ]
}

function identifierErrors(path: string, id: string): FieldError[] {
  return [
    ...errorIf(id.length > maxIdBytes, () => tooLongField(path, maxIdBytes)),
    ...errorIf(!new RegExp(`^${identifierForm}$`).test(id), () =>
      invalidField(path, id, identifierText),
    ),
  ]
}

/**
 * Errors for a list: for its length or, if that is valid, for its items. `keyOf` identifies the
 * items of a set.
 */
export function listErrors<Item>(
  path: string,
  items: readonly Item[],
  { max, each, keyOf, isShown }: ListRule<Item>,
): FieldError[] {
  if (items.length > max) return [tooManyField(path, items.length, max)]
  const seen = new Set<string>()
  const repeated = items.flatMap((item, at) => {
    const key = keyOf?.(item)
    if (key === undefined) return []
    if (seen.has(key)) return [duplicateField(`${path}[${at}]`, isShown === true ? item : key)]
    seen.add(key)
    return []
  })
  return [...items.flatMap((item, at) => each(`${path}[${at}]`, item)), ...repeated]
}

export interface ListRule<Item> {
  max: number
  each: (path: string, item: Item) => FieldError[]
  /** Key of an item; absent: items may occur more than once. */
  keyOf?: (item: Item) => string
  /** True if the error of a duplicate shows the whole item, false if it shows the key. */
  isShown?: boolean
}

/** Errors for the driver of parameters, which may have upper-case letters. */
export function parameterDriverErrors(path: string, driver: string): FieldError[] {
  return driverErrors(path, driver).map((error) => {
    const message = error.message
      .replace(
        'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric',
        'an RFC 1123 subdomain must consist of alphanumeric',
      )
      .replace("(e.g. 'example.com'", "(e.g. 'Example.com'")
    return { ...error, message }
  })
}

const effects = ['NoExecute', 'NoSchedule', 'None']
const operators = ['Equal', 'Exists']

export function tolerationErrors(path: string, toleration: DeviceToleration): FieldError[] {
  const { key = '', operator = '', value = '', effect = '' } = toleration
  return [
    ...(key === '' ? [] : qualifiedName(`${path}.key`, key)),
    ...operatorErrors(path, operator, value),
    ...errorIf(effect !== '' && !effects.includes(effect), () =>
      notSupportedField(`${path}.effect`, effect, effects),
    ),
  ]
}

function operatorErrors(path: string, operator: string, value: string): FieldError[] {
  if (operator === 'Exists') {
    return errorIf(value !== '', () =>
      invalidField(`${path}.value`, value, 'must be empty for operator `Exists`'),
    )
  }
  if (operator === 'Equal') {
    return labelValueErrors(value).map((text) => invalidField(`${path}.value`, value, text))
  }
  if (operator === '') return [requiredField(`${path}.operator`)]
  return [notSupportedField(`${path}.operator`, operator, operators)]
}

/**
 * Errors for a taint. `isSameEffect`: the effect equals that of the stored taint and is not
 * validated again.
 */
export function taintErrors(
  path: string,
  { key = '', value = '', effect = '' }: DeviceTaint,
  isSameEffect = false,
): FieldError[] {
  return [
    ...qualifiedName(`${path}.key`, key),
    ...(value === ''
      ? []
      : labelValueErrors(value).map((text) => invalidField(`${path}.value`, value, text))),
    ...(isSameEffect
      ? []
      : effect === ''
        ? [requiredField(`${path}.effect`)]
        : errorIf(!effects.includes(effect), () =>
            notSupportedField(`${path}.effect`, effect, effects),
          )),
  ]
}

const maxBindingConditions = 4

/** Errors unless binding conditions and binding failure conditions are both set, or neither. */
export function bindingErrors(
  path: string,
  conditions: readonly string[] = [],
  failures: readonly string[] = [],
): FieldError[] {
  const rule = { max: maxBindingConditions, each: qualifiedName, keyOf: (one: string) => one }
  const needs = (given: readonly string[], other: readonly string[], names: [string, string]) =>
    errorIf(given.length === 0 && other.length > 0, () =>
      invalidField(`${path}.${names[0]}`, null, `${names[0]} are required to use ${names[1]}`),
    )
  return [
    ...listErrors(`${path}.bindingConditions`, conditions, rule),
    ...listErrors(`${path}.bindingFailureConditions`, failures, rule),
    ...failures.flatMap((one, at) =>
      errorIf(conditions.includes(one), () => {
        const detail = 'bindingFailureConditions must not overlap with bindingConditions'
        return invalidField(`${path}.bindingFailureConditions[${at}]`, one, detail)
      }),
    ),
    ...needs(conditions, failures, ['bindingConditions', 'bindingFailureConditions']),
    ...needs(failures, conditions, ['bindingFailureConditions', 'bindingConditions']),
  ]
}
