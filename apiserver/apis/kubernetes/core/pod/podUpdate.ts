import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { jsonText } from '../../../../meta/json/exactJson.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { between, errorIf, isSame } from '../../../fieldChecks.ts'
import type { Container, PodSpec, Toleration } from '../../shapes/coreV1.ts'
import { paddedImageErrors } from '../container/containerRules.ts'
import {
  affinityChangeErrors,
  selectorChangeErrors,
  withoutNodeAffinity,
} from './rules/gatedChanges.ts'
import { annotationChangeErrors } from './rules/podAnnotations.ts'
import { podErrors } from './rules/podOnlyRules.ts'
import { asPod, type Pod } from './podTypes.ts'

const fixedText =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'
const tolerationText = 'existing toleration can not be modified except its tolerationSeconds'

/**
 * Keeps pod-level resources, since clients that do not know the field must not remove them. Changes
 * `next`.
 */
export function keepPodResources(next: ApiObject, old: ApiObject): void {
  const { resources } = asPod({ ...old }).spec
  if (resources !== undefined) asPod(next).spec.resources ??= structuredClone(resources)
}

/**
 * Errors for changes to a pod after creation. Source: Kubernetes API reference, "Pod update and
 * replacement"; seen on kube-apiserver 1.37.2.
 */
export function podUpdateErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [pod, before] = [asPod(next), asPod(old)]
  const { annotations = {} } = pod.metadata
  return [
    ...podErrors(pod),
    ...annotationChangeErrors(annotations, before.metadata.annotations ?? {}),
    ...specChangeErrors(pod, before),
  ]
}

/**
 * Errors for changes to the spec. A different number of containers or an invalid deadline ends the
 * checks.
 */
function specChangeErrors({ spec: next }: Pod, { spec: old }: Pod): FieldError[] {
  const errors: FieldError[] = []
  for (const list of ['containers', 'initContainers'] as const) {
    const [after, before] = [next[list] ?? [], old[list] ?? []]
    if (after.length !== before.length) {
      const detail = 'pod updates may not add or remove containers'
      return [...errors, forbiddenField(`spec.${list}`, detail)]
    }
    errors.push(...imageErrors(`spec.${list}`, after))
  }
  const deadline = deadlineErrors(next.activeDeadlineSeconds, old.activeDeadlineSeconds)
  errors.push(...deadline)
  const isOver = deadline.length > 0 && next.activeDeadlineSeconds !== undefined
  return isOver ? errors : [...errors, ...changeErrors(next, old)]
}

function changeErrors(next: PodSpec, old: PodSpec): FieldError[] {
  return [
    ...errorIf(!keepsTolerations(next, old), () =>
      forbiddenField('spec.tolerations', tolerationText),
    ),
    ...gateErrors(next, old),
    ...(isGated(old)
      ? [...selectorChangeErrors(next, old), ...affinityChangeErrors(next, old)]
      : []),
    ...errorIf(!isSame(fixedPart(next, old), fixedPart(old, old)), () =>
      forbiddenField('spec', fixedText),
    ),
  ]
}

function imageErrors(path: string, containers: readonly Container[]): FieldError[] {
  return containers.flatMap((container, index) => [
    ...errorIf((container.image ?? '') === '', () => requiredField(`${path}[${index}].image`)),
    ...paddedImageErrors(`${path}[${index}]`, container),
  ])
}

function deadlineErrors(next: number | undefined, old: number | undefined): FieldError[] {
  const path = 'spec.activeDeadlineSeconds'
  if (next === undefined) {
    const detail = 'must not update from a positive integer to nil value'
    return old === undefined ? [] : [invalidField(path, null, detail)]
  }
  const outside = between(path, next, [0, 2147483647])
  if (outside.length > 0) return outside
  const detail = 'must be less than or equal to previous value'
  return old !== undefined && old < next ? [invalidField(path, next, detail)] : []
}

/** Errors for scheduling gates, which can only be removed. */
function gateErrors(
  { schedulingGates: next = [] }: PodSpec,
  { schedulingGates: old = [] }: PodSpec,
): FieldError[] {
  const before = new Set(old.map(({ name = '' }) => name))
  return next.flatMap(({ name = '' }, index) => {
    if (before.has(name)) return []
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`
    return [forbiddenField(`spec.schedulingGates[${index}].name`, detail)]
  })
}

function isGated({ schedulingGates = [] }: PodSpec): boolean {
  return schedulingGates.length > 0
}

/** Immutable fields, given the old pod. */
function fixedPart(spec: PodSpec, before: PodSpec): unknown {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...rest } = spec
  const { schedulingGates: _gates, terminationGracePeriodSeconds: grace, ...fixed } = rest
  const { nodeSelector, affinity, ...others } = fixed
  const withoutImages = (list: readonly Container[] | null | undefined) =>
    list?.map(({ image: _image, ...container }) => container)
  const wasNegative = (before.terminationGracePeriodSeconds ?? 0) < 0 && grace === 1
  return {
    ...others,
    ...(isGated(before) ? { affinity: withoutNodeAffinity(affinity) } : { nodeSelector, affinity }),
    terminationGracePeriodSeconds: wasNegative ? before.terminationGracePeriodSeconds : grace,
    containers: withoutImages(spec.containers),
    initContainers: withoutImages(spec.initContainers),
  }
}

function keepsTolerations(next: PodSpec, old: PodSpec): boolean {
  const kept = new Set((next.tolerations ?? []).map(lastingKey))
  return (old.tolerations ?? []).every((one) => kept.has(lastingKey(one)))
}

/** Identity of a toleration; only its seconds may change. */
function lastingKey({ key, operator, value, effect }: Toleration): string {
  return jsonText([key, operator, value, effect])
}
