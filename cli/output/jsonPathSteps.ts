import { usageError } from '../base/cliError.ts'

/** Values that a step of a path selects. */
export type Step = (value: unknown, root: unknown) => unknown[]

const token =
  /\$|@|\.\.([\w*-]+)?|\.((?:[\w-]|\\.)+|\*)|\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\*|(-?\d+)|(-?\d*):(-?\d*)(?::(-?\d+))?|\?\((.*?)\))\s*\]|\./sy

/** Steps of a path such as `.items[?(@.kind=="Pod")].metadata['name']`. @throws CliError usage. */
export function steps(path: string): Step[] {
  const found: Step[] = []
  // A filter contains paths of its own.
  const scanner = new RegExp(token)
  while (scanner.lastIndex < path.length) {
    const from = scanner.lastIndex
    const match = scanner.exec(path)
    if (match === null) throw usageError(`jsonpath: cannot read "${path.slice(from)}"`)
    found.push(stepOf(match))
  }
  return found
}

const plainSteps: Readonly<Record<string, Step>> = {
  $: (_, root) => [root],
  '@': (value) => [value],
  '.': (value) => [value],
}

function stepOf(match: RegExpExecArray): Step {
  const [whole, below, field, single, double, item, from, to, stride, filter] = match
  const plain = plainSteps[whole]
  if (plain !== undefined) return plain
  if (whole.startsWith('..')) return descent(below ?? '*')
  if (field !== undefined) return member(field.replaceAll(/\\(.)/g, '$1'))
  const quoted = single ?? double
  if (quoted !== undefined) return member(quoted.replaceAll(/\\(.)/g, '$1'), true)
  if (item !== undefined) return (value) => items(value).slice(Number(item)).slice(0, 1)
  if (filter !== undefined) return filtered(filter)
  return from === undefined ? member('*') : slice(from, to ?? '', stride)
}

function member(name: string, isExact = false): Step {
  return (value) => {
    if (typeof value !== 'object' || value === null) return []
    if (name === '*' && !isExact) return Object.values(value) as unknown[]
    // Sound: an object.
    const fields = value as Record<string, unknown>
    return Object.hasOwn(fields, name) ? [fields[name]] : []
  }
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

function slice(from: string, to: string, stride = '1'): Step {
  return (value) => {
    const cut = items(value).slice(Number(from), to === '' ? undefined : Number(to))
    return cut.filter((_, index) => index % Math.max(1, Number(stride)) === 0)
  }
}

function descent(name: string): Step {
  const step = member(name)
  return (value, root) => {
    const walk = (inner: unknown): unknown[] =>
      typeof inner === 'object' && inner !== null
        ? [...step(inner, root), ...Object.values(inner).flatMap(walk)]
        : []
    return walk(value)
  }
}

const comparison = /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/s

function filtered(condition: string): Step {
  const [, left = condition, operator, right = ''] = comparison.exec(condition.trim()) ?? []
  const leftSteps = steps(left.trim())
  const rightOf = operator === undefined ? undefined : operand(right.trim())
  return (value, root) =>
    items(value).filter((item) => {
      const [found] = walkAll(leftSteps, item, root)
      if (rightOf === undefined) return found !== undefined
      return compares(found, operator ?? '', rightOf(item, root))
    })
}

function operand(text: string): (item: unknown, root: unknown) => unknown {
  const quoted = /^(?:"(.*)"|'(.*)')$/s.exec(text)
  if (quoted !== null) return () => quoted[1] ?? quoted[2]
  if (/^[@$]/.test(text)) {
    const path = steps(text)
    return (item, root) => walkAll(path, item, root)[0]
  }
  try {
    const value: unknown = JSON.parse(text)
    return () => value
  } catch {
    throw usageError(`jsonpath: cannot read "${text}" in a filter`)
  }
}

function walkAll(path: readonly Step[], item: unknown, root: unknown): unknown[] {
  return path.reduce((values, step) => values.flatMap((value) => step(value, root)), [item])
}

function compares(left: unknown, operator: string, right: unknown): boolean {
  if (operator === '==') return left === right
  if (operator === '!=') return left !== right
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string'))
    return false
  // Sound: both have the same type, a number or a string.
  const [a, b] = [left, right as typeof left]
  if (operator === '<') return a < b
  if (operator === '>') return a > b
  return operator === '<=' ? a <= b : a >= b
}
