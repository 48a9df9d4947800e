import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { labelErrors } from '../../../meta/names/nameValidation.ts'
import { errorIf } from '../../fieldChecks.ts'
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '../shapes/flowcontrolV1.ts'

const verbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
]

/** Errors for the requests that a rule of a flow schema selects. */
export function flowRuleErrors(path: string, rule: PolicyRulesWithSubjects): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule
  const isEmpty = resourceRules.length === 0 && nonResourceRules.length === 0
  const detail = 'at least one of resourceRules and nonResourceRules has to be non-empty'
  return [
    ...errorIf(isEmpty, () => requiredField(path, detail)),
    ...resourceRules.flatMap((one, index) =>
      resourceRuleErrors(`${path}.resourceRules[${index}]`, one),
    ),
    ...nonResourceRules.flatMap((one, index) =>
      pathRuleErrors(`${path}.nonResourceRules[${index}]`, one),
    ),
  ]
}

function resourceRuleErrors(path: string, rule: ResourcePolicyRule): FieldError[] {
  const [groups, resources] = [rule.apiGroups ?? [], rule.resources ?? []]
  return [
    ...verbErrors(`${path}.verbs`, rule.verbs ?? []),
    ...errorIf(groups.length === 0, () =>
      requiredField(`${path}.apiGroups`, 'resource rules must supply at least one api group'),
    ),
    ...wildcardErrors(`${path}.apiGroups`, groups, 'api groups'),
    ...errorIf(resources.length === 0, () =>
      requiredField(`${path}.resources`, 'resource rules must supply at least one resource'),
    ),
    ...wildcardErrors(`${path}.resources`, resources, 'resources'),
    ...namespaceErrors(`${path}.namespaces`, rule),
  ]
}

const noNamespace = 'resource rules that are not cluster scoped must supply at least one namespace'
const namespaceForm = "each member of this list must be '*' or a DNS-1123 label; "

function namespaceErrors(
  path: string,
  { clusterScope, ...rule }: ResourcePolicyRule,
): FieldError[] {
  const namespaces = rule.namespaces ?? []
  if (namespaces.length === 0 && clusterScope !== true) return [requiredField(path, noNamespace)]
  if (namespaces.includes('*')) return wildcardErrors(path, namespaces, 'namespaces')
  return namespaces.flatMap((namespace, index) =>
    labelErrors(namespace).map((text) =>
      invalidField(`${path}[${index}]`, namespace, `${namespaceForm}${text}`),
    ),
  )
}

function pathRuleErrors(path: string, rule: NonResourcePolicyRule): FieldError[] {
  const urls = rule.nonResourceURLs ?? []
  const at = `${path}.nonResourceURLs`
  return [
    ...verbErrors(`${path}.verbs`, rule.verbs ?? []),
    ...errorIf(urls.length === 0, () =>
      requiredField(at, 'nonResourceURLs must contain at least one value'),
    ),
    ...(urls.includes('*')
      ? wildcardErrors(at, urls, 'non-resource URLs')
      : urls.flatMap((url, index) => urlErrors(`${at}[${index}]`, url))),
  ]
}

function urlErrors(path: string, url: string): FieldError[] {
  const problem = urlProblem(url)
  return problem === undefined ? [] : [invalidField(path, url, problem)]
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty'
  if (!url.startsWith('/')) return 'must start with slash'
  if (url.includes(' ')) return 'must not contain white-space'
  if (url.includes('//')) return 'must not contain double slash'
  const wildcards = url.split('*').length - 1
  const isSuffix = wildcards === 1 && url.endsWith('/*')
  return wildcards === 0 || isSuffix ? undefined : 'wildcard can only do suffix matching'
}

function verbErrors(path: string, given: readonly string[]): FieldError[] {
  if (given.length === 0) return [requiredField(path, 'verbs must contain at least one value')]
  if (given.includes('*')) return wildcardErrors(path, given, 'verbs')
  const isKnown = given.every((verb) => verbs.includes(verb))
  return isKnown ? [] : [notSupportedField(path, given, verbs)]
}

/** Errors if a wildcard is not the only item. */
function wildcardErrors(path: string, given: readonly string[], what: string): FieldError[] {
  const isMixed = given.length > 1 && given.includes('*')
  const detail = `if '*' is present, must not specify other ${what}`
  return isMixed ? [invalidField(path, given, detail)] : []
}
