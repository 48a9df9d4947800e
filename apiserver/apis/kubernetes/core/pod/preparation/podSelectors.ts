import type { Affinity, PodAffinityTerm, PodSpec } from '../../../shapes/coreV1.ts'
import type { LabelSelector } from '../../../shapes/metaV1.ts'

type Labels = Readonly<Record<string, string>>

/**
 * Adds the pod's own labels with the given keys to its selectors of other pods. Changes `spec`.
 * Source: Kubernetes API reference, `matchLabelKeys`; seen on kube-apiserver 1.37.2.
 */
export function selectByOwnLabels(spec: PodSpec, labels: Labels): void {
  for (const term of affinityTerms(spec.affinity ?? {})) {
    addLabels(term.labelSelector, 'In', [term.matchLabelKeys ?? [], labels])
    addLabels(term.labelSelector, 'NotIn', [term.mismatchLabelKeys ?? [], labels])
  }
  for (const { labelSelector, matchLabelKeys = [] } of spec.topologySpreadConstraints ?? []) {
    addLabels(labelSelector, 'In', [matchLabelKeys, labels])
  }
}

function affinityTerms({ podAffinity = {}, podAntiAffinity = {} }: Affinity): PodAffinityTerm[] {
  return [podAffinity, podAntiAffinity].flatMap(
    ({
      preferredDuringSchedulingIgnoredDuringExecution: wished = [],
      requiredDuringSchedulingIgnoredDuringExecution: needed = [],
    }) => [...wished.flatMap(({ podAffinityTerm }) => podAffinityTerm ?? []), ...needed],
  )
}

function addLabels(
  selector: LabelSelector | undefined,
  operator: string,
  [keys, labels]: readonly [readonly string[], Labels],
): void {
  const known = keys.filter((key) => Object.hasOwn(labels, key))
  if (selector === undefined || known.length === 0) return
  const added = known.map((key) => ({ key, operator, values: [labels[key] ?? ''] }))
  selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added]
}
