import type { ApiObject } from '../../../meta/types.ts'
import type { SpecSelector } from '../labelSelection.ts'
import type { MatchCondition, NamedRule } from './webhookShapes.ts'

export interface MatchResources {
  namespaceSelector?: SpecSelector
  objectSelector?: SpecSelector
  resourceRules?: NamedRule[]
  excludeResourceRules?: NamedRule[]
  matchPolicy?: string
}

export interface ParamKind {
  apiVersion?: string
  kind?: string
}

export interface PolicyVariable {
  name?: string
  expression?: string
}

export interface Validation {
  expression?: string
  message?: string
  reason?: string
  messageExpression?: string
}

export interface AuditAnnotation {
  key?: string
  valueExpression?: string
}

/** A step of a MutatingAdmissionPolicy. */
export interface Mutation {
  patchType?: string
  applyConfiguration?: { expression?: string }
  jsonPatch?: { expression?: string }
}

/** The spec of a ValidatingAdmissionPolicy or MutatingAdmissionPolicy. */
export interface PolicySpec {
  paramKind?: ParamKind
  matchConstraints?: MatchResources
  validations?: Validation[]
  failurePolicy?: string
  auditAnnotations?: AuditAnnotation[]
  matchConditions?: MatchCondition[]
  variables?: PolicyVariable[]
  mutations?: Mutation[]
  reinvocationPolicy?: string
}

export interface ParamRef {
  name?: string
  namespace?: string
  selector?: SpecSelector
  parameterNotFoundAction?: string
}

/** The spec of a ValidatingAdmissionPolicyBinding or MutatingAdmissionPolicyBinding. */
export interface BindingSpec {
  policyName?: string
  paramRef?: ParamRef
  matchResources?: MatchResources
  validationActions?: string[]
}

export function policySpec(object: ApiObject): PolicySpec {
  return object['spec'] ?? {} // typed by its schema
}

export function bindingSpec(object: ApiObject): BindingSpec {
  return object['spec'] ?? {} // typed by its schema
}
