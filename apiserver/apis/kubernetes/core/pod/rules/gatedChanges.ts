import { invalidField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import { errorIf, isSame } from '../../../../fieldChecks.ts'
import type { Affinity, NodeSelectorTerm, PodSpec } from '../../../shapes/coreV1.ts'

/**
 * Errors for a changed node selector: the selector of a gated pod may only become narrower. Source:
 * Kubernetes documentation, "Pod Scheduling Readiness"; seen on kube-apiserver 1.37.2.
 */
export function selectorChangeErrors(
  { nodeSelector: next = {} }: PodSpec,
  { nodeSelector: old = {} }: PodSpec,
): FieldError[] {
  const isKept = Object.entries(old).every(([key, value]) => next[key] === value)
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
  return errorIf(!isKept, () => invalidField('spec.nodeSelector', next, detail))
}

const termsPath =
  'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
const numberText = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
const termText = 'only additions are allowed (no mutations or deletions)'

/**
 * Errors for affinity changes. Preferences may change freely; if the old pod had no requirements,
 * so may everything else.
 */
export function affinityChangeErrors(next: PodSpec, old: PodSpec): FieldError[] {
  const [after, before] = [termsOf(next), termsOf(old)]
  if (before.length === 0) return []
  if (after.length !== before.length)
    return [invalidField(termsPath, shownTerms(after), numberText)]
  return before.flatMap((term, index) => {
    const given = after[index] ?? {}
    const path = `${termsPath}[${index}]`
    return errorIf(!onlyAdds(given, term), () => invalidField(path, shownTerm(given), termText))
  })
}

function termsOf({ affinity }: PodSpec): NodeSelectorTerm[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: needed } = affinity?.nodeAffinity ?? {}
  return needed?.nodeSelectorTerms ?? []
}

function onlyAdds(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const parts = ['matchExpressions', 'matchFields'] as const
  const isEmpty = (term: NodeSelectorTerm) => parts.every((part) => (term[part] ?? []).length === 0)
  if (isEmpty(old)) return isEmpty(next)
  return parts.every((part) => {
    const before = old[part] ?? []
    return isSame((next[part] ?? []).slice(0, before.length), before)
  })
}

/** Term with the field names of kube-apiserver's internal types. */
function shownTerm({ matchExpressions, matchFields }: NodeSelectorTerm): object {
  const shown = (tests: NodeSelectorTerm['matchFields']) =>
    tests?.map(({ key, operator, values }) => ({
      Key: key,
      Operator: operator,
      Values: values ?? null,
    })) ?? null
  return { MatchExpressions: shown(matchExpressions), MatchFields: shown(matchFields) }
}

function shownTerms(terms: readonly NodeSelectorTerm[]): object[] | null {
  return terms.length === 0 ? null : terms.map(shownTerm)
}

/** Immutable part of an affinity. */
export function withoutNodeAffinity(affinity: Affinity | undefined): Affinity {
  const { nodeAffinity: _node, ...rest } = affinity ?? {}
  return rest
}
