import { forbiddenField, notSupportedField, type FieldError } from '../../../meta/fieldErrors.ts'
import { podSpecErrors } from '../core/pod/podRules.ts'
import { labelErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { PodTemplate } from '../core/pod/podTypes.ts'
import { annotationsErrors, labelsErrors } from '../../../registry/metadataValidation.ts'
import { podSpecIn } from './workload.ts'

/** The rules of a template that pods are made from. The paths of its labels and annotations leave `metadata` out, as in
 *  the answers of the real server. */
export function podTemplateErrors(path: string, template: PodTemplate | undefined): FieldError[] {
  const spec = podSpecIn(template)
  const errors = [...templateMetadataErrors(path, template), ...podSpecErrors(`${path}.spec`, spec)]
  if ((spec.ephemeralContainers ?? []).length === 0) return errors
  const detail = 'ephemeral containers not allowed in pod template'
  return [...errors, forbiddenField(`${path}.spec.ephemeralContainers`, detail)]
}

export function templateMetadataErrors(
  path: string,
  template: PodTemplate | undefined,
): FieldError[] {
  const { labels = {}, annotations = {} } = template?.metadata ?? {}
  return [
    ...labelsErrors(`${path}.labels`, labels),
    ...annotationsErrors(`${path}.annotations`, annotations),
  ]
}

/** Pods of a workload that `owner` names are always started again, and have no end. */
export function lastingErrors(
  path: string,
  template: PodTemplate | undefined,
  owner: string,
): FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = podSpecIn(template)
  const detail = `activeDeadlineSeconds in ${owner} is not Supported`
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [notSupportedField(`${path}.spec.restartPolicy`, restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [forbiddenField(`${path}.spec.activeDeadlineSeconds`, detail)]),
  ]
}

/** Pods are called like what makes them, and so are their hosts. */
export function podNameWarnings({ metadata: { name = '' } }: ApiObject): string[] {
  const problems = labelErrors(name)
  if (problems.length === 0) return []
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ]
}
