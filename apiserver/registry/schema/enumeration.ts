import { numberIndex } from './numberProblems.ts'

type Allowed = readonly unknown[]

/**
 * Allowed values, indexed once per schema, so that a value need not be compared with each of them.
 */
interface Enumeration {
  /** Reports whether a value deeply equals an allowed one. */
  has: (value: unknown) => boolean
  /** Reports whether a number equals an allowed one, compared as in the API. */
  hasNumber: (value: unknown) => boolean
}

const enumerations = new WeakMap<Allowed, Enumeration>()

export function enumerationOf(allowed: Allowed): Enumeration {
  let found = enumerations.get(allowed)
  if (found === undefined) {
    found = { has: valueIndex(allowed), hasNumber: numberIndex(allowed) }
    enumerations.set(allowed, found)
  }
  return found
}

function valueIndex(allowed: Allowed): (value: unknown) => boolean {
  const keys = new Set(allowed.map((one) => keyOf(one, Infinity)))
  const longest = [...keys].reduce((most, { length }) => Math.max(most, length), 0)
  return (value) => {
    const key = keyOf(value, longest)
    return key.length <= longest && keys.has(key)
  }
}

/**
 * A string that equals that of another value if both are deeply equal. It ends early once longer
 * than `most`.
 */
function keyOf(value: unknown, most: number): string {
  if (typeof value === 'string')
    return value.length > most ? `"${value.slice(0, most)}` : quoted(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null)
    return Object.is(value, -0) ? '-0' : String(value)
  return Array.isArray(value) ? listKey(value, most) : objectKey(value, most)
}

function listKey(list: readonly unknown[], most: number): string {
  let key = '['
  for (const item of list) {
    if (key.length > most) break
    key += `${keyOf(item, most)},`
  }
  return `${key}]`
}

function objectKey(value: object, most: number): string {
  // Each member takes at least four characters.
  const names = Object.keys(value)
  if (names.length > most) return `{${names.length}:${' '.repeat(most)}}`
  let key = '{'
  for (const name of names.sort()) {
    if (key.length > most) break
    key += `${quoted(name)}:${keyOf(value[name as keyof typeof value], most)},`
  }
  return `${key}}`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
