import { invalidField, requiredField, type FieldError } from '../meta/fieldErrors.ts'
import { memberPath } from '../meta/fieldPath.ts'
import { isObject } from '../meta/json/isObject.ts'
import { dns1035Errors } from '../meta/names/nameValidation.ts'
import type { Schema } from '../meta/schema.ts'
import type { ObjectMeta } from '../meta/types.ts'
import { validateMetadata } from '../registry/metadataValidation.ts'

/** What is wrong with the names and the metadata of the objects that stand inside of others; what is missing and what
 *  has another type was found before. Source: apiextensions, validation of object metadata. */
export function embeddedErrors(value: unknown, schema: Schema, path = ''): FieldError[] {
  if (!mayHold(schema)) return []
  if (Array.isArray(value)) {
    const { items = {} } = schema
    return value.flatMap((item, at) => embeddedErrors(item, items, `${path}[${at}]`))
  }
  if (!isObject(value)) return []
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  return [...(isEmbedded ? ownErrors(value, path) : []), ...errorsBelow(value, schema, path)]
}

const holders = new WeakMap<Schema, boolean>()

/** Most kinds have no such part, and every write asks. */
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

function errorsBelow(value: Record<string, unknown>, schema: Schema, path: string): FieldError[] {
  const { properties = {}, additionalProperties } = schema
  return Object.entries(value).flatMap(([name, member]) => {
    if (Object.hasOwn(properties, name))
      return embeddedErrors(member, properties[name] ?? {}, memberPath(path, name))
    return additionalProperties === undefined
      ? []
      : embeddedErrors(member, additionalProperties, `${path}[${name}]`)
  })
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

/** An object without a name is none of this server's. */
function metadataErrors(metadata: ObjectMeta, path: string): FieldError[] {
  const named = { ...metadata, name: metadata.name || 'unnamed' }
  const namespaced = (metadata.namespace ?? '') !== ''
  return validateMetadata(named, { namespaced, nameRule: 'pathSegment' }).map((error) => ({
    ...error,
    field: memberPath(path, error.field),
  }))
}
