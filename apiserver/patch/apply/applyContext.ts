import type { Schema } from '../../meta/schema.ts'
import type { ApiObject, GroupVersionKind } from '../../meta/types.ts'
import type { FieldSet } from './fields/fieldSet.ts'

/** Properties of a resource and a request that field management needs. */
export interface ApplyContext extends GroupVersionKind {
  /**
   * Schema of the whole object, including metadata. Derived data is cached by identity: pass the same object each time.
   */
  schema: Schema
  /** Time of changed entries: RFC 3339, UTC, whole seconds. */
  now: string
  /** The written subresource, such as `status`; absent for the main resource. */
  subresource?: string
  /**
   * Fields that this endpoint resets, including everything below: a write through it never makes a manager their owner.
   * Source: apiserver, "ResetFieldsStrategy".
   */
  resetFields?: FieldSet
  /** The only fields that this endpoint writes: leaves include everything below. Absent: all fields. */
  onlyFields?: FieldSet
  /**
   * The object before it has any content, if it is more than kind and apiVersion. Go types have structs that are never
   * absent (`spec`, `status`): the creator of such an object owns their fields, but not the structs themselves.
   */
  emptyObject?: ApiObject
  /**
   * Converts the object to another version of its kind; undefined: there is no such version, and its entries are
   * dropped. Absent: the kind has one version.
   */
  convert?: (object: ApiObject, apiVersion: string) => VersionedObject | undefined
}

export interface VersionedObject {
  object: ApiObject
  schema: Schema
}
