import type { Schema } from '../../meta/schema.ts'
import type { ApiObject, GroupVersionKind } from '../../meta/types.ts'
import type { FieldSet } from './fields/fieldSet.ts'

/** What field management needs to know of a resource and a request. */
export interface ApplyContext extends GroupVersionKind {
  /** Of the whole object, metadata included. What is made of it is kept by identity: pass the same object each time. */
  schema: Schema
  /** RFC 3339, UTC, whole seconds: the time of entries that change. */
  now: string
  /** The subresource that is written through, as `status`; absent for the main resource. */
  subresource?: string
  /** Fields that this endpoint resets, each with all below it: nobody comes to own them by it.
   *  Source: apiserver, "ResetFieldsStrategy". */
  resetFields?: FieldSet
  /** The only fields that this endpoint writes: leaves stand for all below them. Absent: all fields. */
  onlyFields?: FieldSet
  /** The object before it has any content, where that is more than kind and apiVersion. Go types hold structs that are
   *  never absent (`spec`, `status`): who creates such an object owns what is in them, and not the structs themselves. */
  emptyObject?: ApiObject
  /** The object in another version of its kind; undefined: there is no such version, and entries in it are dropped.
   *  Absent: the kind has one version. */
  convert?: (object: ApiObject, apiVersion: string) => VersionedObject | undefined
}

export interface VersionedObject {
  object: ApiObject
  schema: Schema
}
