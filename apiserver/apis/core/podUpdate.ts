import { forbiddenField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { isSame } from '../fieldChecks.ts'
import { podSpecErrors } from './podRules.ts'
import { asPod, type Container, type PodSpec } from './podTypes.ts'

const fixedText =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** What of a pod may change after it was created. Source: Kubernetes API reference, "Pod update and replacement". */
export function podUpdateErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [asPod(next).spec, asPod(old).spec]
  const errors = podSpecErrors('spec', after)
  if (errors.length > 0) return errors
  const isKept = isSame(fixedPart(after), fixedPart(before))
  return isKept && keepsTolerations(after, before) ? [] : [forbiddenField('spec', fixedText)]
}

function fixedPart(spec: PodSpec): unknown {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...rest } = spec
  const withoutImages = (list: readonly Container[] | undefined) =>
    list?.map(({ image: _image, ...container }) => container)
  return {
    ...rest,
    containers: withoutImages(spec.containers),
    initContainers: withoutImages(spec.initContainers),
  }
}

function keepsTolerations(next: PodSpec, old: PodSpec): boolean {
  const { tolerations = [] } = next
  return (old.tolerations ?? []).every((one) => tolerations.some((other) => isSame(other, one)))
}
