import { forbiddenField, invalidField, type FieldError } from '../../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { isSame, unchanged } from '../../../fieldChecks.ts'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../shapes/coreV1.ts'
import { compareQuantityStrings } from '../quantityRules.ts'

const fixedText =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

function specOf(object: ApiObject): PersistentVolumeClaimSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return (object as PersistentVolumeClaim).spec ?? {}
}

function annotationOf({ metadata }: ApiObject): string | undefined {
  return metadata.annotations?.[classAnnotation]
}

/**
 * Errors for a changed claim: it is bound only once, a claim without a class may get one, and the
 * size and the attributes class of a bound claim may change. Source: seen on kube-apiserver 1.37.2.
 */
export function claimChangeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [specOf(next), specOf(old)]
  const isUpgrade = replacesAnnotation(next, old)
  return [
    ...(isUpgrade || annotationOf(next) === annotationOf(old)
      ? []
      : [
          invalidField(
            `metadata.annotations[${classAnnotation}]`,
            annotationOf(next) ?? '',
            'field is immutable',
          ),
        ]),
    ...(isSame(comparable(next, old), before) ? [] : [forbiddenField('spec', fixedText)]),
    ...sizeErrors(next, old),
    // Path as in kube-apiserver.
    ...unchanged('volumeMode', after.volumeMode, before.volumeMode),
    ...classErrors(after, old),
  ]
}

/** Reports whether the class moves from the deprecated annotation to its field. */
function replacesAnnotation(next: ApiObject, old: ApiObject): boolean {
  const { storageClassName } = specOf(next)
  const before = annotationOf(old)
  const given = annotationOf(next)
  if (before === undefined || specOf(old).storageClassName !== undefined) return false
  return storageClassName === before && (given === undefined || given === before)
}

/** The new spec with the old values of its mutable fields. */
function comparable(next: ApiObject, old: ApiObject): PersistentVolumeClaimSpec {
  const [after, before] = [specOf(next), specOf(old)]
  const spec: PersistentVolumeClaimSpec = { ...after }
  if ((before.volumeName ?? '') === '') put(spec, 'volumeName', before.volumeName)
  if (before.storageClassName === undefined && mayGiveClass(next, old)) delete spec.storageClassName
  if ((old as PersistentVolumeClaim).status?.phase !== 'Bound') return spec
  const size = before.resources?.requests?.['storage']
  const { requests } = after.resources ?? {}
  if (requests !== undefined && size !== undefined) {
    spec.resources = { ...after.resources, requests: { ...requests, storage: size } }
  }
  put(spec, 'volumeAttributesClassName', before.volumeAttributesClassName)
  return spec
}

function mayGiveClass(next: ApiObject, old: ApiObject): boolean {
  const annotation = annotationOf(old)
  return annotation === undefined || specOf(next).storageClassName === annotation
}

function put<F extends 'volumeName' | 'volumeAttributesClassName'>(
  spec: PersistentVolumeClaimSpec,
  field: F,
  value: PersistentVolumeClaimSpec[F],
): void {
  if (value === undefined) Reflect.deleteProperty(spec, field)
  else spec[field] = value
}

/** Errors for the size: a claim may reduce a failed expansion, but not below its capacity. */
function sizeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const sizeOf = (object: ApiObject) => specOf(object).resources?.requests?.['storage'] ?? '0'
  const had = (old as PersistentVolumeClaim).status?.capacity?.['storage'] ?? '0'
  const isTooSmall =
    compareQuantityStrings(sizeOf(next), sizeOf(old)) < 0 &&
    compareQuantityStrings(sizeOf(next), had) <= 0
  const detail = 'field can not be less than status.capacity'
  return isTooSmall ? [forbiddenField('spec.resources.requests.storage', detail)] : []
}

/** Errors for the attributes class, which can be replaced once applied, but not removed. */
function classErrors(
  { volumeAttributesClassName: next }: PersistentVolumeClaimSpec,
  old: ApiObject,
): FieldError[] {
  if (next === specOf(old).volumeAttributesClassName) return []
  if ((old as PersistentVolumeClaim).status?.currentVolumeAttributesClassName === undefined)
    return []
  if (next !== undefined && next !== '') return []
  const what = next === undefined ? 'nil' : 'empty string'
  const detail = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`
  return [forbiddenField('spec.volumeAttributesClassName', detail)]
}
