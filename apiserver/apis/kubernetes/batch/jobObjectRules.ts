import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { labelErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { asEncoded, unchanged } from '../../fieldChecks.ts'
import { selectorMatches } from '../labelSelection.ts'
import { selectorErrors } from '../selectorRules.ts'
import type { JobSpec, JobStatus } from '../shapes/batchV1.ts'
import { jobSpecErrors } from './jobRules.ts'
import { isIndexed, jobSpec } from './jobSpec.ts'
import { ownLabels } from './jobSelection.ts'
import { holds } from './jobStatus.ts'

/** Errors for a job as a whole. Source: observed answers. */
export function jobErrors(object: ApiObject): FieldError[] {
  const spec = jobSpec(object)
  return [...ownSelectionErrors(object), ...wholeSpecErrors(spec), ...nameErrors(object)]
}

function wholeSpecErrors(spec: JobSpec): FieldError[] {
  return [...jobSpecErrors('spec', spec), ...selectionErrors(spec)]
}

/** Errors for a generated selector, which selects the pods labelled with the job's uid. */
function ownSelectionErrors(object: ApiObject): FieldError[] {
  const { manualSelector, selector, template } = jobSpec(object)
  if (manualSelector === true || !selector) return []
  const labels = template?.metadata?.labels ?? {}
  const own = ownLabels(object)
  const wrong = Object.entries(own).flatMap(([key, value]) => {
    const at = `spec.template.metadata.labels[${key}]`
    const detail = `must be '${value}'`
    if (!Object.hasOwn(labels, key)) return [requiredField(at, detail)]
    return labels[key] === value ? [] : [invalidField(at, labels, detail)]
  })
  const isReadable = selectorErrors('spec.selector', selector).length === 0
  if (!isReadable || selectorMatches(selector, own)) return wrong
  return [
    ...wrong,
    invalidField('spec.selector', asEncoded(selector), '`selector` not auto-generated'),
  ]
}

function selectionErrors({ selector, template }: JobSpec): FieldError[] {
  const errors = selector
    ? selectorErrors('spec.selector', selector)
    : [requiredField('spec.selector')]
  if (selector && errors.length > 0) return errors
  const labels = template?.metadata?.labels
  if (selector && selectorMatches(selector, labels)) return errors
  const detail = '`selector` does not match template `labels`'
  return [...errors, invalidField('spec.template.metadata.labels', labels, detail)]
}

/** Errors for the name: names of the pods of an indexed job consist of it and their index. */
function nameErrors(object: ApiObject): FieldError[] {
  const { completions = 0 } = jobSpec(object)
  const { name = '' } = object.metadata
  if (!isIndexed(jobSpec(object)) || completions <= 0) return []
  const hostname = `${name}-${completions - 1}`
  if (labelErrors(hostname).length === 0) return []
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`
  return [invalidField('metadata.name', name, detail)]
}

const fixed = ['podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const

/**
 * Errors for a change of a job: selector, template, completion mode and other fields are immutable.
 */
export function jobUpdateErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [jobSpec(next), jobSpec(old)]
  return [
    ...wholeSpecErrors(after),
    ...completionErrors(after, before),
    ...unchanged('spec.selector', after.selector, before.selector),
    ...templateErrors(next, old),
    ...unchanged('spec.completionMode', after.completionMode, before.completionMode),
    ...fixed.flatMap((field) => unchanged(`spec.${field}`, after[field], before[field])),
    ...nameErrors(next),
  ]
}

/** Errors for changed completions; indexed jobs may grow and shrink. */
function completionErrors(after: JobSpec, before: JobSpec): FieldError[] {
  const path = 'spec.completions'
  const { completions, parallelism } = after
  if (!isIndexed(after)) return unchanged(path, completions, before.completions)
  if (completions === before.completions || completions === undefined) return []
  if (completions === parallelism) return []
  const detail = 'can only be modified in tandem with spec.parallelism'
  return [invalidField(path, completions, detail)]
}

/**
 * Errors for changes to the template: scheduling and resources may change while a job is suspended
 * and has no pods.
 */
function templateErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [{ template: after }, { template: before }] = [jobSpec(next), jobSpec(old)]
  if (!isIdle(old)) return unchanged('spec.template', after, before)
  const { spec } = templateToKeep(next, old) ?? {}
  const kept = withResources(spec, after?.spec)
  return unchanged('spec.template.spec', after?.spec, kept)
}

function isIdle(old: ApiObject): boolean {
  const status = (old['status'] ?? {}) as JobStatus
  const isAtRest = status.startTime === undefined || holds(status, 'Suspended')
  return jobSpec(old).suspend === true && isAtRest && (status.active ?? 0) === 0
}

type PodSpec = NonNullable<NonNullable<JobSpec['template']>['spec']>

/** Stored spec with the new resources of containers with the same names. */
function withResources(stored: PodSpec | undefined, next: PodSpec | undefined) {
  if (stored === undefined || next === undefined) return stored
  const copy = structuredClone(stored)
  for (const field of ['containers', 'initContainers'] as const) {
    const [before, after] = [copy[field] ?? [], next[field] ?? []]
    if (before.length !== after.length) continue
    for (const [index, container] of before.entries()) {
      const { name, resources } = after[index] ?? {}
      if (name !== container.name) continue
      if (resources === undefined) delete container.resources
      else container.resources = resources
    }
  }
  return copy
}

const directives = ['nodeSelector', 'tolerations', 'schedulingGates'] as const

function templateToKeep(next: ApiObject, old: ApiObject): JobSpec['template'] {
  const [after, before] = [jobSpec(next), jobSpec(old)]
  const template = structuredClone(before.template) ?? {}
  const wanted: Record<string, unknown> = { ...after.template?.spec }
  const spec: Record<string, unknown> = { ...template.spec }
  for (const field of directives) take(spec, field, wanted[field])
  take(spec, 'affinity', affinityToKeep(wanted['affinity'], spec['affinity']))
  return { ...template, spec }
}

/** Affinity with the mutable part, node affinity, replaced. */
function affinityToKeep(wanted: unknown, kept: unknown): unknown {
  const { nodeAffinity } = (wanted ?? {}) as { nodeAffinity?: unknown }
  const rest = { ...(kept as Record<string, unknown> | undefined) }
  take(rest, 'nodeAffinity', nodeAffinity)
  return wanted === undefined && Object.keys(rest).length === 0 ? undefined : rest
}

function take(target: Record<string, unknown>, field: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(target, field)
  else target[field] = value
}
