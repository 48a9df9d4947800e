import { labelSelector } from '../../meta/selectors/labelSelector.ts'
import type { LabelRequirement } from '../../meta/selectors/labelRequirement.ts'
import type { LabelSelector } from './shapes/metaV1.ts'

type Labels = Readonly<Record<string, string>>

/** Reports whether a selector has no requirement, so that it would match everything. */
export function isEmptySelector({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0
}

export function selectorMatches(selector: LabelSelector, labels: Labels | undefined): boolean {
  return labelSelector(requirementsOf(selector)).matches(labels)
}

/** Selector as a string for queries and columns: `a=b,c in (d,e)`. */
export function selectorText(selector: LabelSelector | null | undefined): string {
  if (!selector) return '<none>'
  return isEmptySelector(selector) ? '<none>' : labelSelector(requirementsOf(selector)).toString()
}

function requirementsOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector) {
  const equal = Object.entries(matchLabels).map(([key, value]): LabelRequirement => {
    return { key, operator: '=', values: [value] }
  })
  const expressed = matchExpressions.map(
    ({ key = '', operator = '', values = [] }): LabelRequirement => {
      return { key, operator: operators[operator] ?? 'in', values: [...values].sort() }
    },
  )
  return [...equal, ...expressed].sort((a, b) => (a.key < b.key ? -1 : 1))
}

const operators: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
}
