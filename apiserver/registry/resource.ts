import type { Schema } from '../meta/schema.ts'
import type { ApiObject, GroupResource, Verb } from '../meta/types.ts'
import type { Answers } from './answers.ts'
import type { RequestContext, Strategy } from './strategy.ts'

/** A kind as data. The router, discovery, OpenAPI, tables and validation are all made from this literal; nothing
 *  outside `apis/` tests for a kind. */
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
  /** What is served, in any order. `watch` needs `list`. */
  verbs: readonly Verb[]
  /** The whole object; `metadata` stands in `properties` without a schema of its own (it is the shared ObjectMeta).
   *  Its `definition` names the kind in OpenAPI, `com.example.v1.Widget`. */
  schema: Schema
  strategy: Strategy
  /** Columns of a Table. Default: Name and Created At. */
  columns?: readonly Column[]
  /** Conditions of an object's row in a table. Default: none. */
  rowConditions?: (object: ApiObject) => readonly RowCondition[] | undefined
  /** Field selector paths beside metadata.name and metadata.namespace, each with its value in an object. */
  selectableFields?: Readonly<Record<string, (object: ApiObject) => string>>
  /** `metadata.namespace` is a path too, whether or not objects have one. Default true. */
  isNamespaceSelectable?: boolean
  /** What is answered to a selector with another path. Default: that it is not a known field selector. */
  refusedField?: (path: string) => string
  subresources?: readonly SubresourceDefinition[]
  /** Media types of PATCH. Default: JSON patch, merge patch and apply. */
  patchTypes?: readonly string[]
  /** Objects are those of another version, stored in its form. */
  storedAs?: StoredForm
  /** The version that the storage version hash names. Default: the one that is stored. */
  storageVersion?: string
  /** No store stands behind the resource: these answer. */
  answers?: Answers
  /** Versions of the group that a body may name in the place of this one, and mean the same. Default: none. */
  bodyVersions?: readonly string[]
  /** Other path segments that mean this resource; no document names them. */
  aliases?: readonly string[]
  /** The rules of custom kinds hold: what a client left out of spec and status stays away, lists carry the type of each
   *  item, what an update leaves as it was is not checked again. */
  isCustom?: boolean
  /** How heavy a body may be, as `jsonShape` weighs it. Default: what is enough for all but schemas. */
  maxWeight?: number
  /** A warning that every request is answered with. */
  deprecationWarning?: string
  /** Everybody may list and watch them, and whoever lacks the right to list all is shown the objects that it may `get`.
   *  Default false: both need the right. */
  visible?: boolean
  /** What a read with `extended=true` shows of an object: a changed copy. */
  extend?: (object: ApiObject, context: RequestContext) => ApiObject | Promise<ApiObject>
}

/** How the objects of a version are stored as those of another. */
export interface StoredForm {
  /** The version that is stored; its keys are used. */
  resource: ResourceDefinition
  /** Each gives an object of the other version, and may share parts of its argument. */
  toStored(object: ApiObject): ApiObject
  fromStored(object: ApiObject): ApiObject
}

export type SubresourceDefinition = ParentSubresource | AnsweredSubresource

/** A subresource that reads and writes the object of its parent through a strategy of its own (status, finalize). */
export interface ParentSubresource {
  /** The path segment after the object's name. */
  name: string
  verbs: readonly ('get' | 'update' | 'patch')[]
  strategy: Strategy
  /** The only fields of the object that it writes, as paths of fieldsV1: whoever writes through it owns no others. `*`
   *  stands for every element of a list. Absent: all that its endpoint does not reset. */
  fields?: readonly (readonly string[])[]
}

/** A subresource that speaks another kind, and that no store stands behind (scale, kubeconfig). */
export interface AnsweredSubresource {
  name: string
  verbs: readonly ('get' | 'create' | 'update' | 'patch')[]
  /** The kind of its bodies, with `answers`. */
  resource: ResourceDefinition
  /** Set if it answers with bytes and not with an object of its kind. */
  stream?: StreamedSubresource
}

/** How OpenAPI publishes a subresource that answers with bytes. */
export interface StreamedSubresource {
  /** True if the connection is upgraded, or passed on: every verb is published as `connect`. False for a log. */
  connects: boolean
  /** Its own query parameters. */
  parameters: readonly QueryParameter[]
}

export interface QueryParameter {
  name: string
  type: 'string' | 'integer' | 'boolean'
  description: string
}

/** The strategy of a subresource that writes its parent; undefined: there is no such. */
export function subresourceStrategy(
  { subresources }: ResourceDefinition,
  name: string,
): Strategy | undefined {
  const found = subresources?.find((subresource) => subresource.name === name)
  return found === undefined || 'resource' in found ? undefined : found.strategy
}

/** The kind that the bodies of a subresource have. */
export function kindOfSubresource(
  parent: ResourceDefinition,
  sub: SubresourceDefinition,
): ResourceDefinition {
  return 'resource' in sub ? sub.resource : parent
}

/** What clients may read from a row without its columns. Source: Kubernetes API reference, TableRowCondition. */
export interface RowCondition {
  type: 'Completed'
  status: 'True' | 'False' | 'Unknown'
  reason: string
  message: string
}

/** A column of a Table answer. Source: Kubernetes API concepts, "Receiving resources as Tables". */
export interface Column {
  name: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  /** `name` marks the name column. */
  format?: string
  description: string
  /** Above 0: shown with `-o wide` only. */
  priority?: number
  /** The cell. null prints nothing. `nowMs` is for ages. */
  cell: (object: ApiObject, nowMs: number) => string | number | bigint | boolean | null
}

export const jsonPatchType = 'application/json-patch+json'
export const mergePatchType = 'application/merge-patch+json'
export const strategicMergePatchType = 'application/strategic-merge-patch+json'
export const applyPatchType = 'application/apply-patch+yaml'

/** The patches that kinds of the built-in groups take. Source: reference 3.9. */
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

/** The kind that errors about an object name: the one that it is stored as. */
export function storedKind(resource: ResourceDefinition): ResourceDefinition {
  return resource.storedAs?.resource ?? resource
}
