import { formatTime, type Clock } from '../../meta/clock.ts'
import type { Steps } from '../../meta/waiting/steps.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ApplyContext, VersionedObject } from '../../patch/apply/applyContext.ts'
import { applyInSteps, applyObject } from '../../patch/apply/applyObject.ts'
import { fieldSetOf } from '../../patch/apply/fields/fieldSet.ts'
import {
  managedFieldsInSteps,
  updateManagedFields,
} from '../../patch/apply/managers/updateManagedFields.ts'
import { resetsStatus } from '../../registry/write/beforeCreate.ts'
import { objectSchema } from '../../registry/schema/canonicalForm.ts'
import { convertedObject } from '../../registry/versions/convertedObject.ts'
import type { ParentSubresource, ResourceDefinition } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import { emptyObjectOf } from './emptyObject.ts'
import type { Target } from '../target.ts'
import type { WriteOptions } from './writeOptions.ts'

/** Managed fields, recorded with each write of a client. Source: reference 3.11 – 3.13. */
export interface FieldManagement {
  /**
   * Returns `next` with its managers after this write. `live` undefined: a new object; `sent`: includes fields that are
   * not stored. Changes no argument.
   */
  updated(live: ApiObject | undefined, next: ApiObject, sent?: ApiObject): ApiObject
  updatedInSteps(live: ApiObject | undefined, next: ApiObject, sent?: ApiObject): Steps<ApiObject>
  /** Applies a configuration to `live`. @throws StatusError. */
  applied(live: ApiObject | undefined, config: ApiObject): ApiObject
  appliedInSteps(live: ApiObject | undefined, config: ApiObject): Steps<ApiObject>
}

const statusFields = fieldSetOf(['f:status'])
const specPath = ['f:spec']
const specFields = fieldSetOf(specPath)

/** The written resource and subresource. */
export interface ManagedTarget extends Pick<Target, 'resource'> {
  /** The store of the resource; only its clock is used. */
  store: { options: { clock: Pick<Clock, 'now'> } }
  subresource: Pick<ParentSubresource, 'name' | 'fields' | 'resets'> | undefined
  /**
   * The only fields that the subresource writes, as paths of fieldsV1. Absent: the fields in its
   * definition.
   */
  only?: readonly (readonly string[])[]
}

export function fieldManagement(
  { resource, store, subresource, only = subresource?.fields }: ManagedTarget,
  { fieldManager: manager, force }: WriteOptions,
  resources: Pick<ResourceSet, 'get'>,
): FieldManagement {
  const { group, version, kind, schema } = resource
  const resetFields = resetFieldsOf(resource, subresource)
  const context: ApplyContext = {
    group,
    version,
    kind,
    schema: objectSchema(schema),
    now: formatTime(store.options.clock.now()),
    emptyObject: emptyObjectOf(resource),
    convert: (object, apiVersion) => inVersion(object, apiVersion, { resource, resources }),
  }
  // Every create runs this code; spreading conditional parts would cost more than everything else.
  if (subresource !== undefined) context.subresource = subresource.name
  if (resetFields !== undefined) context.resetFields = resetFields
  if (only !== undefined) context.onlyFields = fieldSetOf(...only)
  return new Management({ manager, force }, context)
}

/** A class, since creating closures and generator functions for each request would cost more than everything else. */
class Management implements FieldManagement {
  readonly #options: { manager: string; force: boolean }
  readonly #context: ApplyContext

  constructor(options: { manager: string; force: boolean }, context: ApplyContext) {
    this.#options = options
    this.#context = context
  }

  updated(live: ApiObject | undefined, next: ApiObject, sent?: ApiObject): ApiObject {
    const { manager } = this.#options
    const written = asSent(next, sent)
    return stored(next, updateManagedFields(live, written, manager, this.#context), sent)
  }

  *updatedInSteps(
    live: ApiObject | undefined,
    next: ApiObject,
    sent?: ApiObject,
  ): Steps<ApiObject> {
    const { manager } = this.#options
    const written = asSent(next, sent)
    return stored(next, yield* managedFieldsInSteps(live, written, manager, this.#context), sent)
  }

  applied(live: ApiObject | undefined, config: ApiObject): ApiObject {
    return applyObject(live, config, this.#options, this.#context)
  }

  appliedInSteps(live: ApiObject | undefined, config: ApiObject): Steps<ApiObject> {
    return applyInSteps(live, config, this.#options, this.#context)
  }
}

/** Object as the client wrote it, with the server's metadata. Fields that an older version lacks are in annotations. */
function asSent(next: ApiObject, sent: ApiObject | undefined): ApiObject {
  if (sent === undefined) return next
  const { annotations: _own, ...metadata } = next.metadata
  const { annotations = {} } = sent.metadata
  return { ...sent, metadata: withoutEmpty({ ...metadata, annotations }) }
}

const collections = ['annotations', 'labels', 'ownerReferences', 'finalizers'] as const

/** Metadata without empty maps and lists, which have no owner. */
function withoutEmpty(metadata: ApiObject['metadata']): ApiObject['metadata'] {
  for (const name of collections) {
    const value = metadata[name]
    if (value !== undefined && Object.keys(value).length === 0) delete metadata[name]
  }
  return metadata
}

/** Object as stored, with the managers of the fields that the client wrote. */
function stored(next: ApiObject, managed: ApiObject, sent: ApiObject | undefined): ApiObject {
  if (sent === undefined) return managed
  const { managedFields: _sent, ...metadata } = next.metadata
  const { managedFields } = managed.metadata
  return {
    ...next,
    metadata: managedFields === undefined ? metadata : { ...metadata, managedFields },
  }
}

/** Object in another version of its kind, since each entry refers to its manager's version. */
function inVersion(
  object: ApiObject,
  apiVersion: string,
  { resource: { group, plural }, resources }: Versions,
): VersionedObject | undefined {
  const find = (name: string): ResourceDefinition | undefined => {
    const [version = '', ofGroup = ''] = name.split('/').reverse()
    return ofGroup === group ? resources.get({ group, version }, plural) : undefined
  }
  const [from, to] = [find(object.apiVersion), find(apiVersion)]
  if (from === undefined || to === undefined) return undefined
  return { object: convertedObject(object, from, to), schema: objectSchema(to.schema) }
}

interface Versions {
  resource: ResourceDefinition
  resources: Pick<ResourceSet, 'get'>
}

/** Fields that are not owned through this endpoint because another one writes them. */
function resetFieldsOf(resource: ResourceDefinition, subresource: ManagedTarget['subresource']) {
  if (subresource?.resets !== undefined) return fieldSetOf(specPath, ...subresource.resets)
  if (subresource?.name === 'status') return specFields
  if (resource.resets !== undefined) return fieldSetOf(...resource.resets)
  return resetsStatus(resource) ? statusFields : undefined
}
