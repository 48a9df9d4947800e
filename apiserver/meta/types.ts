/** The object model every layer shares. Shapes are those of the wire.
 *  Source: Kubernetes API conventions, "Objects"; specification, "Object envelope" and "metadata". */

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  manager?: string
  operation?: string
  apiVersion?: string
  /** RFC 3339, UTC, whole seconds. */
  time?: string
  fieldsType?: string
  fieldsV1?: Record<string, unknown>
  subresource?: string
}

export interface ObjectMeta {
  name?: string
  generateName?: string
  namespace?: string
  selfLink?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  /** RFC 3339, UTC, whole seconds; so is deletionTimestamp. */
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  managedFields?: ManagedFieldsEntry[]
}

/** Any stored or served object. Objects that left a handler are never mutated: copy first. */
export interface ApiObject {
  kind: string
  apiVersion: string
  metadata: ObjectMeta
  [field: string]: unknown
}

export interface ListMeta {
  resourceVersion?: string
  continue?: string
  remainingItemCount?: number
}

export interface GroupVersion {
  /** Empty for the core group. */
  group: string
  version: string
}

export interface GroupVersionKind extends GroupVersion {
  kind: string
}

export interface GroupResource {
  group: string
  resource: string
}

/** `group/version`, or `version` alone in the core group. */
export function groupVersionString({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`
}

/** `name.group`, or `name` alone in the core group: how messages name resources and kinds. */
export function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`
}

export type Verb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** Who makes a request, as authentication found it and authorization sees it. */
export interface UserInfo {
  name: string
  uid: string
  groups: string[]
  extra: Record<string, string[]>
  /** What the user showed; absent for anonymous, impersonated and internal ones. Never shown to others. */
  credential?: Credential
}

/** What authenticated a request. */
export interface Credential {
  /** Name of the access key's object; absent for other tokens. */
  accessKey?: string
  /** What `spec.type` of that object says. */
  accessKeyType?: string
  /** Name of the User object that it stands for. */
  user?: string
  /** Name of the Team object that it stands for. */
  team?: string
  /** What it is narrowed to, as stored. Absent: no restriction. */
  scope?: Record<string, unknown>
  /** A token of a service account of the plane that the request came to: the plane's own roles say what it may do. */
  isServiceAccount?: true
}
