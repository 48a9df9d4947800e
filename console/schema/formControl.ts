import type { Schema } from './schema.ts'

/** Control of a form for a value. */
export type Control =
  | 'fields'
  | 'map'
  | 'list'
  | 'choice'
  | 'boolean'
  | 'number'
  | 'numberOrText'
  | 'text'
  /** Any value, as YAML: the schema is not more specific. */
  | 'yaml'

/** Control for a schema with resolved references. */
export function controlOf(schema: Schema): Control {
  const { items, properties = {}, additionalProperties } = schema
  if (isIntOrString(schema)) return 'numberOrText'
  if (schema.enum?.every((each) => typeof each !== 'object') === true) return 'choice'
  if (items !== undefined) return 'list'
  if (Object.keys(properties).length > 0) return 'fields'
  if (typeof additionalProperties === 'object') return 'map'
  return simpleControl(schema)
}

function simpleControl({ type, oneOf = [] }: Schema): Control {
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return 'number'
  // Quantities may also be numbers, and are written as strings.
  if (type === 'string' || oneOf.some((one) => one.type === 'string')) return 'text'
  return 'yaml'
}

function isIntOrString({ format, ...schema }: Schema): boolean {
  return format === 'int-or-string' || schema['x-kubernetes-int-or-string'] === true
}

export interface Typed {
  /** Value; undefined: the field is unset. */
  value: unknown
  /** Reason why the value is invalid; empty: no known problem. */
  problem: string
}

/**
 * Value for the text typed into a control. Input that is not a number is kept as a string, so that
 * nothing typed is lost.
 */
export function typedValue(text: string, control: Control, schema: Schema): Typed {
  if (text === '') return { value: undefined, problem: '' }
  if (control === 'number') return typedNumber(text, schema)
  return { value: otherValue(text, control, schema), problem: '' }
}

function otherValue(text: string, control: Control, schema: Schema): unknown {
  if (control === 'numberOrText') return isExactInteger(text) ? Number(text) : text
  if (control === 'boolean') return text === 'true'
  if (control === 'choice') return schema.enum?.find((each) => String(each) === text) ?? text
  return text
}

function isExactInteger(text: string): boolean {
  return /^-?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))
}

function typedNumber(text: string, { type }: Schema): Typed {
  const isNumber = type === 'integer' ? isExactInteger(text) : /^-?\d+(\.\d+)?$/.test(text)
  if (isNumber) return { value: Number(text), problem: '' }
  return { value: text, problem: type === 'integer' ? 'Must be an integer.' : 'Must be a number.' }
}

/** Problem of a value that is known without the server; empty: none. */
export function problemOf(value: unknown, schema: Schema, isRequired: boolean): string {
  if (value === undefined || value === '') return isRequired ? 'Required.' : ''
  const control = controlOf(schema)
  if (control === 'number' && typeof value !== 'number')
    return schema.type === 'integer' ? 'Must be an integer.' : 'Must be a number.'
  if (typeof value !== 'number') return ''
  const { minimum, maximum } = schema
  if (minimum !== undefined && value < minimum) return `Must be at least ${minimum}.`
  return maximum !== undefined && value > maximum ? `Must be at most ${maximum}.` : ''
}

/** Initial value for a field that a user adds: empty, and of the right shape. */
export function emptyValue(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  switch (controlOf(schema)) {
    case 'fields':
    case 'map':
      return {}
    case 'list':
      return []
    case 'boolean':
      return false
    case 'yaml':
      return null
    case 'choice':
    case 'number':
    case 'numberOrText':
    case 'text':
      return ''
  }
}
