import { goJsonType } from '../../meta/json/goJsonType.ts'
import { goQuote } from '../../meta/goQuote.ts'
import type { StatusError } from '../../meta/status.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'

/** Messages of the library's JSON decoder. Source: reference 1.12; observed answers. */

/** The error for an unreadable object of a known kind. */
export function unreadableAs({ kind, version }: ResourceDefinition, why: string): StatusError {
  return badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${why}`)
}

/** The message for a number that exceeds a double. */
export function overflowing(number: string, place = 'value'): string {
  return `json: cannot unmarshal number ${number} into Go ${place} of type float64`
}

/** Error for a value other than an object, found while its kind is read. */
export function wrongGoObject(value: unknown): string {
  return `json: cannot unmarshal ${goJsonType(value)} into Go value of type ${kindStruct}`
}

const kindStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** The message for a body without a readable kind. */
export function unreadableJson(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`
}
