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
    find: (object, visits = newVisits()) =>
      steps.reduce<unknown[]>((values, step) => firstFound(values, step, visits), [object]),
  }
}

function firstFound(values: readonly unknown[], step: Step, visits: Visits): unknown[] {
  const found: unknown[] = []
  for (const value of values) {
    if (found.length >= maxValues) break
    found.push(...step(value, visits).slice(0, maxValues - found.length))
  }
  return found
}

interface ReadStep {
  step: Step
  rest: string
}

const forms: readonly [RegExp, (match: readonly string[]) => Step | undefined][] = [
  [/^\.\.((?:\\.|[^\s.[\]\\"'=<>~])+)/, ([, name = '']) => deep(unescaped(name))],
  [/^\.?\[\*\]/, () => members],
  [/^\.\*/, () => members],
  [/^\.?\[\?\(\s*(.*?)\s*\)\]/, ([, condition = '']) => filter(condition)],
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
  return (value) => list(value).slice(bound(from), bound(to))
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
      for (const member of members(at)) walk(member)
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
  const [, left = '', operator, right = ''] =
    /^@(.*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.*))?$/.exec(condition) ?? []
  const path = condition.startsWith('@') ? parseJsonPath(left) : undefined
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
