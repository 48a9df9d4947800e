import { type ObjectForm } from './objectForm.ts'
import type { FieldError } from '../meta/fieldErrors.ts'
import type { JsonSchemaProps } from '../meta/jsonSchemaProps.ts'
import type { Schema } from '../meta/schema.ts'
import type { ApiObject, GroupResource, ObjectMeta, Verb } from '../meta/types.ts'
import type { Answers } from './answers.ts'
import type { RequestContext, Strategy } from './strategy.ts'
import type { Visits } from './visits.ts'
import type { RemoteConversion } from './versions/remoteConversion.ts'

/**
 * A kind as data. Router, discovery, OpenAPI, tables and validation are derived from it; no code outside `apis/` checks
 * for a specific kind.
 */
export interface ResourceDefinition {
  /** Empty for the core group. */
  group: string
  version: string
  /** The path segment, lower case. */
  plural: string
  singular: string
  kind: string
  /** Default `<kind>List`. */
  listKind?: string
  namespaced: boolean
  shortNames?: readonly string[]
  categories?: readonly string[]
  /** Served verbs, in any order. `watch` needs `list`. */
  verbs: readonly Verb[]
  /**
   * Schema of the whole object; `metadata` is in `properties` without its own schema (it is the shared ObjectMeta).
   * `definition` names the kind in OpenAPI, `com.example.v1.Widget`.
   */
  schema: Schema
  strategy: Strategy
  /** Columns of a Table. Default: Name and Created At. */
  columns?: readonly Column[]
  /** Reason why the object cannot be converted to the internal version of kube-apiserver; undefined: it can. Default: it can. */
  conversionProblem?: (body: Readonly<Record<string, unknown>>) => string | undefined
  /**
   * The metadata of an object in responses that contain only metadata. Default: that of the object.
   */
  internalMetadata?: (object: ApiObject) => ObjectMeta
  /** Conditions of an object's row in a table. Default: none. */
  rowConditions?: (object: ApiObject) => readonly RowCondition[] | undefined
  /** Field selector paths besides metadata.name and metadata.namespace, with functions that compute their values. */
  selectableFields?: Readonly<Record<string, (object: ApiObject) => string>>
  /** True if `metadata.namespace` is selectable, whether or not objects have one. Default true. */
  isNamespaceSelectable?: boolean
  /** The message for an unknown selector path. Default: that it is not a known field selector. */
  refusedField?: (path: string) => string
  /** Schema of a custom kind as written in its definition, its selectable fields, and whether its schema has rules. */
  declared?: { schema: JsonSchemaProps; selectable: readonly string[]; hasRules: boolean }
  /** Error of a body that cannot be decoded; undefined: none. Default: none. */
  malformedPart?: (body: Readonly<Record<string, unknown>>) => FieldError | undefined
  subresources?: readonly SubresourceDefinition[]
  /** Fields that writers of the whole object do not own, as paths of fieldsV1. Default: the status, if it is reset. */
  resets?: readonly (readonly string[])[]
  /** Media types of PATCH. Default: JSON patch, merge patch and apply. */
  patchTypes?: readonly string[]
  /** Set if objects are stored in the form of another version. */
  storedAs?: StoredForm
  /**
   * Kind of the same objects in stored form, for work on metadata only: nothing is converted. Default: this resource.
   */
  unconverted?: ResourceDefinition
  /** Version in the storage version hash. Default: the stored one. */
  storageVersion?: string
  /** Handlers of a resource without a store. */
  answers?: Answers
  /** Other versions of the group that a body may specify with the same meaning. Default: none. */
  bodyVersions?: readonly string[]
  /** Other path segments of this resource; not documented. */
  aliases?: readonly string[]
  /** Form of the objects. Default: that of built-in kinds. */
  form?: ObjectForm
  /** Maximum weight of a body, as computed by `jsonShape`. Default: enough for all kinds except schemas. */
  maxWeight?: number
  /** A warning sent with every response. */
  deprecationWarning?: string
  /**
   * True if every user may list and watch the kind: without the right to list all, a user sees the objects that it may
   * `get`. Default false: both need the right.
   */
  visible?: boolean
  /** Computes the object shown by a read with `extended=true`: a changed copy. */
  extend?: (object: ApiObject, context: RequestContext) => ApiObject | Promise<ApiObject>
}

/** The conversion of a version to the stored version. */
export interface StoredForm {
  /** The stored version, which determines the keys. */
  resource: ResourceDefinition
  /** Returns an object of the other version, which may share parts with its argument. */
  toStored(object: ApiObject): ApiObject
  fromStored(object: ApiObject): ApiObject
  /**
   * Set if another program converts: the functions above then only prepare an object in its current
   * version.
   */
  remote?: RemoteConversion
}

export type SubresourceDefinition = ParentSubresource | AnsweredSubresource

/** A subresource that reads and writes the object of its parent through its own strategy (status, finalize). */
export interface ParentSubresource {
  /** The path segment after the object's name. */
  name: string
  verbs: readonly ('get' | 'update' | 'patch')[]
  strategy: Strategy
  /**
   * Only fields of the object that it writes, as paths of fieldsV1: managers own no others through it. `*` matches
   * every element of a list. Absent: all fields that its endpoint does not reset.
   */
  fields?: readonly (readonly string[])[]
  /** Other fields that this subresource leaves unchanged, as paths of fieldsV1: writers through it do not own them. */
  resets?: readonly (readonly string[])[]
}

/** A subresource with another kind and without a store (scale, kubeconfig). */
export interface AnsweredSubresource {
  name: string
  verbs: readonly ('get' | 'create' | 'update' | 'patch' | 'delete')[]
  /** The kind of its bodies, with handlers in `answers`. */
  resource: ResourceDefinition
  /** Set if the response consists of bytes rather than an object of the kind. */
  stream?: StreamedSubresource
}

/** Subresource with a response that OpenAPI publishes as bytes. */
export interface StreamedSubresource {
  /** True if the connection is upgraded, or forwarded: every verb is published as `connect`. False for a log. */
  connects: boolean
  /** Query parameters of the subresource. */
  parameters: readonly QueryParameter[]
}

export interface QueryParameter {
  name: string
  type: 'string' | 'integer' | 'boolean'
  description: string
}

/** Reports whether a subresource passes every request on to another server, with the rest of its path. */
export function passesOn(subresource: SubresourceDefinition | undefined): boolean {
  return (
    subresource !== undefined &&
    'resource' in subresource &&
    subresource.resource.answers?.proxy !== undefined
  )
}

/** Strategy of a subresource that writes its parent; undefined: no such subresource. */
export function subresourceStrategy(
  { subresources }: ResourceDefinition,
  name: string,
): Strategy | undefined {
  const found = subresources?.find((subresource) => subresource.name === name)
  return found === undefined || 'resource' in found ? undefined : found.strategy
}

/** The kind of a subresource's bodies. */
export function kindOfSubresource(
  parent: ResourceDefinition,
  sub: SubresourceDefinition,
): ResourceDefinition {
  return 'resource' in sub ? sub.resource : parent
}

/**
 * Condition of a row that clients can read without its columns.
 * Source: Kubernetes API reference, TableRowCondition.
 */
export interface RowCondition {
  type: 'Completed'
  status: 'True' | 'False' | 'Unknown'
  reason: string
  message: string
}

/** Column of a Table. Source: Kubernetes API concepts, "Receiving resources as Tables". */
export interface Column {
  name: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  /** `name` marks the name column. */
  format?: string
  description: string
  /** Above 0: only shown with `-o wide`. */
  priority?: number
  /** True for cells without a column definition, at the end of rows. Default false. */
  isUndefined?: boolean
  /**
   * Computes the cell; null is shown as empty. `nowMs` is for ages; `visits`: remaining visits of
   * the row.
   */
  cell: (
    object: ApiObject,
    nowMs: number,
    visits?: Visits,
  ) => string | number | bigint | boolean | null
}

export const jsonPatchType = 'application/json-patch+json'
export const mergePatchType = 'application/merge-patch+json'
export const strategicMergePatchType = 'application/strategic-merge-patch+json'
export const applyPatchType = 'application/apply-patch+yaml'

/** Patch types of built-in kinds. Source: reference 3.9. */
export const builtInPatchTypes: readonly string[] = [
  jsonPatchType,
  mergePatchType,
  strategicMergePatchType,
  applyPatchType,
]

const defaultPatchTypes = [jsonPatchType, mergePatchType, applyPatchType] as const

export function patchTypesOf(resource: ResourceDefinition): readonly string[] {
  return resource.patchTypes ?? defaultPatchTypes
}

/** The values of the resource's own selectable fields, by path. */
export function selectableValues(
  { selectableFields = {} }: ResourceDefinition,
  object: ApiObject,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(selectableFields).map(([path, valueOf]) => [path, valueOf(object)]),
  )
}

export function groupResource({ group, plural }: ResourceDefinition): GroupResource {
  return { group, resource: plural }
}

export function listKindOf(resource: ResourceDefinition): string {
  return resource.listKind ?? `${resource.kind}List`
}

/** The kind named in errors about an object: the stored one. */
export function storedKind(resource: ResourceDefinition): ResourceDefinition {
  return resource.storedAs?.resource ?? resource
}
