import { invalidField, requiredField, type FieldError } from '../meta/fieldErrors.ts'
import { memberPath } from '../meta/fieldPath.ts'
import { isObject } from '../meta/json/isObject.ts'
import { dns1035Errors } from '../meta/names/nameValidation.ts'
import type { Schema } from '../meta/schema.ts'
import type { ObjectMeta } from '../meta/types.ts'
import { validateMetadata } from '../registry/write/metadataValidation.ts'

/**
 * Errors for the names and metadata of embedded objects. Missing fields are also reported on
 * updates.
 * Source: apiextensions, validation of object metadata; seen on kube-apiserver 1.37.2.
 */
export function embeddedErrors(value: unknown, schema: Schema): FieldError[] {
  return [...embeddedObjects(value, schema, '')].flatMap(({ object, path }) =>
    ownErrors(object, path),
  )
}

/**
 * Error for the first kind or version of an embedded object that is not a string; such bodies
 * cannot be decoded.
 */
export function malformedEmbedded(value: unknown, schema: Schema): FieldError | undefined {
  for (const { object, path } of embeddedObjects(value, schema, '')) {
    for (const name of ['apiVersion', 'kind']) {
      const wrong = Object.hasOwn(object, name) && typeof object[name] !== 'string'
      if (wrong) return invalidField(memberPath(path, name), object[name], 'must be a string')
    }
  }
  return undefined
}

interface EmbeddedObject {
  object: Record<string, unknown>
  path: string
}

function* embeddedObjects(value: unknown, schema: Schema, path: string): Generator<EmbeddedObject> {
  if (!mayHold(schema)) return
  if (Array.isArray(value)) {
    const { items = {} } = schema
    for (const [at, item] of value.entries()) yield* embeddedObjects(item, items, `${path}[${at}]`)
    return
  }
  if (!isObject(value)) return
  if (schema['x-kubernetes-embedded-resource'] === true) yield { object: value, path }
  const { properties = {}, additionalProperties } = schema
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(properties, name))
      yield* embeddedObjects(member, properties[name] ?? {}, memberPath(path, name))
    else if (additionalProperties !== undefined)
      yield* embeddedObjects(member, additionalProperties, `${path}[${name}]`)
  }
}

const holders = new WeakMap<Schema, boolean>()

/**
 * Reports whether a schema may contain embedded objects. Few schemas do, but every write has to
 * check.
 */
function mayHold(schema: Schema): boolean {
  let found = holders.get(schema)
  if (found === undefined) holders.set(schema, (found = holdsEmbedded(schema)))
  return found
}

function holdsEmbedded(schema: Schema): boolean {
  if (schema['x-kubernetes-embedded-resource'] === true) return true
  const { properties = {}, items, additionalProperties } = schema
  const parts = [...Object.values(properties), items, additionalProperties]
  return parts.some((part) => part !== undefined && mayHold(part))
}

function ownErrors(value: Record<string, unknown>, path: string): FieldError[] {
  const { apiVersion, kind, metadata } = value
  const missing = ['apiVersion', 'kind'].filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name) => requiredField(memberPath(path, name))),
    ...(typeof apiVersion === 'string'
      ? versionErrors(apiVersion, memberPath(path, 'apiVersion'))
      : []),
    ...(typeof kind === 'string' ? kindErrors(kind, memberPath(path, 'kind')) : []),
    ...(isObject(metadata) ? metadataErrors(metadata, path) : []),
  ]
}

function versionErrors(apiVersion: string, path: string): FieldError[] {
  if (apiVersion === '') return [invalidField(path, apiVersion, 'must not be empty')]
  return apiVersion.split('/').length <= 2
    ? []
    : [invalidField(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
}

function kindErrors(kind: string, path: string): FieldError[] {
  if (kind === '') return [invalidField(path, kind, 'must not be empty')]
  const texts = dns1035Errors(kind.toLowerCase())
  if (texts.length === 0) return []
  const why = `may have mixed case, but should otherwise match: ${texts.join(',')}`
  return [invalidField(path, kind, why)]
}

/**
 * Errors for metadata. The name may be absent, since an embedded object is not stored on its own.
 */
function metadataErrors(metadata: ObjectMeta, path: string): FieldError[] {
  const named = { ...metadata, name: metadata.name || 'unnamed' }
  const namespaced = (metadata.namespace ?? '') !== ''
  return validateMetadata(named, { namespaced, nameRule: 'pathSegment' }).map((error) => ({
    ...error,
    field: memberPath(path, error.field),
  }))
}
