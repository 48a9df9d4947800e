import { invalidField } from '../meta/fieldErrors.ts'
import { isObject } from '../meta/isObject.ts'
import { goQuote } from '../meta/goQuote.ts'
import type { StatusError } from '../meta/status.ts'
import { badRequest, invalid } from '../meta/statusErrors.ts'
import { groupVersionString, type ApiObject } from '../meta/types.ts'
import { canonicalForm, objectSchema } from '../registry/canonicalForm.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { Exchange } from './exchange.ts'
import { wrongTypes } from './wrongType.ts'
import type { FieldValidation } from './writeOptions.ts'

/** A canonical object, with what was wrong with the body's fields: each a text as clients are told. */
export interface BodyObject {
  object: ApiObject
  problems: string[]
}

/** Reads a decoded body as an object of the resource's kind. `duplicates` are texts of fields given twice.
 *  @throws StatusError BadRequest for another kind or version; Invalid for fields of another type, so that whatever
 *  comes after may rely on types. Source: reference 1.12. */
export function bodyObject(
  value: unknown,
  duplicates: readonly string[],
  resource: ResourceDefinition,
): BodyObject {
  const body = typed(value, resource)
  const schema = objectSchema(resource.schema)
  const wrong = wrongTypes(body, schema)
  if (wrong.length > 0) throw invalid(resource, nameIn(body), wrong)
  const { value: canonical, unknownFields } = canonicalForm(body, schema)
  // canonicalForm keeps what is an object an object, and typed() gave it its kind, version and metadata.
  const object = canonical as ApiObject
  keepReset(object, body)
  resource.strategy.setDefaults?.(object)
  const unknown = unknownFields.map((path) => `unknown field ${goQuote(path)}`)
  return { object, problems: [...unknown, ...duplicates].slice(0, 100) }
}

function typed(value: unknown, resource: ResourceDefinition): Record<string, unknown> {
  const expected = groupVersionString(resource)
  if (!isObject(value)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): not an object`,
    )
  }
  const kind = textOr(value['kind'], resource.kind)
  const apiVersion = textOr(value['apiVersion'], expected)
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; kind and apiVersion must be texts`,
    )
  }
  if (kind !== resource.kind && resource.isCustom === true) {
    throw invalid(resource, nameIn(value), [invalidField('kind', kind, `must be ${resource.kind}`)])
  }
  if (kind !== resource.kind) {
    const why = `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme`
    throw badRequest(
      `${kind} in version ${goQuote(versionOf(apiVersion))} cannot be handled as a ${resource.kind}: ${why}`,
    )
  }
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  }
  return { ...value, kind, apiVersion, metadata: value['metadata'] ?? {} }
}

function unreadable({ kind, version }: ResourceDefinition, why: string): StatusError {
  return badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${why}`)
}

/** Tells the client of field problems as `fieldValidation` has it: not, by warnings, or by refusing.
 *  Source: reference 1.13. */
export function reportFieldProblems(
  problems: readonly string[],
  validation: FieldValidation,
  exchange: Exchange,
  resource: ResourceDefinition,
): void {
  if (problems.length === 0 || validation === 'Ignore') return
  if (validation === 'Warn') {
    for (const text of problems) exchange.warnings.add(text)
    return
  }
  throw unreadable(resource, `strict decoding error: ${problems.join(', ')}`)
}

/** An empty list of managers is not the same as none: it asks for a new beginning. Source: reference 3.11. */
function keepReset(object: ApiObject, { metadata }: Record<string, unknown>): void {
  const sent = isObject(metadata) ? metadata['managedFields'] : undefined
  if (Array.isArray(sent) && sent.length === 0) object.metadata.managedFields = []
}

function nameIn({ metadata }: Record<string, unknown>): string {
  const name = isObject(metadata) ? metadata['name'] : undefined
  return typeof name === 'string' ? name : ''
}

function textOr(value: unknown, otherwise: string): unknown {
  return value === undefined || value === null || value === '' ? otherwise : value
}

function versionOf(apiVersion: string): string {
  return apiVersion.split('/').at(-1) ?? ''
}
