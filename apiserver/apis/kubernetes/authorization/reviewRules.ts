import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject, ObjectMeta } from '../../../meta/types.ts'
import { orderedMetadata } from '../../../registry/objectBytes.ts'
import type { SubjectAccessReviewSpec } from '../shapes/authorizationV1.ts'
import { reviewSelectorErrors } from './reviewSelectors.ts'

export function reviewSpecOf(object: ApiObject): SubjectAccessReviewSpec {
  // Guaranteed by the schema.
  return (object['spec'] as SubjectAccessReviewSpec | undefined) ?? {}
}

/**
 * Errors for a review of the caller. Source: reference 7.9; order seen on kube-apiserver 1.37.2.
 */
export function selfReviewErrors(object: ApiObject): FieldError[] {
  const spec = reviewSpecOf(object)
  return [...unionErrors(spec), ...selectorErrorsOf(spec), ...emptyMetadataErrors(object.metadata)]
}

/** Errors for a review of another user. Source: reference 7.9. */
export function subjectReviewErrors(object: ApiObject): FieldError[] {
  const spec = reviewSpecOf(object)
  return [...subjectSpecErrors(spec), ...emptyMetadataErrors(object.metadata)]
}

/**
 * Errors for a review of another user in one namespace, which must be that of the metadata. Source:
 * reference 7.9.
 */
export function localReviewErrors(object: ApiObject): FieldError[] {
  const spec = reviewSpecOf(object)
  const { namespace = '', ...rest } = object.metadata
  const errors = subjectSpecErrors(spec)
  if (Object.keys(withoutManagers(rest)).length > 0) {
    errors.push(
      invalidField(
        'metadata',
        shownMetadata(object.metadata),
        'must be empty except for namespace',
      ),
    )
  }
  const asked = spec.resourceAttributes
  if (asked !== undefined && (asked.namespace ?? '') !== namespace) {
    const path = 'spec.resourceAttributes.namespace'
    errors.push(invalidField(path, asked.namespace ?? '', 'must match metadata.namespace'))
  }
  if (spec.nonResourceAttributes !== undefined) {
    const shown = shownPath(spec.nonResourceAttributes)
    const why = 'disallowed on this kind of request'
    errors.push(invalidField('spec.nonResourceAttributes', shown, why))
  }
  return errors
}

function subjectSpecErrors(spec: SubjectAccessReviewSpec): FieldError[] {
  return [...unionErrors(spec), ...subjectErrors(spec), ...selectorErrorsOf(spec)]
}

/** Errors unless a review has exactly one of the two kinds of attributes. */
function unionErrors({
  resourceAttributes,
  nonResourceAttributes,
}: SubjectAccessReviewSpec): FieldError[] {
  if ((resourceAttributes === undefined) !== (nonResourceAttributes === undefined)) return []
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  const shown = nonResourceAttributes ? shownPath(nonResourceAttributes) : null
  return [invalidField('spec', shown, why)]
}

function selectorErrorsOf({ resourceAttributes = {} }: SubjectAccessReviewSpec): FieldError[] {
  const { fieldSelector, labelSelector } = resourceAttributes
  return [
    ...(fieldSelector ? reviewSelectorErrors('fieldSelector', fieldSelector) : []),
    ...(labelSelector ? reviewSelectorErrors('labelSelector', labelSelector) : []),
  ]
}

/**
 * Path as error messages show it: the internal type of the real server, whose fields have no JSON
 * names.
 */
function shownPath({ path = '', verb = '' }: { path?: string; verb?: string }) {
  return { Path: path, Verb: verb }
}

function subjectErrors({ user = '', groups = [] }: SubjectAccessReviewSpec): FieldError[] {
  if (user !== '' || groups.length > 0) return []
  return [invalidField('spec.user', user, 'at least one of user or group must be specified')]
}

function emptyMetadataErrors(metadata: ObjectMeta): FieldError[] {
  if (Object.keys(withoutManagers(metadata)).length === 0) return []
  return [invalidField('metadata', shownMetadata(metadata), 'must be empty')]
}

function shownMetadata(metadata: ObjectMeta): ObjectMeta {
  return orderedMetadata(metadata, metadata.resourceVersion)
}

function withoutManagers({ managedFields, ...rest }: ObjectMeta): ObjectMeta {
  return rest
}
