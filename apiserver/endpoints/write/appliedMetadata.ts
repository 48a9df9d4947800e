import { invalidField } from '../../meta/fieldErrors.ts'
import { sortedMembers } from '../../meta/json/sortedMembers.ts'
import { readMoment } from '../../meta/moment.ts'
import { objectMetaSchema } from '../../meta/objectMetaSchema.ts'
import { invalid } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { formOf } from '../../registry/objectForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { raiseGeneration } from '../../registry/write/beforeUpdate.ts'
import { goTypeErrors } from '../body/goTypeErrors.ts'
import { unstructuredVoice } from '../body/goVoices.ts'
import { wrappedIntegers } from '../body/wrappedIntegers.ts'

/**
 * Gives the metadata of an applied custom object its types. Malformed values of fields that the server sets are dropped;
 * a new object has no time of deletion. Other values that do not fit are one error on the whole metadata.
 * @throws StatusError Invalid. Source: seen on kube-apiserver 1.37.2.
 */
export function fitMetadata(
  merged: ApiObject,
  old: ApiObject | undefined,
  resource: ResourceDefinition,
): void {
  if (formOf(resource).isDecoded) return
  const { metadata } = merged
  // Sound for what follows: values of another type are dropped.
  const { creationTimestamp: time, generation } = metadata as Partial<Record<string, unknown>>
  if (typeof time !== 'string' || readMoment(time) === undefined) delete metadata.creationTimestamp
  if (typeof generation === 'number' && !Number.isInteger(generation)) delete metadata.generation
  if (old === undefined) {
    delete metadata.deletionTimestamp
    delete metadata.deletionGracePeriodSeconds
    return
  }
  const { why, wraps } = goTypeErrors(metadata, objectMetaSchema, unstructuredVoice)
  if (why !== undefined) {
    raiseGeneration(merged, old, resource.strategy)
    const error = invalidField('metadata', sortedMembers(metadata), why)
    throw invalid(resource, metadata.name ?? '', [error])
  }
  if (wraps === true)
    merged.metadata = wrappedIntegers(metadata, objectMetaSchema) as ApiObject['metadata']
}
