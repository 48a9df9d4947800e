import type { ApiObject } from '../../../meta/types.ts'
import type {
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from '../shapes/admissionregistrationV1.ts'

/** The spec of a ValidatingAdmissionPolicy or MutatingAdmissionPolicy. */
export type PolicySpec = ValidatingAdmissionPolicySpec & MutatingAdmissionPolicySpec

export function policySpec(object: ApiObject): PolicySpec {
  return object['spec'] ?? {} // typed by its schema
}

export function bindingSpec(object: ApiObject): ValidatingAdmissionPolicyBindingSpec {
  return object['spec'] ?? {} // typed by its schema
}
