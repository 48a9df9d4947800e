import { goQuote } from '../../meta/goQuote.ts'
import type { StatusError } from '../../meta/status.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'

/** What the library's JSON decoder says of bodies. Source: reference 1.12; observed answers. */

/** Of an object of a known kind. */
export function unreadableAs({ kind, version }: ResourceDefinition, why: string): StatusError {
  return badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${why}`)
}

/** Of a number that no double holds. */
export function overflowing(number: string, place = 'value'): string {
  return `json: cannot unmarshal number ${number} into Go ${place} of type float64`
}

/** Of a value that is no object. */
export function wrongGoValue(value: unknown): string {
  return `json: cannot unmarshal ${described(value)} into Go value of type map[string]interface {}`
}

/** Of a value in the place of an object, of which the kind is looked for. */
export function wrongGoObject(value: unknown): string {
  return `json: cannot unmarshal ${described(value)} into Go value of type ${kindStruct}`
}

const kindStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** Of a body of which not even the kind can be read. */
export function unreadableJson(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`
}

function described(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'number'
  return typeof value
}
