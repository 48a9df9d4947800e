import { AdmissionExpressions } from '../../../cel/admissionExpressions.ts'
import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { listLength } from '../../columns.ts'
import { fillMissing } from '../../fill.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { bindingErrors } from './bindingRules.ts'
import { setMatchDefaults } from './matchResourcesRules.ts'
import { policyErrors } from './policyRules.ts'
import { paramKindColumn, paramRefColumn, policyNameColumn } from './policyColumns.ts'
import { bindingSpec, policySpec } from './policyShapes.ts'
import { admissionGroup } from './webhookConfigurations.ts'

/** Source: Kubernetes API reference, ValidatingAdmissionPolicy v1. */
export function validatingPolicyResource({ types }: KindContext): ResourceDefinition {
  const cel = new AdmissionExpressions()
  const errors = (object: ApiObject): FieldError[] =>
    policyErrors(policySpec(object), object.metadata.name ?? '', cel)
  return builtInKind(types, {
    group: admissionGroup,
    version: 'v1',
    plural: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
    namespaced: false,
    categories: ['api-extensions'],
    description: 'ValidatingAdmissionPolicy accepts or refuses objects by expressions.',
    strategy: {
      allowUnconditionalUpdate: false,
      generation: 'spec',
      setDefaults: (object) => {
        const spec = policySpec(object)
        fillMissing(spec, { failurePolicy: 'Fail' })
        if (spec.matchConstraints !== undefined) setMatchDefaults(spec.matchConstraints)
      },
      validate: errors,
      validateUpdate: errors,
    },
    subresources: [statusSubresource()],
    columns: [
      nameColumn,
      {
        name: 'Validations',
        type: 'integer',
        description:
          'Validations indicates the number of validation rules defined in this configuration',
        cell: (object) => listLength(object, 'spec.validations'),
      },
      paramKindColumn,
      ageColumn,
    ],
  })
}

/** Source: Kubernetes API reference, ValidatingAdmissionPolicyBinding v1. */
export function validatingBindingResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: admissionGroup,
    version: 'v1',
    plural: 'validatingadmissionpolicybindings',
    kind: 'ValidatingAdmissionPolicyBinding',
    namespaced: false,
    categories: ['api-extensions'],
    description:
      'ValidatingAdmissionPolicyBinding says what a policy is for, and with which parameters.',
    strategy: {
      allowUnconditionalUpdate: false,
      generation: 'spec',
      setDefaults: (object) => {
        const { matchResources } = bindingSpec(object)
        if (matchResources !== undefined) setMatchDefaults(matchResources)
      },
      validate: (object) => bindingErrors(bindingSpec(object)),
      validateUpdate: (object) => bindingErrors(bindingSpec(object)),
    },
    columns: [nameColumn, policyNameColumn, paramRefColumn, ageColumn],
  })
}
