import { decodeJson, type Decoded } from '../../encoding/json.ts'
import { StatusError } from '../../meta/status.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import {
  jsonPatchType,
  strategicMergePatchType,
  type ResourceDefinition,
} from '../../registry/resource.ts'
import { maxWeightOf } from './bodyWeight.ts'
import { overflowing } from './goDecoder.ts'

export interface PatchBody {
  body: Buffer
  mediaType: string
  /** The patched kind, which determines the maximum weight. */
  resource: ResourceDefinition
}

/**
 * Decodes a JSON patch body. @throws StatusError BadRequest for invalid JSON, and for a number that exceeds a double;
 * RequestEntityTooLarge if it is too heavy.
 */
export function decodePatch({ body, mediaType, resource }: PatchBody): Decoded {
  const decoded = decodedOrRefused(body, mediaType, maxWeightOf(resource))
  const { overflow } = decoded
  if (overflow === undefined) return decoded
  const place = mediaType === jsonPatchType ? 'struct field jsonPatchOp.value' : 'value'
  throw badRequest(`error decoding patch: ${overflowing(overflow, place)}`)
}

function decodedOrRefused(body: Buffer, mediaType: string, maxWeight: number): Decoded {
  try {
    return decodeJson(body, maxWeight)
  } catch (error) {
    if (error instanceof StatusError && error.code === 413) throw error
    throw unreadablePatch(mediaType, error)
  }
}

/** The error for an unreadable patch; the message for one type has no prefix. */
function unreadablePatch(mediaType: string, error: unknown): StatusError {
  const why = error instanceof Error ? error.message : String(error)
  const isStrategic = mediaType === strategicMergePatchType
  return badRequest(isStrategic ? why : `error decoding patch: ${why}`, error)
}
