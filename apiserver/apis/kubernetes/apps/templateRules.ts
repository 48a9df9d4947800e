import { forbiddenField, notSupportedField, type FieldError } from '../../../meta/fieldErrors.ts'
import { podAnnotationErrors } from '../core/pod/rules/podAnnotations.ts'
import { podSpecErrors } from '../core/pod/podRules.ts'
import { profileMatchErrors } from '../core/pod/rules/profileAnnotations.ts'
import { errorIf, isSame } from '../../fieldChecks.ts'
import { templateWarnings } from '../core/pod/podWarnings.ts'
import { labelErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { annotationsErrors, labelsErrors } from '../../../registry/write/metadataValidation.ts'
import { valueAt } from '../../columns.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import type { PodTemplateSpec } from '../shapes/coreV1.ts'
import { podSpecIn } from './workload.ts'

/**
 * Rules of a pod template. Paths of its labels and annotations omit `metadata`, as in the real server. Source: seen on
 * kube-apiserver 1.37.2.
 */
export function podTemplateErrors(
  path: string,
  template: PodTemplateSpec | undefined,
): FieldError[] {
  const spec = podSpecIn(template)
  const { annotations = {} } = template?.metadata ?? {}
  const at = `${path}.spec`
  return [
    ...templateMetadataErrors(path, template),
    ...podAnnotationErrors(annotations, spec, `${path}.annotations`),
    ...podSpecErrors(at, spec),
    ...profileMatchErrors(at, spec, annotations),
    ...errorIf((spec.ephemeralContainers ?? []).length > 0, () =>
      forbiddenField(
        `${at}.ephemeralContainers`,
        'ephemeral containers not allowed in pod template',
      ),
    ),
  ]
}

export function templateMetadataErrors(
  path: string,
  template: Pick<PodTemplateSpec, 'metadata'> | undefined,
): FieldError[] {
  const { labels = {}, annotations = {} } = template?.metadata ?? {}
  return [
    ...labelsErrors(`${path}.labels`, labels),
    ...annotationsErrors(`${path}.annotations`, annotations),
  ]
}

/**
 * Errors for the pods of a workload, which must always restart and have no deadline. `owner` names
 * the workload.
 */
export function lastingErrors(
  path: string,
  template: PodTemplateSpec | undefined,
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

/** Warnings about names: the names and host names of pods begin with the name of their owner. */
export function podNameWarnings({ metadata: { name = '' } }: ApiObject): string[] {
  const problems = labelErrors(name)
  if (problems.length === 0) return []
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ]
}

type Warnings = Required<Pick<Strategy, 'warningsOnCreate' | 'warningsOnUpdate'>>

/**
 * Additional warnings: for new objects, before those of the template; for all objects, after them.
 */
interface OtherWarnings {
  before?: (object: ApiObject) => string[]
  after?: (object: ApiObject, isNew: boolean) => string[]
}

/**
 * Adds the warnings that the pods of a template would get, on creation and on changes of the spec. `path` leads to the
 * template. Source: seen on kube-apiserver 1.37.2.
 */
export function warnsOfTemplate(
  path: string,
  { before = () => [], after = () => [] }: OtherWarnings = {},
): Warnings {
  const own = (object: ApiObject) =>
    // Guaranteed by the schema.
    templateWarnings(path, valueAt(object, path) as PodTemplateSpec | undefined)
  return {
    warningsOnCreate: (object) => [...before(object), ...own(object), ...after(object, true)],
    warningsOnUpdate: (next, old) => [
      ...(isSame(next['spec'], old['spec']) ? [] : own(next)),
      ...after(next, false),
    ],
  }
}
