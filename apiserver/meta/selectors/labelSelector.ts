import { groupBy } from '../collections/groupBy.ts'
import { parseInt64 } from '../json/integers.ts'
import type { LabelOperator, LabelRequirement } from './labelRequirement.ts'
import { LabelSelectorParser } from './labelSelectorParser.ts'

/** A selector of objects by their labels. Parsed once per request, evaluated for each object. */
export interface LabelSelector {
  /** Reports whether all requirements hold. Absent labels count as empty. */
  matches(labels: Readonly<Record<string, string>> | undefined): boolean
  /** The canonical form: requirements ordered by key, values sorted. Parses to the same selector. */
  toString(): string
  /** True if the selector has no requirement and matches everything. */
  readonly empty: boolean
  /** Requirements ordered by key. */
  readonly requirements: readonly LabelRequirement[]
}

/**
 * Parses `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<2`. The empty string selects everything.
 * @throws StatusError 400 in the words of the Kubernetes library.
 * Source: Kubernetes documentation, "Labels and Selectors"; reference 0.4, 4.3.
 */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements = new LabelSelectorParser(text).parse()
  requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return labelSelector(requirements)
}

/** Creates a selector from valid requirements, in their order of output. */
export function labelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  const checks = requirements.map(checkOf)
  const isFew = requirements.length < manyRequirements
  return {
    matches: isFew ? (labels) => checks.every((check) => holds(check, labels)) : byKeys(checks),
    toString: () => requirements.map(requirementText).join(','),
    empty: requirements.length === 0,
    requirements,
  }
}

const manyRequirements = 8

/**
 * Evaluates only requirements on labels that the object has; all others are decided by the absence
 * of the label.
 */
function byKeys(checks: readonly Check[]): LabelSelector['matches'] {
  const ofKey = groupBy(checks, ({ key }) => key)
  const failsAbsent = ({ operator }: Check) => !absentOperators.has(operator)
  const needed = [...ofKey].filter(([, of]) => of.some(failsAbsent)).map(([key]) => key)
  return (labels = {}) =>
    needed.every((key) => typeof labels[key] === 'string') &&
    Object.keys(labels).every((key) => ofKey.get(key)?.every((one) => holds(one, labels)) ?? true)
}

/** A requirement prepared for evaluation: many values become a set. */
interface Check {
  key: string
  operator: LabelOperator
  values: { includes(value: string): boolean; first: string }
}

const manyValues = 16

function checkOf({ key, operator, values }: LabelRequirement): Check {
  const first = values[0] ?? ''
  if (values.length < manyValues) {
    return { key, operator, values: { includes: (value) => values.includes(value), first } }
  }
  const set = new Set(values)
  return { key, operator, values: { includes: (value) => set.has(value), first } }
}

function holds(
  { key, operator, values }: Check,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  const value: unknown = labels?.[key]
  // A key such as `constructor` finds an inherited member, which is not a string.
  if (typeof value !== 'string') return absentOperators.has(operator)
  return holdsFor(operator, value, values)
}

function holdsFor(operator: LabelOperator, value: string, values: Check['values']): boolean {
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return values.includes(value)
    case '!=':
    case 'notin':
      return !values.includes(value)
    case 'gt':
    case 'lt':
      return inOrder(operator, value, values.first)
    case 'exists':
      return true
    case '!':
      return false
  }
}

/** Operators that hold for objects without the key. */
const absentOperators: ReadonlySet<LabelOperator> = new Set(['!=', 'notin', '!'])

function inOrder(operator: 'gt' | 'lt', value: string, bound: string): boolean {
  const left = parseInt64(value)
  const right = parseInt64(bound)
  if (left === undefined || right === undefined) return false
  return operator === 'gt' ? left > right : left < right
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key
    case '!':
      return `!${key}`
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`
    case 'gt':
      return `${key}>${values.join(',')}`
    case 'lt':
      return `${key}<${values.join(',')}`
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${values.join(',')}`
  }
}
