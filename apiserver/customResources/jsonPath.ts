import { isObject } from '../meta/json/isObject.ts'
import { newVisits, type Visits } from '../registry/visits.ts'

/**
 * Path through an object, as used in printer columns: fields, indexes, all items, and items
 * selected by a comparison, as in `.status.conditions[?(@.type=="Ready")].status`.
 */
export interface JsonPath {
  /**
   * The first values at the path, in order; empty if a step does not match, or if the visits are
   * used up.
   */
  find(object: unknown, visits?: Visits): unknown[]
}

type Step = (value: unknown, visits: Visits) => unknown[]

/** Maximum number of values that a step finds, since recursive steps multiply them. */
const maxValues = 100

/** Parses a path; undefined: invalid. Source: Kubernetes documentation, "JSONPath Support". */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps: Step[] = []
  let rest = text.startsWith('$') ? text.slice(1) : text
  while (rest !== '' && rest !== '.') {
    const read = readStep(rest)
    if (read === undefined) return undefined
    steps.push(read.step)
    rest = read.rest
  }
  return {
    find: (object, visits = newVisits()) => {
      let values: unknown[] = [object]
      for (const step of steps) {
        if (values.length === 0) break
        values = firstFound(values, step, visits)
      }
      return values
    },
  }
}

function firstFound(values: readonly unknown[], step: Step, visits: Visits): unknown[] {
  const found: unknown[] = []
  for (const value of values) {
    if (found.length >= maxValues || --visits.steps < 0) break
    found.push(...step(value, visits).slice(0, maxValues - found.length))
  }
  return found
}

interface ReadStep {
  step: Step
  rest: string
}

const forms: readonly [RegExp, (match: readonly string[]) => Step | undefined][] = [
  // The most frequent form; those below are tried for what it does not match.
  [/^\.(?!\*)((?:\\.|[^\s.[\]\\"'=<>~])+)/, ([, name = '']) => field(unescaped(name))],
  [/^\.\.((?:\\.|[^\s.[\]\\"'=<>~])+)/, ([, name = '']) => deep(unescaped(name))],
  [/^\.?\[\*\]/, () => firstMembers],
  [/^\.\*/, () => firstMembers],
  [/^\.?\[\?\(([^]*?)\)\]/, ([, condition = '']) => filter(condition.trim())],
  [/^\.?\[(-?\d+)\]/, ([, index = '']) => item(Number(index))],
  [/^\.?\[(-?\d*):(-?\d*)\]/, ([, from = '', to = '']) => slice(from, to)],
  [/^\.?\['((?:\\.|[^'\\])*)'\]/, ([, name = '']) => field(unescaped(name))],
  [/^\.?\["((?:\\.|[^"\\])*)"\]/, ([, name = '']) => field(unescaped(name))],
  [/^\.?((?:\\.|[^\s.[\]\\"'=<>~])+)/, ([, name = '']) => field(unescaped(name))],
]

function readStep(text: string): ReadStep | undefined {
  for (const [form, stepOf] of forms) {
    const match = form.exec(text)
    if (match === null) continue
    const step = stepOf(match)
    return step && { step, rest: text.slice(match[0].length) }
  }
  return undefined
}

function unescaped(name: string): string {
  return name.replaceAll(/\\(.)/g, '$1')
}

function field(name: string): (value: unknown) => unknown[] {
  return (value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : [])
}

function item(index: number): Step {
  return (value) => {
    if (!Array.isArray(value)) return []
    const found: unknown = value.at(index)
    return found === undefined ? [] : [found]
  }
}

function slice(from: string, to: string): Step {
  const bound = (text: string) => (text === '' ? undefined : Number(text))
  const wholeAfter = bound(to) ?? Infinity
  return (value) => {
    const items = list(value)
    const at = bound(from) ?? 0
    const start = at < 0 ? Math.max(0, items.length + at) : at
    const end = wholeAfter < 0 ? items.length + wholeAfter : wholeAfter
    // More values than a step finds are not copied.
    return items.slice(start, Math.max(0, Math.min(end, start + maxValues)))
  }
}

/** The first members, which a step finds. Reading the fields of an object visits all of them. */
function firstMembers(value: unknown, visits: Visits): unknown[] {
  if (Array.isArray(value)) return value.slice(0, maxValues)
  if (visits.left < 0) return []
  const found = members(value)
  visits.left -= found.length
  return found
}

function members(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

function deep(name: string): Step {
  const own = field(name)
  return (value, visits) => {
    const found: unknown[] = []
    const walk = (at: unknown): void => {
      if (found.length >= maxValues || --visits.left < 0) return
      found.push(...own(at))
      for (const member of members(at)) {
        if (visits.left < 0) return
        walk(member)
      }
    }
    walk(value)
    return found
  }
}

type Comparable = string | number | bigint
type Compare = (left: Comparable, right: Comparable) => boolean

const comparisons: Readonly<Record<string, Compare>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<=': (left, right) => left <= right,
  '>=': (left, right) => left >= right,
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
}

/** Filter such as `@.type=="Ready"`, or `@.name` for items that have the field. */
function filter(condition: string): Step | undefined {
  if (!condition.startsWith('@') || /[\n\r\u2028\u2029]/.test(condition)) return undefined
  const { 0: operator, index = condition.length } = /==|!=|<=|>=|<|>/.exec(condition) ?? {}
  const left = condition.slice(1, index).trimEnd()
  const right = condition.slice(index + (operator ?? '').length).trimStart()
  const path = parseJsonPath(left)
  if (path === undefined) return undefined
  if (operator === undefined) return selection((one, visits) => path.find(one, visits).length > 0)
  const compare = comparisons[operator]
  const wanted = literal(right)
  if (compare === undefined || wanted === undefined) return undefined
  return selection((one, visits) => {
    const [found] = path.find(one, visits)
    const known = typeof found === 'boolean' ? String(found) : found
    if (typeof known === 'string') return typeof wanted === 'string' && compare(known, wanted)
    if (typeof known !== 'number' && typeof known !== 'bigint') return false
    return typeof wanted === 'number' && compare(known, wanted)
  })
}

/** Step to the selected items of a list; each item counts as a visit. */
function selection(isSelected: (item: unknown, visits: Visits) => boolean): Step {
  return (value, visits) => {
    const found: unknown[] = []
    for (const one of list(value)) {
      if (found.length >= maxValues || --visits.left < 0) break
      if (isSelected(one, visits)) found.push(one)
    }
    return found
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Literal: a quoted string, a number, true or false; booleans are compared as strings. */
function literal(text: string): string | number | undefined {
  const quoted = /^(?:"(.*)"|'(.*)')$/.exec(text)
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? ''
  if (text === 'true' || text === 'false') return text
  return text !== '' && !Number.isNaN(Number(text)) ? Number(text) : undefined
}
