import { decodeJson, type Decoded } from '../encoding/json.ts'
import type { StatusError } from '../meta/status.ts'
import { badRequest } from '../meta/statusErrors.ts'
import { jsonPatchType, strategicMergePatchType } from '../registry/resource.ts'
import { overflowing } from './goDecoder.ts'

/** The body of a patch in JSON. @throws StatusError BadRequest for what is none, and for a number that no double holds. */
export function decodePatch(body: Buffer, mediaType: string): Decoded {
  const decoded = decodedOrRefused(body, mediaType)
  const { overflow } = decoded
  if (overflow === undefined) return decoded
  const place = mediaType === jsonPatchType ? 'struct field jsonPatchOp.value' : 'value'
  throw badRequest(`error decoding patch: ${overflowing(overflow, place)}`)
}

function decodedOrRefused(body: Buffer, mediaType: string): Decoded {
  try {
    return decodeJson(body)
  } catch (error) {
    throw unreadablePatch(mediaType, error)
  }
}

/** Patches of one type are read without a word about it. */
function unreadablePatch(mediaType: string, error: unknown): StatusError {
  const why = error instanceof Error ? error.message : String(error)
  const isStrategic = mediaType === strategicMergePatchType
  return badRequest(isStrategic ? why : `error decoding patch: ${why}`, error)
}
