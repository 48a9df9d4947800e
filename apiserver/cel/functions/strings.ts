import { messageOf } from '../../meta/messageOf.ts'
import { trimBoth } from '../../meta/trim.ts'
import { contained, read, readTwice, searched, traversal } from '../cost/actualCosts.ts'
import * as estimates from '../cost/estimates.ts'
import { patternOf, type Pattern } from '../../registry/formats/goPattern.ts'
import { itemsOf } from '../values/lists.ts'
import { isEqual } from '../values/comparison.ts'
import { formatted } from './formatting.ts'
import { CostExceeded } from '../values/costExceeded.ts'
import { mostMade, withinCost, type FunctionTable } from './row.ts'

/** Position of a substring, in characters rather than UTF-16 units. */
function indexOf(text: string, part: string, from: bigint): bigint {
  const characters = [...text]
  const start = offsetOf(characters, from)
  if (part === '') return BigInt(Math.min(start, characters.length))
  if (start >= characters.length) return -1n
  const before = characters.slice(0, start).join('').length
  return position(text, text.indexOf(part, before))
}

/** Offset as a number. @throws Error for a negative offset. */
function offsetOf(characters: readonly string[], at: bigint): number {
  if (at < 0n) throw new Error(`index out of range: ${at}`)
  return at > BigInt(characters.length) ? characters.length : Number(at)
}

function lastIndexOf(text: string, part: string, from: bigint): bigint {
  const characters = [...text]
  const start = offsetOf(characters, from)
  if (part === '') return BigInt(start)
  if (start >= characters.length) return -1n
  const before = characters.slice(0, start).join('').length
  return position(text, text.lastIndexOf(part, before))
}

function position(text: string, at: number): bigint {
  return at < 0 ? -1n : BigInt([...text.slice(0, at)].length)
}

function substring(text: string, from: bigint, to: bigint): string {
  const characters = [...text]
  checkedIndex(from, characters.length)
  checkedIndex(to, characters.length)
  if (from > to) throw new Error(`invalid substring range. start: ${from}, end: ${to}`)
  return characters.slice(Number(from), Number(to)).join('')
}

function checkedIndex(at: bigint, length: number): bigint {
  if (at < 0n || at > BigInt(length)) throw new Error(`index out of range: ${at}`)
  return at
}

function replaced(
  text: string,
  { from, to, most }: { from: string; to: string; most: bigint },
): string {
  const parts = from === '' ? ['', ...text, ''] : text.split(from)
  const count = most < 0n ? parts.length - 1 : Math.min(Number(most), parts.length - 1)
  if (text.length + count * to.length > mostMade) throw new CostExceeded()
  const [last, rest] = [parts.slice(0, count + 1), parts.slice(count + 1)]
  const glue = from === '' ? '' : from
  return [last.join(to), ...rest].join(glue)
}

function lengthOf(text: string): bigint {
  return BigInt([...text].length)
}

function charAt(text: string, index: bigint): string {
  const characters = [...text]
  return characters[Number(checkedIndex(index, characters.length))] ?? ''
}

/** Parts of a string, up to the requested number; the last part contains the rest. */
function split(text: string, by: string, most: bigint): string[] {
  if (most === 0n) return []
  if (most === 1n) return [text]
  const parts = by === '' ? [...text] : text.split(by)
  if (most < 0n || parts.length <= Number(most)) return parts
  const count = Number(most) - 1
  return [...parts.slice(0, count), parts.slice(count).join(by)]
}

const isSpace = /[\s\u0085\u200b]/u

function withoutSpace(text: string): string {
  return trimBoth(text, (char) => isSpace.test(char))
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())
}

function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())
}

function joined(list: unknown, glue: string): string {
  const items = itemsOf(list) ?? []
  if (items.length * glue.length > mostMade) throw new CostExceeded()
  return withinCost(items.join(glue))
}

function itemIndex(list: unknown, item: unknown): bigint {
  return BigInt((itemsOf(list) ?? []).findIndex((one) => isEqual(one, item)))
}

function lastItemIndex(list: unknown, item: unknown): bigint {
  return BigInt((itemsOf(list) ?? []).findLastIndex((one) => isEqual(one, item)))
}

const quotes: Readonly<Record<string, string>> = {
  ...{ '\x07': String.raw`\a`, '\b': String.raw`\b`, '\f': String.raw`\f` },
  ...{ '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` },
  ...{ '\v': String.raw`\v`, '\\': String.raw`\\`, '"': String.raw`\"` },
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\x07\b\f\n\r\t\v\\"]/g, (one) => quotes[one] ?? one)}"`
}

function fits(text: string, pattern: string): boolean {
  return regex(pattern).test(text)
}

/** Compiles a pattern. @throws Error if it is not valid RE2. */
function regex(pattern: string): Pattern {
  try {
    return patternOf(pattern)
  } catch (error) {
    throw new Error(messageOf(error), { cause: error })
  }
}

const copied = { cost: read, estimate: estimates.copied }
const searches = { cost: searched, estimate: estimates.found }

/**
 * Functions for strings. Positions count characters. Source: the language's definition; its
 * extended library of strings, version 2; Kubernetes documentation, "CEL in Kubernetes", Kubernetes
 * regex and list libraries.
 */
export const strings: FunctionTable = {
  contains: {
    forms: { '.string,string bool #contains': (text: string, part: string) => text.includes(part) },
    cost: contained,
    estimate: estimates.textContained,
  },
  endsWith: {
    forms: { '.string,string bool #affix': (text: string, part: string) => text.endsWith(part) },
    cost: ([, part]) => read([part], undefined),
    estimate: estimates.affix,
  },
  startsWith: {
    forms: { '.string,string bool #affix': (text: string, part: string) => text.startsWith(part) },
    cost: ([, part]) => read([part], undefined),
    estimate: estimates.affix,
  },
  matches: {
    forms: {
      'string,string bool': fits,
      '.string,string bool #matches': { run: fits, estimate: estimates.matched, cost: searched },
    },
  },
  charAt: { forms: { '.string,int string': charAt } },
  indexOf: {
    forms: {
      '.string,string int': (text: string, part: string) => indexOf(text, part, 0n),
      '.string,string,int int': indexOf,
      '.list(A),A int': itemIndex,
    },
    cost: traversal,
    estimate: estimates.traversed,
  },
  lastIndexOf: {
    forms: {
      '.string,string int': (text: string, part: string) => position(text, text.lastIndexOf(part)),
      '.string,string,int int': lastIndexOf,
      '.list(A),A int': lastItemIndex,
    },
    cost: traversal,
    estimate: estimates.traversed,
  },
  lowerAscii: { forms: { '.string string': lowerAscii }, ...copied },
  upperAscii: { forms: { '.string string': upperAscii }, ...copied },
  trim: { forms: { '.string string': withoutSpace }, ...copied },
  replace: {
    forms: {
      '.string,string,string string': (text: string, from: string, to: string) =>
        replaced(text, { from, to, most: -1n }),
      '.string,string,string,int string': (text: string, from: string, to: string, most: bigint) =>
        replaced(text, { from, to, most }),
    },
    cost: readTwice,
    estimate: estimates.replaced,
  },
  split: {
    forms: {
      '.string,string list(string)': (text: string, by: string) => split(text, by, -1n),
      '.string,string,int list(string)': split,
    },
    cost: readTwice,
    estimate: estimates.split,
  },
  substring: {
    forms: {
      '.string,int string': (text: string, from: bigint) => substring(text, from, lengthOf(text)),
      '.string,int,int string': substring,
    },
    ...copied,
  },
  format: {
    forms: { '.string,list(dyn) string #format': formatted },
    cost: read,
    estimate: estimates.formatted,
  },
  join: {
    forms: {
      '.list(string) string': (list: unknown) => joined(list, ''),
      '.list(string),string string': joined,
    },
    cost: (_args, result) => readTwice([result], undefined),
    estimate: estimates.joined,
  },
  'strings.quote': {
    forms: { 'string string #quote': quoted },
    cost: read,
    estimate: estimates.quoted,
  },
  find: {
    forms: {
      '.string,string string': (text: string, pattern: string) =>
        regex(pattern).exec(text)?.[0] ?? '',
    },
    ...searches,
  },
  findAll: {
    forms: {
      '.string,string list(string)': (text: string, pattern: string) =>
        regex(pattern).findAll(text),
      '.string,string,int list(string)': (text: string, pattern: string, most: bigint) =>
        regex(pattern)
          .findAll(text)
          .slice(0, most < 0n ? undefined : Number(most)),
    },
    ...searches,
  },
}
