import { AdmissionExpressions } from '../../../cel/admissionExpressions.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { listLength } from '../../columns.ts'
import { fillMissing } from '../../fill.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { setMatchDefaults } from './matchResourcesRules.ts'
import { mutatingBindingErrors, mutatingPolicyErrors } from './mutatingPolicyRules.ts'
import { paramKindColumn, paramRefColumn, policyNameColumn } from './policyColumns.ts'
import { bindingSpec, policySpec } from './policyShapes.ts'
import { admissionGroup } from './webhookConfigurations.ts'

/** Source: Kubernetes API reference, MutatingAdmissionPolicy v1. */
export function mutatingPolicyResource({ types }: KindContext): ResourceDefinition {
  const cel = new AdmissionExpressions()
  const errors = (object: ApiObject) => mutatingPolicyErrors(policySpec(object), cel)
  return builtInKind(types, {
    group: admissionGroup,
    version: 'v1',
    plural: 'mutatingadmissionpolicies',
    kind: 'MutatingAdmissionPolicy',
    namespaced: false,
    categories: ['api-extensions'],
    description: 'MutatingAdmissionPolicy changes objects by expressions.',
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
    columns: [
      nameColumn,
      {
        name: 'Mutations',
        type: 'integer',
        description:
          'Mutations indicates the number of mutations rules defined in this configuration',
        cell: (object) => listLength(object, 'spec.mutations'),
      },
      paramKindColumn,
      ageColumn,
    ],
  })
}

/** Source: Kubernetes API reference, MutatingAdmissionPolicyBinding v1. */
export function mutatingBindingResource({ types }: KindContext): ResourceDefinition {
  const errors = (object: ApiObject) => mutatingBindingErrors(bindingSpec(object))
  return builtInKind(types, {
    group: admissionGroup,
    version: 'v1',
    plural: 'mutatingadmissionpolicybindings',
    kind: 'MutatingAdmissionPolicyBinding',
    namespaced: false,
    categories: ['api-extensions'],
    description:
      'MutatingAdmissionPolicyBinding says what a policy is for, and with which parameters.',
    strategy: {
      allowUnconditionalUpdate: false,
      generation: 'spec',
      setDefaults: (object) => {
        const { matchResources } = bindingSpec(object)
        if (matchResources !== undefined) setMatchDefaults(matchResources)
      },
      validate: errors,
      validateUpdate: errors,
    },
    columns: [nameColumn, policyNameColumn, paramRefColumn, ageColumn],
  })
}
