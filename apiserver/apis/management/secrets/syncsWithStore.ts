import { invalidField, notSupportedField, type FieldError } from '../../../meta/fieldErrors.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import { forbidden } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { groupResource, type ResourceDefinition } from '../../../registry/resource.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { withAnnotation } from '../annotations.ts'
import { StoreMarks } from './storeMarks.ts'

/**
 * Virtual resource for the right to sync with a location in the store: it has no objects, and names
 * are `<mount>/<path>`.
 */
const placesResource = 'secretstorepaths'

/**
 * Syncs objects of `resource` with the secret store location in their annotations. The platform's
 * own token gives access to the store, so naming a location requires the right to `use` it.
 */
export function syncsWithStore(
  resource: ResourceDefinition,
  names: NamesProfile,
  access: PlaneAccess,
): ResourceDefinition {
  return { ...resource, strategy: { ...resource.strategy, ...hooks(resource, names, access) } }
}

function hooks(resource: ResourceDefinition, names: NamesProfile, access: PlaneAccess): Strategy {
  const marks = new StoreMarks(names)
  const inner = resource.strategy
  return {
    authorizeWrite: async (next, old, context) => {
      await inner.authorizeWrite?.(next, old, context)
      const place = placeName(marks, next)
      if (place === undefined || place === (old && placeName(marks, old))) return
      await authorizePlace(place, { resource, names, access, next, context })
    },
    prepareForCreate: (object, context) => {
      inner.prepareForCreate?.(object, context)
      keepSynced(marks, object, undefined, context)
    },
    prepareForUpdate: (next, old, context) => {
      inner.prepareForUpdate?.(next, old, context)
      keepSynced(marks, next, old, context)
    },
    validate: (object, context) => [
      ...(inner.validate?.(object, context) ?? []),
      ...markErrors(marks, object),
    ],
    validateUpdate: (next, old, context) => [
      ...(inner.validateUpdate?.(next, old, context) ?? []),
      ...markErrors(marks, next),
    ],
  }
}

/** Keeps the record of the last sync, which only the server writes. */
function keepSynced(
  { syncedAnnotation }: StoreMarks,
  next: ApiObject,
  old: ApiObject | undefined,
  { isTrusted }: RequestContext,
): void {
  if (isTrusted === true) return
  const before = old?.metadata.annotations?.[syncedAnnotation]
  Object.assign(next, withAnnotation(next, syncedAnnotation, before))
}

/**
 * Validates the annotations; path segments are checked because `../../sys` would leave the engine.
 */
function markErrors(marks: StoreMarks, { metadata }: ApiObject): FieldError[] {
  const { annotations = {} } = metadata
  const version = annotations[marks.versionAnnotation] ?? 'kv2'
  const path = (name: string): string => `metadata.annotations[${name}]`
  const errors =
    version === 'kv2' ? [] : [notSupportedField(path(marks.versionAnnotation), version, ['kv2'])]
  for (const name of [marks.mountAnnotation, marks.pathAnnotation]) {
    const value = annotations[name] ?? ''
    const isGood = value.split('/').every((segment) => !['', '.', '..'].includes(segment))
    const why = "must consist of segments separated by '/', none of which may be empty, '.' or '..'"
    if (value !== '' && !isGood) errors.push(invalidField(path(name), value, why))
  }
  return errors
}

function placeName(marks: StoreMarks, object: ApiObject): string | undefined {
  const place = marks.place(object)
  return place && `${place.mount}/${place.path}`
}

interface PlaceRequest {
  resource: ResourceDefinition
  names: NamesProfile
  access: PlaneAccess
  next: ApiObject
  context: RequestContext
}

async function authorizePlace(place: string, request: PlaceRequest): Promise<void> {
  const { resource, names, access, next, context } = request
  const { name = '', namespace = '' } = next.metadata
  const { user } = context
  const group = managementGroup(names)
  const asked = { user, verb: 'use', isResource: true, group, version: 'v1', subresource: '' }
  const about = { resource: placesResource, namespace, name: place, path: '' }
  if ((await access.authorize({ ...asked, ...about })).allowed) return
  const why = `User ${goQuote(user.name)} cannot use resource ${goQuote(placesResource)} in API group ${goQuote(group)} in the namespace ${goQuote(namespace)}, so the object may not be synced with ${goQuote(place)}`
  throw forbidden(groupResource(resource), name, why)
}
