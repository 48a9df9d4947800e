import { isObject } from '../meta/json/isObject.ts'
import type { ObjectMeta } from '../meta/types.ts'

const keptFields = [
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const

/** Metadata that API clients attach to the configuration besides its document. */
export type ConfigMetadata = Pick<ObjectMeta, (typeof keptFields)[number]>

/** The part of an object's metadata that is kept with the document. */
export function configMetadata(metadata: ObjectMeta): ConfigMetadata {
  const given = new Map(Object.entries(metadata))
  return Object.fromEntries(
    keptFields.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])),
  )
}

/** The stored form; empty: no metadata. */
export function metadataBytes(metadata: ConfigMetadata): Buffer {
  return Buffer.from(Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata))
}

/** Reads stored metadata; malformed metadata, edited by hand, is ignored: the document does not depend on it. */
export function readMetadata(bytes: Buffer): ConfigMetadata {
  if (bytes.byteLength === 0) return {}
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return isMetadata(value) ? configMetadata(value) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function isMetadata(value: unknown): value is ObjectMeta {
  if (!isObject(value)) return false
  const { labels, annotations, ownerReferences, finalizers, managedFields } = value
  return (
    [labels, annotations].every(isTextMap) &&
    isListOf(finalizers, (item) => typeof item === 'string') &&
    [ownerReferences, managedFields].every((list) => isListOf(list, isObject))
  )
}

function isTextMap(value: unknown): boolean {
  if (value === undefined) return true
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isItem))
}
