import { AdmissionExpressions } from '../../../cel/admissionExpressions.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { declaredRequired } from '../../fieldChecks.ts'
import { statusSubresource, type KindContext } from '../builtInKind.ts'
import { bindingErrors } from './policyBindingRules.ts'
import { policyBindingKind, policyKind } from './policyKind.ts'
import { policyErrors } from './admissionPolicyRules.ts'
import { bindingSpec, policySpec } from './policyShapes.ts'

/** Definition of the ValidatingAdmissionPolicy kind. Source: Kubernetes API reference, ValidatingAdmissionPolicy v1. */
export function validatingPolicyResource(context: KindContext): ResourceDefinition {
  const cel = new AdmissionExpressions()
  const kind = {
    kind: 'ValidatingAdmissionPolicy',
    description: 'ValidatingAdmissionPolicy accepts or refuses objects with CEL expressions.',
    errors: (object: ApiObject) =>
      policyErrors(policySpec(object), object.metadata.name ?? '', cel),
    subresources: [statusSubresource()],
  }
  return policyKind(context, kind, 'validations')
}

/**
 * Definition of the ValidatingAdmissionPolicyBinding kind. Source: Kubernetes API reference,
 * ValidatingAdmissionPolicyBinding v1.
 */
export function validatingBindingResource(context: KindContext): ResourceDefinition {
  return policyBindingKind(context, {
    kind: 'ValidatingAdmissionPolicyBinding',
    description: 'ValidatingAdmissionPolicyBinding applies a policy to requests, with parameters.',
    declaredErrors: declaredRequired('spec.policyName', 'spec.validationActions'),
    errors: (object) => bindingErrors(bindingSpec(object)),
  })
}
