import { jsonText, parseExact } from '../meta/json/exactJson.ts'
import { setMember } from '../meta/json/plainMembers.ts'
import type { ValueTemplate } from '../storage/storage.ts'
import type { ApiObject, ObjectMeta } from '../meta/types.ts'

/**
 * The stored form of an object is the response body of a GET: compact JSON with a trailing line feed, keys in canonical
 * order, and its own revision in metadata.resourceVersion.
 */

const marker = '"resourceVersion":"'

/** The bytes of `object` with a placeholder for its revision. */
export function encodeObject(object: ApiObject): ValueTemplate {
  const { kind, apiVersion, metadata } = object
  const whole: ApiObject = { kind, apiVersion, metadata: orderedMetadata(metadata, '') }
  for (const name in object) if (!isEnvelope(name)) setMember(whole, name, object[name])
  const text = jsonText(whole)
  // Preceding strings have escaped quotes, so the first marker is the field.
  const hole = text.indexOf(marker) + marker.length
  return { before: text.slice(0, hole), after: `${text.slice(hole)}\n` }
}

function isEnvelope(name: string): boolean {
  return name === 'kind' || name === 'apiVersion' || name === 'metadata'
}

/** Metadata in wire order. Undefined members are not encoded. */
export function orderedMetadata(metadata: ObjectMeta, resourceVersion?: string): ObjectMeta {
  return {
    name: metadata.name,
    generateName: metadata.generateName,
    namespace: metadata.namespace,
    selfLink: metadata.selfLink,
    uid: metadata.uid,
    resourceVersion,
    generation: metadata.generation,
    creationTimestamp: metadata.creationTimestamp,
    deletionTimestamp: metadata.deletionTimestamp,
    deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds,
    labels: metadata.labels,
    annotations: metadata.annotations,
    ownerReferences: metadata.ownerReferences,
    finalizers: metadata.finalizers,
    managedFields: metadata.managedFields,
  } satisfies Record<keyof ObjectMeta, unknown> as ObjectMeta // JSON omits undefined members
}

/**
 * The bytes of `object` as stored at `revision`, or with any string in its place; without it there is no
 * resourceVersion.
 */
export function objectBytes(object: ApiObject, revision?: number | string): Buffer {
  const template = encodeObject(object)
  if (revision !== undefined) return templateBytes(template, inQuotes(revision))
  const { before, after } = template
  // The name precedes the field, so a comma is removed with it.
  return Buffer.from(before.slice(0, -marker.length - 1) + after.slice(1))
}

function inQuotes(revision: number | string): number | string {
  return typeof revision === 'number' ? revision : JSON.stringify(revision).slice(1, -1)
}

/** The bytes stored at `revision`. */
export function templateBytes({ before, after }: ValueTemplate, revision: number | string): Buffer {
  return Buffer.from(`${before}${revision}${after}`)
}

/** The body of an object that is not stored. */
export function computedBytes(object: ApiObject): Buffer {
  return Buffer.from(`${jsonText(object)}\n`)
}

/** Decodes the result of encodeObject. Returns a new object at every call. */
export function decodeObject(bytes: Buffer): ApiObject {
  // Sound: only encodeObject's output is stored, and checksums were verified when the storage was opened.
  return parseExact(bytes.toString('utf8')) as ApiObject
}
