import type { FormatDefinition } from 'ajv'
import { readMoment } from '../../meta/moment.ts'
import { parseQuantity } from '../../meta/quantity.ts'
import { stringFormats } from '../formats/stringFormats.ts'

/** Differences between built-in and custom kinds. */
export interface SchemaDialect {
  /** Validated formats by name. */
  formats: Readonly<Record<string, FormatRule>>
  /** Name of a format in that list; undefined: not validated. */
  nameOf: (format: string) => string | undefined
  /** The keyword of an error for a string without its format. */
  keyword: 'format' | 'stringFormat'
  /** True if a value of a wrong type is not validated further. */
  stopsAtWrongType: boolean
  /** True if errors name a format in place of the type. */
  formatsNameTypes: boolean
  /** True if numbers are compared as doubles, and count as integers if they are whole except for rounding errors. */
  comparesDoubles: boolean
  /** True if compiled code only detects that a value has errors; walking the schema finds them. */
  findsErrorsByWalk: boolean
}

export type FormatRule = RegExp | ((text: string) => boolean) | NumberFormat

type NumberFormat = FormatDefinition<number> & { validate: (value: number | bigint) => boolean }

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const builtInFormats: Readonly<Record<string, FormatRule>> = {
  int32: { type: 'number', validate: (n) => n >= -2147483648 && n <= 2147483647 },
  int64: { type: 'number', validate: (n) => n >= -(2 ** 63) && n < 2 ** 63 },
  double: { type: 'number', validate: () => true },
  byte: base64,
  'date-time': (text) => readMoment(text) !== undefined,
  quantity: (text) => parseQuantity(text) !== undefined,
}

export const builtInDialect: SchemaDialect = {
  formats: builtInFormats,
  nameOf: (format) => (Object.hasOwn(builtInFormats, format) ? format : undefined),
  keyword: 'format',
  stopsAtWrongType: true,
  formatsNameTypes: false,
  comparesDoubles: false,
  findsErrorsByWalk: false,
}

/**
 * Number formats. Compiled code only decides whether a number needs a closer look: it does not support exact 64-bit
 * integers.
 */
const numberFormats: Readonly<Record<string, FormatRule>> = {
  int32: builtInFormats['int32'] ?? base64,
  int64: { type: 'number', validate: (n) => Number.isSafeInteger(n) },
  float: { type: 'number', validate: (n) => Math.abs(Number(n)) < 3.4e38 },
  double: { type: 'number', validate: () => true },
}

const customFormats: Readonly<Record<string, FormatRule>> = { ...stringFormats, ...numberFormats }

/**
 * Dialect of custom kinds. Names of their string formats may have dashes or not. Source:
 * apiextensions, supported formats.
 */
export const customDialect: SchemaDialect = {
  formats: customFormats,
  nameOf: (format) => {
    const name = format.replaceAll('-', '')
    return Object.hasOwn(customFormats, name) ? name : undefined
  },
  keyword: 'stringFormat',
  stopsAtWrongType: false,
  formatsNameTypes: true,
  comparesDoubles: true,
  findsErrorsByWalk: true,
}

/**
 * Format of a custom schema, if values are validated against it: each type has its own formats.
 * Source: apiextensions, supported formats; seen on kube-apiserver 1.37.2.
 */
export function checkedFormat(type: string | undefined, format: string): string | undefined {
  const isKnown = formatsByType[type ?? '']?.(format) === true
  return isKnown ? format : undefined
}

const isStringFormat = (format: string) => Object.hasOwn(stringFormats, format.replaceAll('-', ''))

const formatsByType: Readonly<Record<string, (format: string) => boolean>> = {
  '': isStringFormat,
  string: isStringFormat,
  integer: (format) => format === 'int32' || format === 'int64',
  number: (format) => format === 'float' || format === 'double',
}

/** Reports whether a value has a format; every value has a format that is not validated. */
export function hasFormat(
  { formats, nameOf }: SchemaDialect,
  format: string,
  value: string | number | bigint,
): boolean {
  const rule = formats[nameOf(format) ?? '']
  if (rule === undefined) return true
  if (rule instanceof RegExp) return typeof value !== 'string' || rule.test(value)
  if (typeof rule === 'function') return typeof value !== 'string' || rule(value)
  return typeof value === 'string' || rule.validate(value)
}
