import { goQuote } from '../meta/goQuote.ts'
import { mediaTypeOf } from '../encoding/contentType.ts'
import {
  acceptedTypes,
  defaultTypes,
  jsonType,
  protobufType,
  yamlType,
} from '../encoding/mediaTypes.ts'
import { decodeJson, type Decoded } from '../encoding/json.ts'
import { decodeYaml } from '../encoding/yaml.ts'
import { StatusError } from '../meta/status.ts'
import { badRequest, unsupportedMediaType } from '../meta/statusErrors.ts'
import type { Exchange } from './exchange.ts'
import { servesProtobuf } from './protobufForm.ts'
import { readBody } from './readBody.ts'

const textTypes = [jsonType, yamlType]
const builtInTypes = [...textTypes, protobufType]

/** The object that a client sent for one of `kind`, as plain values.
 *  @throws StatusError UnsupportedMediaType, BadRequest, RequestEntityTooLarge. Source: reference 1.12. */
export async function decodeBody(exchange: Exchange, kind: string): Promise<Decoded> {
  return decodeReceived(exchange, await receiveBody(exchange), kind)
}

/** A body that is there, and not looked into yet. */
export interface ReceivedBody {
  body: Buffer
  mediaType: string
}

/** The first half of `decodeBody`: what is wrong with a request's options is told before what is wrong in its body.
 *  @throws StatusError UnsupportedMediaType, RequestEntityTooLarge. Source: reference 3.1. */
export async function receiveBody(exchange: Exchange): Promise<ReceivedBody> {
  const mediaType = bodyType(exchange)
  return { mediaType, body: await readBody(exchange.request) }
}

/** The second half. @throws StatusError BadRequest. */
export async function decodeReceived(
  exchange: Exchange,
  { body, mediaType }: ReceivedBody,
  kind: string,
): Promise<Decoded> {
  try {
    const decoded = orEmpty(await decodeBytes(exchange, body, mediaType))
    if (typeof decoded.value === 'object' && decoded.value !== null) {
      if (!Array.isArray(decoded.value)) {
        exchange.audit?.requestObject(decoded.value, body.length)
        return decoded
      }
    }
    throw badRequest('not an object')
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'BadRequest')) throw error
    const why = `couldn't get version/kind; json parse error: ${error.message}`
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(body)})`,
      error,
    )
  }
}

/** A null is an object without fields, as it is where Go reads it. */
function orEmpty({ value, duplicates }: Decoded): Decoded {
  return { value: value === null ? {} : value, duplicates }
}

/** The beginning of a body, as messages show it. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>'
  const start = body.subarray(0, 30).toString(body[0] === 0x7b ? 'utf8' : 'hex')
  return body.length > 30 ? `${start} ...` : start
}

/** The media type of the body. @throws StatusError UnsupportedMediaType. */
export function bodyType({ request, bodyKind: resource }: Exchange): string {
  const isBuiltIn = resource !== undefined && servesProtobuf(resource)
  const types = isBuiltIn ? builtInTypes : textTypes
  const mediaType = mediaTypeOf(request.headers['content-type'], types)
  if (mediaType === undefined) throw unsupportedMediaType(acceptedTypes(defaultTypes))
  return mediaType
}

/** Duplicates come as sentences, where the format can have any. */
export async function decodeBytes(
  { protobuf, bodyKind: resource }: Exchange,
  body: Buffer,
  mediaType: string,
): Promise<Decoded> {
  if (mediaType === protobufType) {
    const { value } = await protobuf.decode(body, resource)
    return { value, duplicates: [] }
  }
  if (mediaType === yamlType) return decodeYaml(body)
  const { value, duplicates } = decodeJson(body)
  return { value, duplicates: duplicates.map((path) => `duplicate field ${goQuote(path)}`) }
}
