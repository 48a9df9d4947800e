import { goFloat } from '../../meta/goFloat.ts'
import type { Schema } from '../../meta/schema.ts'
import type { SchemaProblem } from './schemaProblem.ts'

/** Number of a custom kind as decoded by the API: a 64-bit integer, or a double. */
type GoNumber = { isInteger: true; value: bigint } | { isInteger: false; value: number }

function goNumber(value: number | bigint): GoNumber {
  if (typeof value === 'bigint') return { isInteger: true, value }
  return Number.isSafeInteger(value)
    ? { isInteger: true, value: BigInt(value) }
    : { isInteger: false, value }
}

const largestWhole = Number.MAX_SAFE_INTEGER

/** Reports whether a double counts as an integer: rounding errors are allowed. */
export function isNearlyWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > largestWhole) return false
  const rounded = Math.round(value)
  if (value === rounded) return true
  return rounded !== 0 && Math.abs(value - rounded) < 1e-9 * Math.abs(rounded)
}

/**
 * Returns a check whether a number equals an allowed one. Numbers are compared in the form of the
 * allowed number: an integer without fractions. Source: kube-openapi, the validator of
 * enumerations; seen on kube-apiserver 1.37.2.
 */
export function numberIndex(allowed: readonly unknown[]): (value: unknown) => boolean {
  const wanted = new Set(allowed.filter(isNumber).map((one) => goNumber(one).value))
  return (value) => {
    if (wanted.size === 0 || !isNumber(value)) return false
    const given = goNumber(value)
    return (
      wanted.has(Number(value)) ||
      wanted.has(given.isInteger ? given.value : truncated(given.value))
    )
  }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

type Told = Pick<SchemaProblem, 'keyword' | 'data' | 'params'>

/**
 * Problems of a number with the bounds of its schema. A bound that is not a value of the type is reported itself, then
 * compared as a double; an integer is compared with the truncated bound.
 * Source: kube-openapi, the validator of numbers; seen on kube-apiserver 1.37.2.
 */
export function numberProblems(given: number | bigint, schema: Schema, path: string): Told[] {
  const { multipleOf, minimum, maximum } = schema
  const value = goNumber(given)
  const bounded = (name: string, limit: number | undefined, check: Check): Told[] => {
    if (limit === undefined) return []
    const range = rangeProblem(goDouble(limit), schema, { name, path })
    const doubled: GoNumber = { isInteger: false, value: Number(given) }
    return [...range, ...check(range.length > 0 ? doubled : value, limit)]
  }
  return [
    ...rangeProblem(value, schema, { name: 'Checked', path }),
    ...bounded('MultipleOf', multipleOf, multipleProblem),
    ...bounded('Minimum boundary', minimum, (one, limit) => minimumProblem(one, limit, schema)),
    ...bounded('Maximum boundary', maximum, (one, limit) => maximumProblem(one, limit, schema)),
  ]
}

type Check = (value: GoNumber, limit: number) => Told[]

function goDouble(value: number): GoNumber {
  return { isInteger: false, value }
}

function multipleProblem(number: GoNumber, limit: number): Told[] {
  const factor = number.isInteger ? Number(truncated(limit)) : limit
  if (factor <= 0) return [{ keyword: 'multipleOfSign', data: factor, params: { limit: factor } }]
  const isMultiple = number.isInteger
    ? number.value % truncated(limit) === 0n
    : isNearlyWhole(factor < 1 ? (1 / factor) * number.value : number.value / factor)
  return isMultiple ? [] : [broken('multipleOf', number, limit)]
}

function minimumProblem(number: GoNumber, limit: number, schema: Schema): Told[] {
  const isExclusive = schema.exclusiveMinimum === true
  const bound = number.isInteger ? truncated(limit) : limit
  if (isExclusive ? number.value > bound : number.value >= bound) return []
  return [broken(isExclusive ? 'exclusiveMinimum' : 'minimum', number, limit)]
}

function maximumProblem(number: GoNumber, limit: number, schema: Schema): Told[] {
  const isExclusive = schema.exclusiveMaximum === true
  const bound = number.isInteger ? truncated(limit) : limit
  if (isExclusive ? number.value < bound : number.value <= bound) return []
  return [broken(isExclusive ? 'exclusiveMaximum' : 'maximum', number, limit)]
}

/** Problem with a bound; both numbers are formatted as in the API. */
function broken(keyword: string, { isInteger, value }: GoNumber, limit: number): Told {
  const shown = isInteger ? String(value) : goFloat(Number(value))
  const bound = isInteger ? String(truncated(limit)) : goFloat(limit)
  return { keyword, data: value, params: { limit: bound, shown } }
}

const int64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n }

/** Truncated number, like a double converted by the server's processors: beyond 64 bits the least integer. */
function truncated(limit: number): bigint {
  if (!Number.isFinite(limit)) return int64.least
  const whole = BigInt(Math.trunc(limit))
  return whole > int64.most || whole < int64.least ? int64.least : whole
}

/** Problem of a value that the type cannot represent, in a schema of one type. */
function rangeProblem(
  number: GoNumber,
  { type, format, 'x-kubernetes-int-or-string': isEither }: Schema,
  { name, path }: { name: string; path: string },
): Told[] {
  if (isEither === true || holds(number, type, format)) return []
  const known = numberFormats[type ?? '']?.includes(format ?? '') === true
  const words = known ? `with format ${format ?? ''}` : '(default format)'
  const text = `${name} value must be of type ${type ?? ''} ${words} in ${path}`
  return [{ keyword: 'text', data: '', params: { text } }]
}

const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}

const largestFloat = 3.4028235677973366e38

function holds(number: GoNumber, type: Schema['type'], format: string | undefined): boolean {
  if (type === 'number') return format !== 'float' || Math.abs(Number(number.value)) < largestFloat
  if (type !== 'integer') return true
  const value = wholeOf(number)
  if (value === undefined) return false
  return format !== 'int32' || BigInt.asIntN(32, value) === value
}

/** Integer value; undefined: it has a fraction, or more than 64 bits. */
function wholeOf(number: GoNumber): bigint | undefined {
  if (number.isInteger) return number.value
  if (!Number.isInteger(number.value)) return undefined
  const value = BigInt(number.value)
  return BigInt.asIntN(64, value) === value ? value : undefined
}
