import { isWhole } from '../meta/json/integers.ts'
import { isObject } from '../meta/json/isObject.ts'
import { ownMember } from '../meta/json/plainMembers.ts'

/**
 * Value at a path of a custom object, or the reason why it has the wrong type. Neither is set if
 * the field is absent.
 */
export interface NestedField<Value> {
  value?: Value
  /** Error message, worded as by apimachinery's accessors. */
  error?: string
}

/** Integer at a path written as in a definition: `.spec.replicas`. */
export function nestedInteger(object: object, path: string): NestedField<number | bigint> {
  return nestedOf(object, path, 'int64', isWhole)
}

export function nestedString(object: object, path: string): NestedField<string> {
  return nestedOf(object, path, 'string', (value) => typeof value === 'string')
}

export function pathSteps(path: string): string[] {
  return path.replace(/^\./, '').split('.')
}

function nestedOf<Value>(
  object: object,
  path: string,
  wanted: string,
  isWanted: (value: unknown) => value is Value,
): NestedField<Value> {
  const { value, error } = nestedValue(object, pathSteps(path))
  if (error !== undefined) return { error }
  if (value === undefined) return {}
  return isWanted(value) ? { value } : { error: accessorError(path, value, wanted) }
}

function nestedValue(object: object, steps: readonly string[]): NestedField<unknown> {
  let value: unknown = object
  for (const [index, name] of steps.entries()) {
    if (value === undefined || value === null) return {}
    if (!isObject(value)) {
      const path = `.${steps.slice(0, index + 1).join('.')}`
      return { error: accessorError(path, value, 'map[string]interface{}') }
    }
    value = ownMember(value, name)
  }
  return { value }
}

function accessorError(path: string, value: unknown, wanted: string): string {
  return `${path} accessor error: ${goValue(value)} is of the type ${goType(value)}, expected ${wanted}`
}

/** Value formatted as by Go's `%v`. */
function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`
  if (!isObject(value)) return `${value as string | number | bigint | boolean}`
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `map[${members.map(([name, member]) => `${name}:${goValue(member)}`).join(' ')}]`
}

/** Type formatted as by Go's `%T`. */
function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (isWhole(value)) return 'int64'
  if (isObject(value)) return 'map[string]interface {}'
  return { number: 'float64', boolean: 'bool' }[typeof value as string] ?? 'string'
}
