import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { podSpecErrors } from '../core/podRules.ts'
import { notNegative, unchanged } from '../fieldChecks.ts'
import { isEmptySelector, selectorMatches, type SpecSelector } from '../labelSelection.ts'
import { labelErrorsOf, selectorErrors } from '../selectorRules.ts'
import { podSpecIn, type WorkloadSpec } from './workload.ts'

/** The rules of a workload's spec: counts, the selector, and a template that it selects. `kind` is how messages call it.
 *  Source: Kubernetes API reference, the specs of apps/v1; observed answers. */
export function workloadErrors(spec: WorkloadSpec, kind: string): FieldError[] {
  return [
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...selectionErrors(spec.selector ?? {}, kind),
    ...templateErrors(spec),
    ...notNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
  ]
}

function selectionErrors(selector: SpecSelector, kind: string): FieldError[] {
  if (!isEmptySelector(selector)) return selectorErrors('spec.selector', selector)
  return [invalidField('spec.selector', selector, `empty selector is invalid for ${kind}`)]
}

function templateErrors({ selector = {}, template }: WorkloadSpec): FieldError[] {
  const labels = template?.metadata?.labels
  const errors = labelErrorsOf('spec.template.metadata.labels', labels ?? {})
  if (!isEmptySelector(selector) && !selectorMatches(selector, labels)) {
    const detail = '`selector` does not match template `labels`'
    errors.push(invalidField('spec.template.metadata.labels', labels, detail))
  }
  return [
    ...errors,
    ...podSpecErrors('spec.template.spec', podSpecIn(template)),
    ...restartErrors(podSpecIn(template).restartPolicy),
  ]
}

/** Pods of these kinds are always started again. */
function restartErrors(policy: string | undefined): FieldError[] {
  const isKnownOther = policy === 'Never' || policy === 'OnFailure'
  if (!isKnownOther) return []
  const message = `Unsupported value: ${JSON.stringify(policy)}: supported values: "Always"`
  const field = 'spec.template.spec.restartPolicy'
  return [{ reason: 'FieldValueNotSupported', field, message }]
}

export function fixedSelector(next: WorkloadSpec, old: WorkloadSpec): FieldError[] {
  return unchanged('spec.selector', next.selector, old.selector)
}

/** A number, or a part of a hundred. */
export type Share = number | string | undefined

/** Source: apimachinery, ValidatePositiveIntOrPercent. */
export function shareErrors(path: string, share: Share): FieldError[] {
  if (share === undefined) return []
  if (typeof share === 'number') return notNegative(path, share)
  if (/^[0-9]+%$/.test(share)) return []
  const detail =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
  return [invalidField(path, share, detail)]
}

/** Whether a share comes to nothing. */
export function isZeroShare(share: Share): boolean {
  return share === 0 || share === '0%'
}
