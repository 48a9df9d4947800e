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

export interface DecodedPatch extends Decoded {
  /** Refusal of a number that exceeds a double; it is reported after the lookup of the object. */
  unreadable: StatusError | undefined
}

/**
 * Decodes the body of a patch in JSON. @throws StatusError BadRequest for invalid JSON; RequestEntityTooLarge if it is too
 * heavy. Source: seen on kube-apiserver 1.37.2.
 */
export function decodePatch({ body, mediaType, resource }: PatchBody): DecodedPatch {
  const decoded = decodedOrRefused(body, maxWeightOf(resource))
  const { overflow } = decoded
  if (overflow === undefined) return { ...decoded, unreadable: undefined }
  const place = mediaType === jsonPatchType ? 'struct field jsonPatchOp.value' : 'value'
  const why = `error decoding patch: ${overflowing(overflow, place)}`
  return { ...decoded, unreadable: badRequest(why) }
}

function decodedOrRefused(body: Buffer, maxWeight: number): Decoded {
  try {
    return decodeJson(body, { maxWeight })
  } catch (error) {
    if (error instanceof StatusError && error.code === 413) throw error
    throw badRequest('invalid JSON patch', error)
  }
}
