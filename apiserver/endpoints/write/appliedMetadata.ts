import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { sortedMembers } from '../../meta/json/sortedMembers.ts'
import { readMoment } from '../../meta/moment.ts'
import { objectMetaSchema } from '../../meta/objectMetaSchema.ts'
import type { ApiObject } from '../../meta/types.ts'
import { formOf } from '../../registry/objectForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { raiseGeneration } from '../../registry/write/beforeUpdate.ts'
import { goTypeErrors } from '../body/goTypeErrors.ts'
import { unstructuredVoice } from '../body/goVoices.ts'
import { wrappedIntegers } from '../body/wrappedIntegers.ts'

/**
 * First malformed value of the managers in an applied object of a built-in kind; well-formed ones are refused before.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function malformedManagers(
  { metadata: { managedFields } }: ApiObject,
  resource: ResourceDefinition,
): string | undefined {
  if (managedFields === undefined || !formOf(resource).isDecoded) return undefined
  return goTypeErrors({ managedFields }, objectMetaSchema, unstructuredVoice).why
}

/**
 * Gives the metadata of an applied custom object its types. Malformed values of fields that the server sets are dropped;
 * a new object has no time of deletion. Other values that do not fit are dropped, too, and returned as one error on the
 * whole metadata. Source: seen on kube-apiserver 1.37.2.
 */
export function fitMetadata(
  merged: ApiObject,
  old: ApiObject | undefined,
  resource: ResourceDefinition,
): readonly FieldError[] {
  if (formOf(resource).isDecoded) return []
  const { metadata } = merged
  // Sound for what follows: values of another type are dropped.
  const { creationTimestamp: time, generation } = metadata as Partial<Record<string, unknown>>
  if (typeof time !== 'string' || readMoment(time) === undefined) delete metadata.creationTimestamp
  if (typeof generation === 'number' && !Number.isInteger(generation)) delete metadata.generation
  if (old === undefined) {
    delete metadata.deletionTimestamp
    delete metadata.deletionGracePeriodSeconds
    return []
  }
  const { why, wraps } = goTypeErrors(metadata, objectMetaSchema, unstructuredVoice)
  if (why !== undefined) {
    metadata.generation = old.metadata.generation ?? 1
    metadata.uid ??= old.metadata.uid ?? ''
    raiseGeneration(merged, old, resource.strategy)
    const error = invalidField('metadata', sortedMembers(metadata), why)
    merged.metadata = fittingMembers(metadata)
    return [error]
  }
  if (wraps === true)
    merged.metadata = wrappedIntegers(metadata, objectMetaSchema) as ApiObject['metadata']
  return []
}

function fittingMembers(metadata: ApiObject['metadata']): ApiObject['metadata'] {
  const isFitting = ([name, value]: [string, unknown]) =>
    goTypeErrors({ [name]: value }, objectMetaSchema, unstructuredVoice).why === undefined
  return Object.fromEntries(Object.entries(metadata).filter(isFitting))
}
