import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import type { Checker, Evaluator } from '../syntax/dialect.ts'
import { mostMade, registerHandlers, tooCostly, withinCost, type Handlers } from './handlers.ts'

class StringsNamespace {}

/** Methods in place of the library's, which count units of UTF-16. */
export const textMethods: Handlers = {
  'string.indexOf(string): int': (text: string, part: string) => indexOf(text, part, 0n),
  'string.indexOf(string, int): int': indexOf,
  'string.lastIndexOf(string): int': (text: string, part: string) =>
    lastIndexOf(text, part, BigInt([...text].length)),
  'string.lastIndexOf(string, int): int': lastIndexOf,
  'string.substring(int): string': (text: string, from: bigint) =>
    substring(text, from, BigInt([...text].length)),
  'string.substring(int, int): string': substring,
}

/** What Kubernetes' strings can that the library's cannot. Source: the language's extended library of strings. */
export function registerTexts(environment: Environment): void {
  environment.registerType('StringsNamespace', StringsNamespace)
  environment.registerConstant('strings', 'StringsNamespace', new StringsNamespace())
  registerHandlers(environment, {
    'string.replace(string, string): string': (text: string, from: string, to: string) =>
      replaced(text, { from, to, most: -1n }),
    'string.replace(string, string, int): string': (
      text: string,
      from: string,
      to: string,
      most: bigint,
    ) => replaced(text, { from, to, most }),
    'string(google.protobuf.Timestamp): string': textOf,
    'string(google.protobuf.Duration): string': textOf,
    'StringsNamespace.quote(string): string': (_of: unknown, text: string) => JSON.stringify(text),
  })
  environment.registerFunction('string.format(ast): string', formatCall)
}

/** Positions count characters, not units of UTF-16. @throws Error for one outside of the text. */
function indexOf(text: string, part: string, from: bigint): bigint {
  const characters = [...text]
  checkIndex(from, characters.length)
  const start = characters.slice(0, Number(from)).join('').length
  return position(text, text.indexOf(part, start))
}

function lastIndexOf(text: string, part: string, from: bigint): bigint {
  const characters = [...text]
  checkIndex(from, characters.length)
  const start = characters.slice(0, Number(from)).join('').length
  return position(text, text.lastIndexOf(part, start))
}

function position(text: string, at: number): bigint {
  return at < 0 ? -1n : BigInt([...text.slice(0, at)].length)
}

function substring(text: string, from: bigint, to: bigint): string {
  const characters = [...text]
  checkIndex(from, characters.length)
  checkIndex(to, characters.length)
  if (from > to) throw new Error(`invalid substring range. start: ${from}, end: ${to}`)
  return characters.slice(Number(from), Number(to)).join('')
}

function checkIndex(at: bigint, length: number): void {
  if (at < 0n || at > BigInt(length)) throw new Error(`index out of range: ${at}`)
}

function replaced(
  text: string,
  { from, to, most }: { from: string; to: string; most: bigint },
): string {
  const parts = from === '' ? ['', ...text, ''] : text.split(from)
  const count = most < 0n ? parts.length - 1 : Math.min(Number(most), parts.length - 1)
  if (text.length + count * to.length > mostMade) throw tooCostly()
  const [last, rest] = [parts.slice(0, count + 1), parts.slice(count + 1)]
  const glue = from === '' ? '' : from
  return [last.join(to), ...rest].join(glue)
}

interface Call {
  receiver: ASTNode
  args: [ASTNode]
}

/** The values of a format are of any types, also in one list. */
function formatCall({ receiver, args: [list] }: Call): object {
  const items = list.op === 'list' ? list.args : undefined
  return {
    async: false,
    typeCheck: (checker: Checker, _macro: unknown, context: unknown) => {
      checker.check(receiver, context)
      for (const one of items ?? [list]) checker.check(one, context)
      return checker.getType('string')
    },
    evaluate: (evaluator: Evaluator, _macro: unknown, context: unknown) => {
      const format = evaluator.run(receiver, context)
      const values =
        items?.map((one) => evaluator.run(one, context)) ?? evaluator.run(list, context)
      if (typeof format !== 'string' || !isIterable(values)) throw new Error('no such overload')
      return withinCost(formatted(format, [...values]))
    },
  }
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

const clause = /%(?:%|(?:\.(\d{1,3}))?([sdfebxXo]))?/g

function formatted(format: string, values: unknown[]): string {
  let at = 0
  return format.replaceAll(clause, (found: string, precision?: string, verb?: string) => {
    if (found === '%%') return '%'
    if (verb === undefined) {
      throw new Error(`could not parse formatting clause: unrecognized formatting clause ${found}`)
    }
    if (at >= values.length) throw new Error(`index ${at} out of range`)
    return clauseText(values[at++], verb, precision === undefined ? 6 : Number(precision))
  })
}

function clauseText(value: unknown, verb: string, precision: number): string {
  const text = clauseTexts[verb]?.(value, precision)
  if (text !== undefined) return text
  throw new Error(`error during formatting: %${verb} clause cannot take this value`)
}

/** undefined: the clause cannot take the value. */
const clauseTexts: Readonly<
  Record<string, (value: unknown, precision: number) => string | undefined>
> = {
  s: textOf,
  d: (value) => wholeOf(value)?.toString(),
  f: (value, precision) => (typeof value === 'number' ? fixed(value, precision) : undefined),
  e: (value) => (typeof value === 'number' ? scientific(value) : undefined),
  b: (value) => (typeof value === 'boolean' ? String(Number(value)) : wholeOf(value)?.toString(2)),
  o: (value) => wholeOf(value)?.toString(8),
  x: hexadecimal,
  X: (value) => hexadecimal(value).toUpperCase(),
}

/** Numbers without a sign are objects of the library. */
function wholeOf(value: unknown): bigint | undefined {
  const plain: unknown = typeof value === 'object' ? value?.valueOf() : value
  return typeof plain === 'bigint' ? plain : undefined
}

/** In groups of three digits, as the API writes numbers. */
function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return String(value)
  const isHuge = Math.abs(value) >= 1e21
  const text = isHuge ? String(BigInt(value)) : value.toFixed(Math.min(precision, 100))
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  const rest = isHuge ? '0'.repeat(Math.min(precision, 100)) : (fraction ?? '')
  return rest === '' ? grouped : `${grouped}.${rest}`
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** `2.500000×10⁰⁰`, whatever precision is asked for. */
function scientific(value: number): string {
  const [mantissa = '', exponent = '+0'] = value.toExponential(6).split('e')
  const digits = exponent.slice(1).padStart(2, '0')
  const raised = digits.replaceAll(/\d/g, (digit) => superscripts[Number(digit)] ?? '')
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`
}

function hexadecimal(value: unknown): string {
  const whole = wholeOf(value)
  if (whole !== undefined) return whole.toString(16)
  return Buffer.from(value instanceof Uint8Array ? value : String(value)).toString('hex')
}

/** A value as `%s` shows it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString() : partText(value)
}

/** A value inside another. */
function partText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return value.toFixed(6)
  if (value === null) return 'null'
  if (value instanceof Date) return value.toISOString().replace(/\.?0*Z$/, 'Z')
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString())}`
  if (Array.isArray(value) || value instanceof Set)
    return `[${[...value].map(partText).join(', ')}]`
  if (isPlain(value)) return mapText(value)
  return objectText(value)
}

/** Durations, types, and numbers without a sign. */
function objectText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('seconds' in value && 'nanos' in value)
    return `${Number(value.seconds) + Number(value.nanos) / 1e9}s`
  if ('name' in value && typeof value.name === 'string') return value.name
  return String(wholeOf(value))
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return value instanceof Map || Object.getPrototypeOf(value) === Object.prototype
}

function mapText(value: object): string {
  const entries: [unknown, unknown][] =
    value instanceof Map ? [...value.entries()] : Object.entries(value)
  const texts = entries.map(([name, member]) => `${partText(name)}:${partText(member)}`)
  return `{${texts.sort().join(', ')}}`
}
