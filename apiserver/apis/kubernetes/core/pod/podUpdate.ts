import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { jsonText } from '../../../../meta/json/exactJson.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { between, isSame } from '../../../fieldChecks.ts'
import { podSpecErrors } from './podRules.ts'
import { asPod, type Container, type PodSpec, type Toleration } from './podTypes.ts'

const fixedText =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'
const tolerationText = 'existing toleration can not be modified except its tolerationSeconds'

/** What of a pod may change after it was created. Source: Kubernetes API reference, "Pod update and replacement"; observed
 *  answers. */
export function podUpdateErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [asPod(next).spec, asPod(old).spec]
  const errors = podSpecErrors('spec', after)
  const inContainers = [
    ...imageErrors('spec.containers', after.containers, before.containers),
    ...imageErrors('spec.initContainers', after.initContainers, before.initContainers),
  ]
  if (inContainers.length > 0) return [...errors, ...inContainers]
  return [...errors, ...changeErrors(after, before)]
}

function changeErrors(after: PodSpec, before: PodSpec): FieldError[] {
  const isKept = isSame(fixedPart(after, before), fixedPart(before, before))
  return [
    ...deadlineErrors(after.activeDeadlineSeconds, before.activeDeadlineSeconds),
    ...(keepsTolerations(after, before)
      ? []
      : [forbiddenField('spec.tolerations', tolerationText)]),
    ...gateErrors(after, before),
    ...selectionErrors(after, before),
    ...(isKept ? [] : [forbiddenField('spec', fixedText)]),
  ]
}

/** Where the numbers of containers differ, nothing else is compared. */
function imageErrors(
  path: string,
  after: readonly Container[] | null | undefined,
  before: readonly Container[] | null | undefined,
): FieldError[] {
  const [next, old] = [after ?? [], before ?? []]
  if (next.length !== old.length) {
    return [forbiddenField(path, 'pod updates may not add or remove containers')]
  }
  return next.flatMap(({ image = '' }, index) =>
    image.trim() === '' ? [requiredField(`${path}[${index}].image`)] : [],
  )
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

/** They only become fewer. */
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

/** While a pod waits for its gates, the choice of its node may become narrower. */
function selectionErrors({ nodeSelector: next = {} }: PodSpec, old: PodSpec): FieldError[] {
  const isKept = Object.entries(old.nodeSelector ?? {}).every(([key, value]) => next[key] === value)
  if (isKept || !isGated(old)) return []
  const detail = 'only additions are allowed (no mutations or deletions)'
  return [invalidField('spec.nodeSelector', next, detail)]
}

function isGated({ schedulingGates = [] }: PodSpec): boolean {
  return schedulingGates.length > 0
}

/** All that may not change, given what the pod was before. */
function fixedPart(spec: PodSpec, before: PodSpec): unknown {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...rest } = spec
  const {
    schedulingGates: _gates,
    nodeSelector,
    terminationGracePeriodSeconds: grace,
    ...fixed
  } = rest
  const withoutImages = (list: readonly Container[] | null | undefined) =>
    list?.map(({ image: _image, ...container }) => container)
  const wasNegative = (before.terminationGracePeriodSeconds ?? 0) < 0 && grace === 1
  return {
    ...fixed,
    nodeSelector: isGated(before) ? undefined : nodeSelector,
    terminationGracePeriodSeconds: wasNegative ? before.terminationGracePeriodSeconds : grace,
    containers: withoutImages(spec.containers),
    initContainers: withoutImages(spec.initContainers),
  }
}

function keepsTolerations(next: PodSpec, old: PodSpec): boolean {
  const kept = new Set((next.tolerations ?? []).map(lastingKey))
  return (old.tolerations ?? []).every((one) => kept.has(lastingKey(one)))
}

/** How long a pod stays may change where it has to leave at the end. */
function lastingKey({ key, operator, value, effect, tolerationSeconds }: Toleration): string {
  const seconds = effect === 'NoExecute' ? undefined : tolerationSeconds
  return jsonText([key, operator, value, effect, seconds])
}
