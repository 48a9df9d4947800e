import type { ApiObject } from '../../meta/types.ts'
import type { Steps } from '../../meta/waiting/steps.ts'
import { rulesOf, type PolicyRule } from './policyRule.ts'

/** A label selector as a field. Source: Kubernetes API reference, LabelSelector. */
export interface LabelSelectorField {
  matchLabels?: Record<string, string>
  matchExpressions?: LabelExpression[]
}

export interface LabelExpression {
  key: string
  operator: string
  values?: string[]
}

/** The selectors of an aggregated ClusterRole; undefined: the role has its own rules. */
export function aggregationOf(role: ApiObject): LabelSelectorField[] | undefined {
  // Guaranteed by the schema of the kind.
  const rule = role['aggregationRule'] as
    { clusterRoleSelectors?: LabelSelectorField[] } | undefined
  return rule && (rule.clusterRoleSelectors ?? [])
}

/**
 * The rules of all roles that match the selectors of `role`, by selector and then in the order of
 * `others`, without duplicates; undefined: the role has its own rules. Runs one selector or one
 * matching role per step.
 * Source: Kubernetes documentation, "Aggregated ClusterRoles".
 */
export function* aggregatedRules(
  role: ApiObject,
  others: readonly ApiObject[],
): Steps<PolicyRule[] | undefined> {
  const selectors = aggregationOf(role)
  if (selectors === undefined) return undefined
  const left = new Set(others.filter(({ metadata }) => metadata.name !== role.metadata.name))
  const rules = new Map<string, PolicyRule>()
  for (const selector of selectors) {
    for (const other of left) {
      if (!selectsLabels(selector, other.metadata.labels)) continue
      // A role is read only once, even if several selectors match it.
      left.delete(other)
      for (const rule of rulesOf(other)) rules.set(JSON.stringify(rule), rule)
      yield
    }
    yield
  }
  return [...rules.values()]
}

/** Reports whether a valid selector matches labels. */
export function selectsLabels(
  { matchLabels = {}, matchExpressions = [] }: LabelSelectorField,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  const valueOf = (key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined)
  return (
    Object.entries(matchLabels).every(([key, value]) => valueOf(key) === value) &&
    matchExpressions.every((one) => holds(one, valueOf(one.key)))
  )
}

function holds({ operator, values = [] }: LabelExpression, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    default:
      return value === undefined
  }
}
