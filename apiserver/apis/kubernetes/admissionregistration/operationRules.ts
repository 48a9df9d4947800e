import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { pathSegmentErrors } from '../../../meta/names/nameValidation.ts'
import type {
  NamedRuleWithOperations,
  RuleWithOperations,
} from '../shapes/admissionregistrationV1.ts'

const scopes = ['*', 'Cluster', 'Namespaced']

/** Operations known to webhooks and validating policies, in the order of errors. */
const allOperations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']

/** Validates the operations and resources of a rule. Source: Kubernetes API reference, RuleWithOperations v1. */
export function ruleErrors(path: string, rule: RuleWithOperations): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule
  return [
    ...listErrors(`${path}.operations`, operations, 'operations'),
    ...operations.flatMap((one, at) =>
      allOperations.includes(one)
        ? []
        : [notSupportedField(`${path}.operations[${at}]`, one, allOperations)],
    ),
    ...listErrors(`${path}.apiGroups`, apiGroups, 'API groups'),
    ...listErrors(`${path}.apiVersions`, apiVersions, 'API versions'),
    ...apiVersions.flatMap((one, at) =>
      one === '' ? [requiredField(`${path}.apiVersions[${at}]`)] : [],
    ),
    ...resourcesErrors(`${path}.resources`, resources),
    ...(scope === undefined || scopes.includes(scope)
      ? []
      : [notSupportedField(`${path}.scope`, scope, scopes)]),
  ]
}

/** Errors for the rules of policies, which may name objects. */
export function namedRuleErrors(path: string, rule: NamedRuleWithOperations): FieldError[] {
  const seen = new Set<string>()
  const names = (rule.resourceNames ?? []).flatMap((name, at): FieldError[] => {
    const field = `${path}.resourceNames[${at}]`
    if (seen.has(name)) {
      return [{ reason: 'FieldValueDuplicate', field, message: `Duplicate value: "${name}"` }]
    }
    seen.add(name)
    return pathSegmentErrors(name).map((text) => invalidField(field, name, text))
  })
  return [...names, ...ruleErrors(path, rule)]
}

function listErrors(path: string, list: readonly string[], what: string): FieldError[] {
  if (list.length === 0) return [requiredField(path)]
  if (list.length === 1 || !list.includes('*')) return []
  return [invalidField(path, list, `if '*' is present, must not specify other ${what}`)]
}

function resourcesErrors(path: string, resources: readonly string[]): FieldError[] {
  if (resources.length === 0) return [requiredField(path)]
  const wholeResources = new Set<string>()
  const wholeSubresources = new Set<string>()
  const errors = resources.flatMap((one, at): FieldError[] => {
    const field = `${path}[${at}]`
    if (one === '') return [requiredField(field)]
    const slash = one.indexOf('/')
    if (slash < 0) return []
    const [resource, sub] = [one.slice(0, slash), one.slice(slash + 1)]
    const found = [
      ...(wholeResources.has(resource) ? [`'${resource}/*'`] : []),
      ...(wholeSubresources.has(sub) ? [`'*/${sub}'`] : []),
    ].map((text) => invalidField(field, one, `if ${text} is present, must not specify ${one}`))
    if (sub === '*') wholeResources.add(resource)
    if (resource === '*') wholeSubresources.add(sub)
    return found
  })
  const everything = "if '*/*' is present, must not specify other resources"
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalidField(path, resources, everything))
  }
  const rest = resources.slice(resources.indexOf('*') + 1)
  if (resources.includes('*') && rest.some((one) => !one.includes('/'))) {
    const detail = "if '*' is present, must not specify other resources without subresources"
    errors.push(invalidField(path, resources, detail))
  }
  return errors
}
