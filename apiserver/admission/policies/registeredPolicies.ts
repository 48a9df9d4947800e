import {
  bindingSpec,
  policySpec,
  type PolicySpec,
} from '../../apis/kubernetes/admissionregistration/policyShapes.ts'
import type {
  MatchResources,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicyBindingSpec,
} from '../../apis/kubernetes/shapes/admissionregistrationV1.ts'
import {
  conditionVariables,
  policyVariables,
  type AdmissionExpressions,
} from '../../cel/admissionExpressions.ts'
import type { CompiledExpression } from '../../cel/library.ts'
import { patchTypes, type PatchTypes } from '../../cel/types/patchTypes.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionTarget } from '../../registry/admission.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import type { FollowedObjects } from '../followedObjects.ts'
import { MatchConditions } from '../matchConditions.ts'
import { memo } from '../../meta/collections/memo.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import { matchingRule } from '../ruleMatch.ts'
import { TargetCache } from '../targetCache.ts'

/** Policy with its expressions, compiled on first use. */
export interface ReadPolicy {
  name: string
  spec: PolicySpec
  conditions: MatchConditions
  compiled: (expression: string) => CompiledExpression
  /** Expression of a mutation. */
  compiledPatch: (expression: string) => CompiledExpression
}

interface ReadBinding {
  name: string
  spec: ValidatingAdmissionPolicyBindingSpec
}

/** Policy with a binding that applies it to writes of a kind. */
export interface MatchedPolicy {
  policy: ReadPolicy
  binding: ReadBinding
  /** Version of the resource named in the rule. */
  resource: ResourceDefinition
}

const group = 'admissionregistration.k8s.io'

export interface RegisteredPoliciesOptions {
  objects: PlaneObjects
  /** Resource of the policies. */
  policies: string
  /** Resource of their bindings. */
  bindings: string
  resources: () => ResourceSet
  cel: AdmissionExpressions
}

/** Policies of one kind in a plane, with their bindings. */
export class RegisteredPolicies {
  readonly #policies: FollowedObjects<ReadPolicy>
  readonly #bindings: FollowedObjects<ReadBinding>
  readonly #resources: () => ResourceSet

  constructor({ objects, policies, bindings, resources, cel }: RegisteredPoliciesOptions) {
    this.#resources = resources
    this.#policies = objects.follow({ group, resource: policies }, (object) =>
      readPolicy(object, cel),
    )
    this.#bindings = objects.follow({ group, resource: bindings }, (object) => ({
      name: object.metadata.name ?? '',
      spec: bindingSpec(object),
    }))
  }

  get generation(): number {
    const kinds = this.#resources().generation
    return this.#policies.generation + this.#bindings.generation + kinds
  }

  get isEmpty(): boolean {
    return this.#bindings.all.length === 0
  }

  /**
   * Policies whose rules match, sorted by policy name, then by binding name. Selectors and object
   * names are not checked.
   */
  matching(target: AdmissionTarget): readonly MatchedPolicy[] {
    return this.#matched.get(target, this.generation, () => this.#find(target))
  }
  readonly #matched = new TargetCache<readonly MatchedPolicy[]>()

  #find(target: AdmissionTarget): MatchedPolicy[] {
    const versions = this.#resources().all()
    return this.#policies.all.flatMap((policy) => {
      const { matchConstraints = {} } = policy.spec
      const resource = matchedResource(matchConstraints, target, versions)
      if (resource === undefined) return []
      return this.#bindings.all
        .filter(({ spec }) => spec.policyName === policy.name)
        .filter(({ spec }) => bindingMatches(spec.matchResources, target, versions))
        .map((binding) => ({ policy, binding, resource }))
    })
  }
}

function readPolicy(object: ApiObject, cel: AdmissionExpressions): ReadPolicy {
  const spec = policySpec(object)
  const compiledWith = (structs?: PatchTypes) => {
    const known = new Map<string, () => CompiledExpression>()
    return (expression: string) => {
      let make = known.get(expression)
      if (make === undefined) {
        make = memo(() => cel.compile(expression, policyVariables, { structs }))
        known.set(expression, make)
      }
      return make()
    }
  }
  const conditions = new MatchConditions(spec.matchConditions ?? [], cel, conditionVariables)
  return {
    name: object.metadata.name ?? '',
    spec,
    conditions,
    compiled: compiledWith(),
    compiledPatch: compiledWith(patchTypes),
  }
}

/** Matches rules; rules with object names are matched later, against the request. */
function matchedResource(
  match: MatchResources,
  target: AdmissionTarget,
  versions: readonly ResourceDefinition[],
): ResourceDefinition | undefined {
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = match
  const always = excludeResourceRules.filter(({ resourceNames = [] }) => resourceNames.length === 0)
  if (matchingRule<NamedRuleWithOperations>(always, target, matchPolicy, versions) !== undefined)
    return undefined
  return matchingRule<NamedRuleWithOperations>(resourceRules, target, matchPolicy, versions)
    ?.resource
}

function bindingMatches(
  match: MatchResources | undefined,
  target: AdmissionTarget,
  versions: readonly ResourceDefinition[],
): boolean {
  if (match === undefined) return true
  // A binding without rules matches everything that its policy matches.
  const everything = {
    operations: ['*'],
    apiGroups: ['*'],
    apiVersions: ['*'],
    resources: ['*/*', '*'],
  }
  const { resourceRules = [] } = match
  const rules = resourceRules.length === 0 ? [everything] : resourceRules
  return matchedResource({ ...match, resourceRules: rules }, target, versions) !== undefined
}
