import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { podSpecIn } from '../apps/workload.ts'
import { podSpecErrors } from '../core/podRules.ts'
import { notNegative, oneOf, unchanged } from '../fieldChecks.ts'
import { selectorMatches } from '../labelSelection.ts'
import { labelErrorsOf, selectorErrors } from '../selectorRules.ts'
import { jobSpec, type JobSpec } from './jobSpec.ts'

/** The rules of a job's spec; `prefix` stands before `spec` in paths, with a dot at its end. A template of jobs has no
 *  selector yet. Source: Kubernetes API reference, JobSpec v1; observed answers. */
export function jobErrors(prefix: string, spec: JobSpec, isWhole: boolean): FieldError[] {
  const path = `${prefix}spec`
  const counts = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ] as const
  return [
    ...counts.flatMap((field) => notNegative(`${path}.${field}`, spec[field])),
    ...(isWhole ? selectionErrors(path, spec) : []),
    ...(spec.completionMode === undefined
      ? []
      : oneOf(`${path}.completionMode`, spec.completionMode, ['Indexed', 'NonIndexed'])),
    ...(spec.completionMode === 'Indexed' && spec.completions === undefined
      ? [requiredField(`${path}.completions`, 'when completion mode is Indexed')]
      : []),
    ...templateErrors(`${path}.template`, spec),
  ]
}

function selectionErrors(path: string, { selector, template }: JobSpec): FieldError[] {
  if (selector === undefined) return [requiredField(`${path}.selector`)]
  const labels = template?.metadata?.labels
  const errors = selectorErrors(`${path}.selector`, selector)
  if (selectorMatches(selector, labels)) return errors
  const detail = '`selector` does not match template `labels`'
  return [...errors, invalidField(`${path}.template.metadata.labels`, labels, detail)]
}

function templateErrors(path: string, { template }: JobSpec): FieldError[] {
  const spec = podSpecIn(template)
  const policy = spec.restartPolicy
  const errors = [
    ...labelErrorsOf(`${path}.metadata.labels`, template?.metadata?.labels ?? {}),
    ...podSpecErrors(`${path}.spec`, spec),
  ]
  if (policy === 'Always') {
    const detail = 'valid values: "OnFailure", "Never"'
    errors.push(requiredField(`${path}.spec.restartPolicy`, detail))
  } else if (policy !== 'OnFailure' && policy !== 'Never') {
    errors.push(notSupportedField(`${path}.spec.restartPolicy`, policy, ['OnFailure', 'Never']))
  }
  return errors
}

/** What a job runs stays what it is. */
export function jobUpdateErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [jobSpec(next), jobSpec(old)]
  const isElastic = before.completionMode === 'Indexed' && after.completions === after.parallelism
  return [
    ...jobErrors('', after, true),
    ...(isElastic ? [] : unchanged('spec.completions', after.completions, before.completions)),
    ...unchanged('spec.selector', after.selector, before.selector),
    ...(before.suspend === true ? [] : unchanged('spec.template', after.template, before.template)),
    ...unchanged('spec.completionMode', after.completionMode, before.completionMode),
  ]
}
