import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { asEncoded, notNegative, unchanged } from '../../fieldChecks.ts'
import { isEmptySelector, selectorMatches } from '../labelSelection.ts'
import { selectorErrors } from '../selectorRules.ts'
import { lastingErrors, podTemplateErrors } from './templateRules.ts'
import type { WorkloadSpec } from './workload.ts'

const selectorPath = 'spec.selector'
const templatePath = 'spec.template'

/** The rules of the selector and the template of a workload with replicas. A template is validated only if its
 *  selector can be parsed. Source: Kubernetes API reference, the specs of apps/v1; observed answers. */
export function replicaErrors(spec: WorkloadSpec): FieldError[] {
  return [
    ...givenSelectorErrors(spec, 'deployment'),
    ...(isReadable(spec)
      ? [
          ...mismatchErrors(spec),
          ...podTemplateErrors(templatePath, spec.template),
          ...lastingErrors(templatePath, spec.template, 'ReplicaSet'),
        ]
      : [invalidField(selectorPath, asEncoded(spec.selector), 'invalid label selector')]),
  ]
}

/** The rules of a required selector; `kind` is the name of its owner in messages. */
export function givenSelectorErrors({ selector }: WorkloadSpec, kind: string): FieldError[] {
  if (!selector) return [requiredField(selectorPath)]
  return [...selectorErrors(selectorPath, selector), ...emptySelectorErrors({ selector }, kind)]
}

export function emptySelectorErrors({ selector }: WorkloadSpec, kind: string): FieldError[] {
  if (!selector || !isEmptySelector(selector)) return []
  return [invalidField(selectorPath, asEncoded(selector), `empty selector is invalid for ${kind}`)]
}

export function isReadable({ selector }: WorkloadSpec): boolean {
  return !selector || selectorErrors(selectorPath, selector).length === 0
}

/**
 * Errors if the selector does not match the template. An absent selector selects nothing; an empty one selects every
 * pod.
 */
export function mismatchErrors({ selector, template }: WorkloadSpec): FieldError[] {
  const labels = template?.metadata?.labels
  if (selector && selectorMatches(selector, labels)) return []
  const detail = '`selector` does not match template `labels`'
  return [invalidField(`${templatePath}.metadata.labels`, labels, detail)]
}

export function fixedSelector(next: WorkloadSpec, old: WorkloadSpec): FieldError[] {
  return unchanged(selectorPath, next.selector, old.selector)
}

/** Counts of a status, by the names of its fields. */
export function countErrors(
  status: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): FieldError[] {
  return fields.flatMap((field) =>
    notNegative(`status.${field}`, status[field] as number | undefined),
  )
}

/** Errors if parts exceed the number of replicas. `ready` is the term for ready replicas in messages. */
export function partErrors(
  status: Readonly<Record<string, unknown>>,
  parts: readonly string[],
  ready: string,
): FieldError[] {
  const count = (field: string) => Number(status[field] ?? 0)
  const over = parts.filter((field) => count(field) > count('replicas'))
  const errors = over.map((field) =>
    invalidField(`status.${field}`, count(field), 'cannot be greater than status.replicas'),
  )
  if (count('availableReplicas') <= count('readyReplicas')) return errors
  const detail = `cannot be greater than ${ready}`
  return [...errors, invalidField('status.availableReplicas', count('availableReplicas'), detail)]
}

/** Errors for the collision count. Source: Kubernetes API reference, `collisionCount`. */
export function collisionErrors(
  next: Readonly<Record<string, unknown>>,
  old: Readonly<Record<string, unknown>>,
): FieldError[] {
  const before = old['collisionCount']
  const count = Number(next['collisionCount'] ?? 0)
  return before === undefined || count >= Number(before)
    ? []
    : [invalidField('status.collisionCount', count, 'cannot be decremented')]
}
