import { decodeJson, type Decoded } from '../../encoding/json.ts'
import { StatusError } from '../../meta/status.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import { jsonPatchType, type ResourceDefinition } from '../../registry/resource.ts'
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
  const decoded = decodedOrRefused(body, maxWeightOf(resource))
  const { overflow } = decoded
  if (overflow === undefined) return decoded
  const place = mediaType === jsonPatchType ? 'struct field jsonPatchOp.value' : 'value'
  throw badRequest(`error decoding patch: ${overflowing(overflow, place)}`)
}

function decodedOrRefused(body: Buffer, maxWeight: number): Decoded {
  try {
    return decodeJson(body, { maxWeight })
  } catch (error) {
    if (error instanceof StatusError && error.code === 413) throw error
    throw badRequest('invalid JSON patch', error)
  }
}
