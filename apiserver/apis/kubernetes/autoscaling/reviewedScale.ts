import { isObject } from '../../../meta/json/isObject.ts'
import type { ApiObject, ManagedFieldsEntry } from '../../../meta/types.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'

/** Write of a parent through its scale. */
export interface ScaleWrite {
  /** The parent before the write. */
  old: ApiObject
  scaleOf: (parent: ApiObject) => ApiObject
  /** Path of the count in fieldsV1 of the parent: `['f:spec', 'f:replicas']`. */
  countPath: readonly string[]
}

/**
 * Scale sent by a client, after mutating reviews. Reviewers see the managers of the count as
 * managers of the scale. Source: seen on kube-apiserver 1.37.2.
 */
export async function mutatedScale(
  scale: ApiObject,
  { old, scaleOf, countPath }: ScaleWrite,
  { admission }: AnswerRequest,
): Promise<ApiObject> {
  if (admission === undefined) return scale
  const oldScale = withManagers(scaleOf(old), old, countPath)
  return admission.mutated(admission.managed(scale, oldScale), oldScale)
}

/** The same for an applied parent, which already has its managers. */
export async function mutatedByApply(
  applied: ApiObject,
  { old, scaleOf, countPath }: ScaleWrite,
  { admission }: AnswerRequest,
): Promise<ApiObject> {
  const scale = scaleOf(applied)
  if (admission === undefined) return scale
  const managed = (parent: ApiObject) => withManagers(scaleOf(parent), parent, countPath)
  return admission.mutated(managed(applied), managed(old))
}

/**
 * Passes both scales to validating reviewers, unless the write is refused because the parent has
 * changed. @throws StatusError.
 */
export async function validateScale(
  next: ApiObject,
  { old, scaleOf }: ScaleWrite,
  { admission }: AnswerRequest,
): Promise<ApiObject> {
  const isCurrent = next.metadata.resourceVersion === old.metadata.resourceVersion
  if (admission !== undefined && isCurrent) await admission.validated(scaleOf(next), scaleOf(old))
  return next
}

/** The scale with the managers of its count. */
function withManagers(
  scale: ApiObject,
  { metadata: { managedFields = [] } }: ApiObject,
  countPath: readonly string[],
): ApiObject {
  const owners = managedFields.filter(({ fieldsV1 }) => hasPath(fieldsV1, countPath))
  if (owners.length === 0) return scale
  const ofScale = owners.map((entry): ManagedFieldsEntry => ({
    ...entry,
    apiVersion: 'autoscaling/v1',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  }))
  return { ...scale, metadata: { ...scale.metadata, managedFields: ofScale } }
}

/** Reports whether fieldsV1 contains a path. */
export function hasPath(fieldsV1: unknown, path: readonly string[]): boolean {
  let at = fieldsV1
  for (const name of path) at = isObject(at) ? at[name] : undefined
  return at !== undefined
}
