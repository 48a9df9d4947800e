import type {
  MatchResources,
  NamedRuleWithOperations,
} from '../../apis/kubernetes/shapes/admissionregistrationV1.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import type { AuthorizerValue } from '../authorizerValue.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import { matchingRule } from '../ruleMatch.ts'
import { namespaceMatches, objectMatches, type NamespaceLookup } from '../selectors.ts'
import { targetOf } from '../webhooks/validatingWebhooks.ts'
import type { MatchedPolicy, RegisteredPolicies } from './registeredPolicies.ts'

export interface PoliciesOptions {
  policies: RegisteredPolicies
  objects: PlaneObjects
  resources: () => ResourceSet
  namespace: NamespaceLookup
  authorizerOf: (request: AdmissionRequest) => AuthorizerValue
}

/** Reports whether the selectors and object names of a policy match the request. */
export function policyConcerns(
  { policy, binding }: MatchedPolicy,
  request: AdmissionRequest,
  { namespace, resources }: PoliciesOptions,
): boolean {
  const matches = [policy.spec.matchConstraints, binding.spec.matchResources]
  return matches.every((match) => {
    if (match === undefined) return true
    const { objectSelector = {}, namespaceSelector = {} } = match
    if (!objectMatches(objectSelector, request)) return false
    if (!namespaceMatches(namespaceSelector, request, namespace)) return false
    return namesMatch(match, request, resources())
  })
}

function namesMatch(
  match: MatchResources,
  request: AdmissionRequest,
  resources: ResourceSet,
): boolean {
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = match
  const target = targetOf(request)
  const fits = (rules: readonly NamedRuleWithOperations[]) => {
    const named = rules.filter(
      ({ resourceNames = [] }) =>
        resourceNames.length === 0 || resourceNames.includes(request.name),
    )
    return matchingRule(named, target, matchPolicy, resources.all()) !== undefined
  }
  if (fits(excludeResourceRules)) return false
  return resourceRules.length === 0 || fits(resourceRules)
}
