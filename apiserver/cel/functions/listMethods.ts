import type { Environment } from '@marcbachmann/cel-js'
import { patternOf } from '../../registry/formats/goPattern.ts'
import { mostMade, registerHandlers, tooCostly, withinCost, type Handlers } from './handlers.ts'
import { celKey } from './values.ts'

type Comparable = bigint | number | string | boolean | Date

/** Methods of lists that have the names of methods of texts. Sets are lists too. */
export const listMethods: Handlers = {
  'list.indexOf(dyn): int': (list: Iterable<unknown>, item: unknown) =>
    BigInt([...list].map(celKey).indexOf(celKey(item))),
  'list.lastIndexOf(dyn): int': (list: Iterable<unknown>, item: unknown) =>
    BigInt([...list].map(celKey).lastIndexOf(celKey(item))),
  'list<string>.join(string): string': (list: Iterable<string>, glue: string) =>
    joined([...list], glue),
}

function joined(items: readonly string[], glue: string): string {
  if (items.length * glue.length > mostMade) throw tooCostly()
  return withinCost(items.join(glue))
}

/** The functions that Kubernetes adds to the language and rules commonly use; others are refused with the rule.
 *  Source: Kubernetes documentation, "CEL in Kubernetes", Kubernetes list, regex and string libraries. */
export function registerFunctions(environment: Environment): void {
  const order = (holds: (difference: number) => boolean) => (a: Uint8Array, b: Uint8Array) =>
    holds(Buffer.compare(a, b))
  environment.registerOperator(
    'bytes < bytes',
    order((difference) => difference < 0),
  )
  environment.registerOperator(
    'bytes <= bytes',
    order((difference) => difference <= 0),
  )
  environment.registerOperator(
    'bytes > bytes',
    order((difference) => difference > 0),
  )
  environment.registerOperator(
    'bytes >= bytes',
    order((difference) => difference >= 0),
  )
  registerHandlers(environment, {
    'list.isSorted(): bool': isSorted,
    'list.sum(): dyn': sum,
    'list.min(): dyn': (list: Iterable<Comparable>) => best(list, (a, b) => a < b, 'min'),
    'list.max(): dyn': (list: Iterable<Comparable>) => best(list, (a, b) => a > b, 'max'),
    'string.find(string): string': (text: string, pattern: string) =>
      patternOf(pattern).exec(text)?.[0] ?? '',
    'string.findAll(string): list<string>': (text: string, pattern: string) =>
      patternOf(pattern).findAll(text),
    'string.findAll(string, int): list<string>': (text: string, pattern: string, most: bigint) =>
      patternOf(pattern)
        .findAll(text)
        .slice(0, most < 0n ? undefined : Number(most)),
    'string.charAt(int): string': charAt,
  })
}

function isSorted(list: Iterable<Comparable>): boolean {
  const items = [...list]
  return items.every((item, at) => at === 0 || !(item < (items[at - 1] ?? item)))
}

function sum(list: Iterable<bigint | number>): unknown {
  const items = [...list]
  if (typeof items[0] === 'object') return sumOfDurations(items)
  if (typeof items[0] === 'number')
    return items.reduce<number>((total, item) => total + Number(item), 0)
  return items.reduce<bigint>((total, item) => total + BigInt(item), 0n)
}

/** Durations, as the library makes them. */
function sumOfDurations(items: readonly unknown[]): unknown {
  const given = items.filter(isDuration)
  const total = given.reduce(
    (all, one) => all + one.seconds * 1_000_000_000n + BigInt(one.nanos),
    0n,
  )
  const parts = [total / 1_000_000_000n, Number(total % 1_000_000_000n)]
  return Reflect.construct((given[0] ?? {}).constructor, parts) as unknown
}

function isDuration(value: unknown): value is { seconds: bigint; nanos: number } {
  return typeof value === 'object' && value !== null && 'seconds' in value && 'nanos' in value
}

function best(
  list: Iterable<Comparable>,
  isBetter: (a: Comparable, b: Comparable) => boolean,
  name: string,
): Comparable {
  const [first, ...rest] = list
  if (first === undefined) throw new Error(`${name} called on empty list`)
  return rest.reduce((found, item) => (isBetter(item, found) ? item : found), first)
}

function charAt(text: string, index: bigint): string {
  const characters = [...text]
  if (index < 0n || index > BigInt(characters.length))
    throw new Error(`index out of range: ${index}`)
  return characters[Number(index)] ?? ''
}
