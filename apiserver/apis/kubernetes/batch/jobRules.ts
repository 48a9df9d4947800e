import {
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { podTemplateErrors } from '../apps/templateRules.ts'
import { podSpecIn } from '../apps/workload.ts'
import { domainPrefixedPath, notNegative, oneOf } from '../../fieldChecks.ts'
import type { JobSpec } from '../shapes/batchV1.ts'
import { indexedErrors } from './indexedJobRules.ts'
import { failurePolicyErrors, successPolicyErrors } from './jobPolicyRules.ts'
import { isIndexed } from './jobSpec.ts'

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const

const completionModes = ['NonIndexed', 'Indexed']
const maxManagedByBytes = 63

/**
 * Errors for the spec of a job, or of the template of a cron job; `path` leads to the spec. Source:
 * Kubernetes API reference, JobSpec v1; observed answers.
 */
export function jobSpecErrors(path: string, spec: JobSpec): FieldError[] {
  const { completionMode, managedBy } = spec
  return [
    ...counts.flatMap((field) => notNegative(`${path}.${field}`, spec[field])),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [requiredField(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...(managedBy === undefined ? [] : managerErrors(`${path}.managedBy`, managedBy)),
    ...(completionMode === undefined
      ? []
      : oneOf(`${path}.completionMode`, completionMode, completionModes)),
    ...indexedErrors(path, spec),
    ...failurePolicyErrors(`${path}.podFailurePolicy.rules`, spec),
    ...goalErrors(`${path}.successPolicy`, spec),
    ...replacementErrors(`${path}.podReplacementPolicy`, spec),
    ...podTemplateErrors(`${path}.template`, spec.template),
    ...restartErrors(`${path}.template.spec.restartPolicy`, spec),
  ]
}

function managerErrors(path: string, managedBy: string): FieldError[] {
  const errors = domainPrefixedPath(path, managedBy)
  if (Buffer.byteLength(managedBy) <= maxManagedByBytes) return errors
  return [...errors, tooLongField(path, maxManagedByBytes)]
}

function goalErrors(path: string, spec: JobSpec): FieldError[] {
  const { successPolicy } = spec
  if (successPolicy === undefined) return []
  if (isIndexed(spec)) return successPolicyErrors(`${path}.rules`, spec)
  // The real server shows its internal type here, whose fields have no JSON names.
  const rules = (successPolicy.rules ?? []).map(({ succeededIndexes, succeededCount }) => ({
    SucceededIndexes: succeededIndexes ?? null,
    SucceededCount: succeededCount ?? null,
  }))
  const shown = rules.length === 0 ? null : rules
  return [invalidField(path, { Rules: shown }, 'requires indexed completion mode')]
}

function replacementErrors(path: string, spec: JobSpec): FieldError[] {
  const { podReplacementPolicy: policy, podFailurePolicy } = spec
  if (policy === undefined) return []
  return oneOf(path, policy, podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'])
}

const restartPolicies = ['OnFailure', 'Never']

function restartErrors(path: string, { template, podFailurePolicy }: JobSpec): FieldError[] {
  const { restartPolicy: policy = '' } = podSpecIn(template)
  if (policy === '' || policy === 'Always') {
    return [requiredField(path, 'valid values: "OnFailure", "Never"')]
  }
  if (!restartPolicies.includes(policy)) return [notSupportedField(path, policy, restartPolicies)]
  if (podFailurePolicy === undefined || policy === 'Never') return []
  const detail = 'only "Never" is supported when podFailurePolicy is specified'
  return [invalidField(path, policy, detail)]
}
