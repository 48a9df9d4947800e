import { AdmissionExpressions } from '../../../cel/admissionExpressions.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { KindContext } from '../builtInKind.ts'
import { mutatingBindingErrors, mutatingPolicyErrors } from './mutatingPolicyRules.ts'
import { policyBindingKind, policyKind } from './policyKind.ts'
import { bindingSpec, policySpec } from './policyShapes.ts'

/** Definition of the MutatingAdmissionPolicy kind. Source: Kubernetes API reference, MutatingAdmissionPolicy v1. */
export function mutatingPolicyResource(context: KindContext): ResourceDefinition {
  const cel = new AdmissionExpressions()
  const kind = {
    kind: 'MutatingAdmissionPolicy',
    description: 'MutatingAdmissionPolicy changes objects with CEL expressions.',
    errors: (object: ApiObject) => mutatingPolicyErrors(policySpec(object), cel),
  }
  return policyKind(context, kind, 'mutations')
}

/**
 * Definition of the MutatingAdmissionPolicyBinding kind. Source: Kubernetes API reference,
 * MutatingAdmissionPolicyBinding v1.
 */
export function mutatingBindingResource(context: KindContext): ResourceDefinition {
  return policyBindingKind(context, {
    kind: 'MutatingAdmissionPolicyBinding',
    description: 'MutatingAdmissionPolicyBinding applies a policy to requests, with parameters.',
    errors: (object) => mutatingBindingErrors(bindingSpec(object)),
  })
}
