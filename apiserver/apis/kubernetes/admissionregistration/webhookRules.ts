import {
  duplicateField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { dns1035Errors, subdomainErrors } from '../../../meta/names/nameValidation.ts'
import { optionalChoice } from '../../fieldChecks.ts'
import { selectorErrors } from '../selectorRules.ts'
import type { MutatingWebhook } from '../shapes/admissionregistrationV1.ts'
import { clientConfigErrors } from './clientConfigRules.ts'
import type { ConditionCheck } from './matchConditionRules.ts'
import { ruleErrors } from './operationRules.ts'

const accepted = ['v1', 'v1beta1']
const sideEffects = ['None', 'NoneOnDryRun']
export const failurePolicies = ['Fail', 'Ignore']
export const matchPolicies = ['Equivalent', 'Exact']

/** Validates the webhooks of a configuration. Names are unique.
 *  Source: Kubernetes API reference, ValidatingWebhookConfiguration v1; seen on kube-apiserver. */
export function webhooksErrors(
  webhooks: readonly MutatingWebhook[],
  checkConditions: ConditionCheck,
): FieldError[] {
  const names = new Set<string>()
  return webhooks.flatMap((webhook, at) => {
    const path = `webhooks[${at}]`
    const { name = '' } = webhook
    const admissionReviewVersions = webhook.admissionReviewVersions ?? []
    const errors = [
      ...webhookErrors(path, webhook, checkConditions),
      ...versionErrors(`${path}.admissionReviewVersions`, admissionReviewVersions),
    ]
    if (names.has(name)) errors.push(duplicateField(`${path}.name`, name))
    names.add(name)
    return errors
  })
}

function webhookErrors(
  path: string,
  webhook: MutatingWebhook,
  checkConditions: ConditionCheck,
): FieldError[] {
  const { name = '', timeoutSeconds = 10 } = webhook
  const { rules = [], clientConfig = {} } = webhook
  const { namespaceSelector = {}, objectSelector = {}, matchConditions = [] } = webhook
  const isInTime = timeoutSeconds >= 1 && timeoutSeconds <= 30
  const limit = 'the timeout value must be between 1 and 30 seconds'
  const reinvocation = ['IfNeeded', 'Never']
  return [
    ...qualifiedNameErrors(`${path}.name`, name),
    ...rules.flatMap((rule, at) => ruleErrors(`${path}.rules[${at}]`, rule)),
    ...optionalChoice(`${path}.failurePolicy`, webhook.failurePolicy, failurePolicies),
    ...optionalChoice(`${path}.matchPolicy`, webhook.matchPolicy, matchPolicies),
    ...sideEffectErrors(`${path}.sideEffects`, webhook.sideEffects),
    ...(isInTime ? [] : [invalidField(`${path}.timeoutSeconds`, timeoutSeconds, limit)]),
    ...selectorErrors(`${path}.namespaceSelector`, namespaceSelector),
    ...selectorErrors(`${path}.objectSelector`, objectSelector),
    ...optionalChoice(`${path}.reinvocationPolicy`, webhook.reinvocationPolicy, reinvocation),
    ...clientConfigErrors(`${path}.clientConfig`, clientConfig),
    ...checkConditions(`${path}.matchConditions`, matchConditions),
  ]
}

function sideEffectErrors(path: string, value: string | null | undefined): FieldError[] {
  if (value === undefined || value === null) {
    return [requiredField(path, `must specify one of ${sideEffects.join(', ')}`)]
  }
  return sideEffects.includes(value) ? [] : [notSupportedField(path, value, sideEffects)]
}

/** Errors for a fully qualified name. Source: apimachinery, IsFullyQualifiedName. */
function qualifiedNameErrors(path: string, name: string): FieldError[] {
  if (name === '') return [requiredField(path)]
  const errors = subdomainErrors(name)
  if (errors.length > 0) return [invalidField(path, name, errors.join(','))]
  if (name.split('.').length >= 3) return []
  const detail = 'should be a domain with at least three segments separated by dots'
  return [invalidField(path, name, detail)]
}

function versionErrors(path: string, versions: readonly string[]): FieldError[] {
  if (versions.length === 0) {
    return [requiredField(path, `must specify one of ${accepted.join(', ')}`)]
  }
  const errors = versions.flatMap((version, at): FieldError[] => {
    const field = `${path}[${at}]`
    if (versions.indexOf(version) < at) return [invalidField(field, version, 'duplicate version')]
    return dns1035Errors(version).map((text) => invalidField(field, version, text))
  })
  if (versions.some((version) => accepted.includes(version))) return errors
  const detail = `must include at least one of ${accepted.join(', ')}`
  return [...errors, invalidField(path, versions, detail)]
}
