/**
 * The object model shared by all layers, in the shape of the wire.
 * Source: Kubernetes API conventions, "Objects"; specification, "Object envelope" and "metadata".
 */

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
  /** RFC 3339, UTC, whole seconds; the same holds for deletionTimestamp. */
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  managedFields?: ManagedFieldsEntry[]
}

/** Any stored or served object. Objects that have left a handler are immutable: copy them first. */
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

/** `name.group`, or `name` alone in the core group: the form of resources and kinds in messages. */
export function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`
}

export type Verb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** The user of a request, as established by authentication and seen by authorization. */
export interface UserInfo {
  name: string
  uid: string
  groups: string[]
  extra: Record<string, string[]>
  /**
   * The credential of the user; absent for anonymous, impersonated and internal users. Never shown
   * to others.
   */
  credential?: Credential
}

/** The credential that authenticated a request. */
export interface Credential {
  /** Name of the access key's object; absent for other tokens. */
  accessKey?: string
  /** `spec.type` of that object. */
  accessKeyType?: string
  /** Name of the User object it belongs to. */
  user?: string
  /** Name of the Team object it belongs to. */
  team?: string
  /** The scope as stored. Absent: unrestricted. */
  scope?: Record<string, unknown>
  /**
   * True if the credential is a token of a service account of the request's plane, so that the
   * plane's roles define its rights.
   */
  isServiceAccount?: true
}
