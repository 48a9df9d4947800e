import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { AdmissionExpressions } from '../../../cel/admissionExpressions.ts'
import { patchTypes } from '../../../cel/types/patchTypes.ts'
import { oneOf } from '../../fieldChecks.ts'
import type {
  MatchResources,
  Mutation,
  ValidatingAdmissionPolicyBindingSpec,
} from '../shapes/admissionregistrationV1.ts'
import { bindingSubjectErrors } from './policyBindingRules.ts'
import { subjectErrors, typed, type Known } from './policySubject.ts'
import type { PolicySpec } from './policyShapes.ts'
import { failurePolicies } from './webhookRules.ts'

const operations = ['*', 'CONNECT', 'CREATE', 'UPDATE']
const reinvocationPolicies = ['IfNeeded', 'Never']

/** Field and type of the expression for each patch type. */
const patches = {
  ApplyConfiguration: { field: 'applyConfiguration', type: 'Object' },
  JSONPatch: { field: 'jsonPatch', type: 'list(JSONPatch)' },
} as const

/**
 * Validates the spec of a policy; the expression library must be loaded.
 * Source: Kubernetes API reference, MutatingAdmissionPolicy v1.
 */
export function mutatingPolicyErrors(spec: PolicySpec, cel: AdmissionExpressions): FieldError[] {
  const { mutations = [], reinvocationPolicy = '' } = spec
  const constraints = (match: MatchResources) =>
    operationErrors('spec.matchConstraints.resourceRules.operations', match)
  const { known, errors } = subjectErrors(spec, cel, constraints)
  return [
    ...oneOf('spec.failurePolicy', spec.failurePolicy, failurePolicies),
    ...errors,
    ...(mutations.length === 0
      ? [requiredField('spec.mutations', 'mutations must contain at least one item')]
      : mutations.flatMap((one, at) => mutationErrors(`spec.mutations[${at}]`, one, known))),
    ...(reinvocationPolicy === ''
      ? [requiredField('spec.reinvocationPolicy')]
      : oneOf('spec.reinvocationPolicy', reinvocationPolicy, reinvocationPolicies)),
  ]
}

/**
 * Errors for a mutating binding. Source: Kubernetes API reference, MutatingAdmissionPolicyBinding
 * v1.
 */
export function mutatingBindingErrors(spec: ValidatingAdmissionPolicyBindingSpec): FieldError[] {
  const { matchResources } = spec
  return [
    ...bindingSubjectErrors(spec),
    ...(matchResources === undefined
      ? []
      : operationErrors('spec.matchResources.resourceRules.operations', matchResources)),
  ]
}

/** Errors for operations that change nothing, such as deletions. */
function operationErrors(path: string, { resourceRules = [] }: MatchResources): FieldError[] {
  return resourceRules
    .flatMap(({ operations: given = [] }) => given)
    .filter((operation) => !operations.includes(operation))
    .map((operation) => notSupportedField(path, operation, operations))
}

function mutationErrors(path: string, mutation: Mutation, known: Known): FieldError[] {
  const { patchType = '' } = mutation
  if (patchType === '') return [requiredField(`${path}.patchType`)]
  if (patchType !== 'JSONPatch' && patchType !== 'ApplyConfiguration') {
    return [notSupportedField(`${path}.patchType`, patchType, Object.keys(patches))]
  }
  const { field, type } = patches[patchType]
  const other = patchType === 'JSONPatch' ? 'applyConfiguration' : 'jsonPatch'
  const given = mutation[field]
  const errors =
    given === undefined
      ? [requiredField(`${path}.${field}`, `must be specified when patchType is ${patchType}`)]
      : expressionErrors(`${path}.${field}.expression`, given.expression ?? '', { type, known })
  if (mutation[other] === undefined) return errors
  const detail = `must not be specified when patchType is ${patchType}`
  return [...errors, invalidField(`${path}.${other}`, `{${other}}`, detail)]
}

function expressionErrors(
  path: string,
  expression: string,
  { type, known }: { type: string; known: Known },
): FieldError[] {
  const trimmed = expression.trim()
  if (trimmed === '') return [requiredField(path)]
  return typed(path, trimmed, [type], { ...known, structs: patchTypes })
}
