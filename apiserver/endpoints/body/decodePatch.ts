import { decodeJson, type Decoded } from '../../encoding/json.ts'
import { StatusError } from '../../meta/status.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import { jsonPatchType, type ResourceDefinition } from '../../registry/resource.ts'
import { maxWeightOf } from './bodyWeight.ts'
import { overflowing } from './goDecoder.ts'

export interface PatchBody {
  body: Buffer
  mediaType: string
  /** What it changes, which says how heavy it may be. */
  resource: ResourceDefinition
}

/** The body of a patch in JSON. @throws StatusError BadRequest for what is none, and for a number that no double holds;
 *  RequestEntityTooLarge for one that is too heavy. */
export function decodePatch({ body, mediaType, resource }: PatchBody): Decoded {
  const decoded = decodedOrRefused(body, maxWeightOf(resource))
  const { overflow } = decoded
  if (overflow === undefined) return decoded
  const place = mediaType === jsonPatchType ? 'struct field jsonPatchOp.value' : 'value'
  throw badRequest(`error decoding patch: ${overflowing(overflow, place)}`)
}

function decodedOrRefused(body: Buffer, maxWeight: number): Decoded {
  try {
    return decodeJson(body, maxWeight)
  } catch (error) {
    if (error instanceof StatusError && error.code === 413) throw error
    throw badRequest('invalid JSON patch', error)
  }
}
