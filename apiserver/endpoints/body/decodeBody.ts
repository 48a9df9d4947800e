import { formOf } from '../../registry/objectForm.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { mediaTypeOf } from '../../encoding/contentType.ts'
import {
  acceptedTypes,
  defaultTypes,
  jsonType,
  protobufType,
  yamlType,
} from '../../encoding/mediaTypes.ts'
import { decodeJson, type Decoded } from '../../encoding/json.ts'
import { decodeYaml } from '../../encoding/yaml.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { NumberLiteral } from '../../meta/json/numberLiteral.ts'
import type { Schema } from '../../meta/schema.ts'
import { hasReason } from '../../meta/status.ts'
import { badRequest, unsupportedMediaType } from '../../meta/statusErrors.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { objectSchema } from '../../registry/schema/canonicalForm.ts'
import { bodySummary } from './bodySummary.ts'
import { maxWeightOf } from './bodyWeight.ts'
import { nextTurn, type Exchange } from '../exchange.ts'
import { noteSent } from './sentBody.ts'
import { overflowing, unreadableAs, unreadableJson, wrongGoObject } from './goDecoder.ts'
import { plainNumbers } from './plainNumbers.ts'
import { mergedRepeats } from './mergedRepeats.ts'
import { servesProtobuf } from '../response/protobufForm.ts'
import { readBody } from './readBody.ts'

const textTypes = [jsonType, yamlType]
const builtInTypes = [...textTypes, protobufType]

/** A received body, not decoded yet. */
export interface ReceivedBody {
  body: Buffer
  mediaType: string
}

/**
 * Receives the body of an object: errors of the request's options precede those of the body.
 * @throws StatusError UnsupportedMediaType, RequestEntityTooLarge. Source: reference 3.1.
 */
export async function receiveBody(exchange: Exchange): Promise<ReceivedBody> {
  const mediaType = bodyMediaType(exchange)
  return { mediaType, body: await readBody(exchange) }
}

/** Decodes a body to plain values, for an object of `kind`. @throws StatusError BadRequest. Source: reference 1.12. */
export async function decodeReceived(
  exchange: Exchange,
  received: ReceivedBody,
  kind: string,
): Promise<Decoded> {
  const decoded = await decodeObject(exchange, received, kind)
  const { overflow } = decoded
  const { bodyKind } = exchange
  // Custom kinds have fields of any type, with numbers up to doubles.
  if (overflow !== undefined && bodyKind !== undefined && !formOf(bodyKind).isDecoded)
    throw unreadableAs(bodyKind, overflowing(overflow))
  return decoded
}

async function decodeObject(
  exchange: Exchange,
  { body, mediaType }: ReceivedBody,
  kind: string,
): Promise<Decoded> {
  const { bodyKind } = exchange
  try {
    const decoded = orEmpty(await decodeBytes(exchange, body, mediaType, goForm(bodyKind)))
    if (isObject(decoded.value) && !(decoded.value instanceof NumberLiteral)) {
      const { value, hasLiterals } = decoded
      noteSent(exchange, hasLiterals ? plainNumbers(value, undefined) : value, body.length)
      return decoded
    }
    throw badRequest(wrongGoObject(decoded.value))
  } catch (error) {
    if (!hasReason(error, 'BadRequest')) throw error
    const isTold = mediaType === protobufType || error.message.startsWith('yaml: ')
    const why = isTold ? error.message : unreadableJson(error.message)
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${why} (${bodySummary(body)})`,
      error,
    )
  }
}

/** Go form of the bodies of a kind with Go types. */
function goForm(resource: ResourceDefinition | undefined): GoForm | undefined {
  if (resource === undefined || !servesProtobuf(resource)) return undefined
  return { schemaOf: () => objectSchema(resource.schema) }
}

/** Null becomes an object without fields, as in Go. */
function orEmpty(decoded: Decoded): Decoded {
  return decoded.value === null ? { ...decoded, value: {} } : decoded
}

/** The media type of the body. @throws StatusError UnsupportedMediaType. */
export function bodyMediaType({ request, bodyKind: resource }: Exchange): string {
  const isBuiltIn = resource !== undefined && servesProtobuf(resource)
  const types = isBuiltIn ? builtInTypes : textTypes
  const mediaType = mediaTypeOf(request.headers['content-type'], types)
  if (mediaType === undefined) throw unsupportedMediaType(acceptedTypes(defaultTypes))
  return mediaType
}

/** Form of a body that is decoded into Go types: literals of numbers matter, and repeated members are merged. */
interface GoForm {
  schemaOf: () => Schema
}

/** Decodes a body; duplicates are messages, if the format can have any. @param form default: members of any kind. */
export async function decodeBytes(
  exchange: Exchange,
  body: Buffer,
  mediaType: string,
  form?: GoForm,
): Promise<Decoded> {
  const { protobuf, bodyKind: resource } = exchange
  if (mediaType === protobufType) {
    const { value } = await protobuf.decode(body, resource)
    return { value, duplicates: [] }
  }
  const maxWeight = maxWeightOf(resource)
  if (mediaType === yamlType) {
    return decodeYaml(body, { maxWeight, pause: () => nextTurn(exchange, body.length) })
  }
  const decoded = decodeJson(body, { maxWeight, keepsLiterals: form !== undefined })
  if (decoded.duplicates.length === 0) return decoded
  const duplicates = decoded.duplicates.map((path) => `duplicate field ${goQuote(path)}`)
  if (form === undefined || decoded.isDeep === true) return { ...decoded, duplicates }
  const value = mergedRepeats(body.toString('utf8'), form.schemaOf())
  return { ...decoded, value, duplicates }
}
