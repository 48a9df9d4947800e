import type { Environment } from '@marcbachmann/cel-js'
import { patternOf } from '../registry/goPattern.ts'

type Comparable = bigint | number | string | boolean | Date

/** The functions that Kubernetes adds to the language and rules commonly use; others are refused with the rule.
 *  Source: Kubernetes documentation, "CEL in Kubernetes", Kubernetes list, regex and string libraries. */
export function registerFunctions(environment: Environment): void {
  const methods: Readonly<Record<string, (...args: never[]) => unknown>> = {
    'list.isSorted(): bool': isSorted,
    'list.sum(): dyn': sum,
    'list.min(): dyn': (list: Comparable[]) => best(list, (a, b) => a < b, 'min'),
    'list.max(): dyn': (list: Comparable[]) => best(list, (a, b) => a > b, 'max'),
    'list.indexOf(dyn): int': (list: unknown[], item: unknown) => BigInt(list.indexOf(item)),
    'list.lastIndexOf(dyn): int': (list: unknown[], item: unknown) =>
      BigInt(list.lastIndexOf(item)),
    'string.find(string): string': (text: string, pattern: string) =>
      patternOf(pattern).exec(text)?.[0] ?? '',
    'string.findAll(string): list<string>': (text: string, pattern: string) =>
      patternOf(pattern).findAll(text),
    'string.findAll(string, int): list<string>': (text: string, pattern: string, most: bigint) =>
      patternOf(pattern)
        .findAll(text)
        .slice(0, most < 0n ? undefined : Number(most)),
    'string.charAt(int): string': charAt,
    'string.replace(string, string): string': (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
  }
  for (const [signature, handler] of Object.entries(methods)) {
    environment.registerFunction(signature, handler as (...args: unknown[]) => unknown) // the signature says the types
  }
}

function isSorted(list: readonly Comparable[]): boolean {
  return list.every((item, at) => at === 0 || !(item < (list[at - 1] ?? item)))
}

function sum(list: readonly (bigint | number)[]): bigint | number {
  if (typeof list[0] === 'number')
    return list.reduce<number>((total, item) => total + Number(item), 0)
  return list.reduce<bigint>((total, item) => total + BigInt(item), 0n)
}

function best(
  list: readonly Comparable[],
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
