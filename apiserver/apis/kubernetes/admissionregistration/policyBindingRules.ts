import {
  duplicateField,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { pathSegmentErrors, subdomainErrors } from '../../../meta/names/nameValidation.ts'
import { selectorErrors } from '../selectorRules.ts'
import type {
  ParamRef,
  ValidatingAdmissionPolicyBindingSpec,
} from '../shapes/admissionregistrationV1.ts'
import { matchErrors } from './matchResourcesRules.ts'

const actions = ['Audit', 'Deny', 'Warn']

/** Errors for a binding. Source: Kubernetes API reference, ValidatingAdmissionPolicyBinding v1. */
export function bindingErrors(spec: ValidatingAdmissionPolicyBindingSpec): FieldError[] {
  const { validationActions = [] } = spec
  return [
    ...bindingSubjectErrors(spec),
    ...actionErrors('spec.validationActions', validationActions),
  ]
}

/** Validates the fields common to all bindings: their policy and the requests they match. */
export function bindingSubjectErrors(spec: ValidatingAdmissionPolicyBindingSpec): FieldError[] {
  const { policyName = '', paramRef, matchResources } = spec
  return [
    ...(policyName === ''
      ? [requiredField('spec.policyName')]
      : subdomainErrors(policyName).map((text) =>
          invalidField('spec.policyName', policyName, text),
        )),
    ...(paramRef === undefined ? [] : paramRefErrors('spec.paramRef', paramRef)),
    ...(matchResources === undefined ? [] : matchErrors('spec.matchResources', matchResources)),
  ]
}

const exclusive = 'name and selector are mutually exclusive'

function paramRefErrors(path: string, ref: ParamRef): FieldError[] {
  const { name = '', selector, parameterNotFoundAction: action = '' } = ref
  const both = name !== '' && selector !== undefined
  return [
    ...pathSegmentErrors(name).map((text) => invalidField(`${path}.name`, name, text)),
    ...(both ? [forbiddenField(`${path}.name`, exclusive)] : []),
    ...(selector === undefined ? [] : selectorErrors(`${path}.selector`, selector)),
    ...(both ? [forbiddenField(`${path}.selector`, exclusive)] : []),
    ...(name === '' && selector === undefined
      ? [requiredField(path, 'one of name or selector must be specified')]
      : []),
    ...(action === ''
      ? [requiredField(`${path}.parameterNotFoundAction`)]
      : action === 'Deny' || action === 'Allow'
        ? []
        : [notSupportedField(`${path}.parameterNotFoundAction`, action, ['Deny', 'Allow'])]),
  ]
}

function actionErrors(path: string, given: readonly string[]): FieldError[] {
  if (given.length === 0) return [requiredField(path)]
  const errors = given.flatMap((action, at): FieldError[] => {
    const field = `${path}[${at}]`
    if (!actions.includes(action)) return [notSupportedField(field, action, actions)]
    return given.indexOf(action) < at ? [duplicateField(field, action)] : []
  })
  if (!given.includes('Deny') || !given.includes('Warn')) return errors
  const detail =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
  return [...errors, invalidField(path, given, detail)]
}
