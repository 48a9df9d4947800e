import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { PolicyRule } from '../../../authorization/rbac/policyRule.ts'

/** Errors for the rules of a role. Source: reference 7.8, "Validation". */
export function policyRuleErrors(rules: readonly PolicyRule[], namespaced: boolean): FieldError[] {
  return rules.flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`, namespaced))
}

/** Rule as sent by a client: `verbs` is null if absent. */
type SentRule = Omit<PolicyRule, 'verbs'> & { verbs: string[] | null }

function ruleErrors(rule: SentRule, path: string, namespaced: boolean): FieldError[] {
  const { nonResourceURLs: urls = [], verbs } = rule
  const errors =
    urls.length > 0
      ? pathErrors(rule, `${path}.nonResourceURLs`, namespaced)
      : resourceErrors(rule, path)
  return (verbs ?? []).length === 0 ? [requiredField(`${path}.verbs`), ...errors] : errors
}

function pathErrors(rule: SentRule, path: string, namespaced: boolean): FieldError[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs: urls } = rule
  const errors: FieldError[] = []
  if (namespaced) {
    errors.push(invalidField(path, urls, 'namespaced rules cannot apply to non-resource URLs'))
  }
  if (apiGroups.length + resources.length + resourceNames.length > 0) {
    const why = 'rules cannot apply to both regular resources and non-resource URLs'
    errors.push(invalidField(path, urls, why))
  }
  return errors
}

function resourceErrors({ apiGroups = [], resources = [] }: SentRule, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (apiGroups.length === 0) {
    const why = 'resource rules must supply at least one api group'
    errors.push(requiredField(`${path}.apiGroups`, why))
  }
  if (resources.length === 0) {
    const why = 'resource rules must supply at least one resource'
    errors.push(requiredField(`${path}.resources`, why))
  }
  return errors
}
