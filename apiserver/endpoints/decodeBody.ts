import { goQuote } from '../meta/goQuote.ts'
import { mediaTypeOf } from '../encoding/contentType.ts'
import { acceptedTypes, defaultTypes, jsonType, yamlType } from '../encoding/mediaTypes.ts'
import { decodeJson, type Decoded } from '../encoding/json.ts'
import { decodeYaml } from '../encoding/yaml.ts'
import { unsupportedMediaType } from '../meta/statusErrors.ts'
import type { Exchange } from './exchange.ts'
import { readBody } from './readBody.ts'

const decodedTypes = [jsonType, yamlType]

/** What a client sent, as plain values. @throws StatusError UnsupportedMediaType, BadRequest. Source: reference 1.12. */
export async function decodeBody(exchange: Exchange): Promise<Decoded> {
  const mediaType = bodyType(exchange)
  return decodeBytes(await readBody(exchange.request), mediaType)
}

/** The media type of the body. @throws StatusError UnsupportedMediaType. */
export function bodyType({ request }: Exchange): string {
  const mediaType = mediaTypeOf(request.headers['content-type'], decodedTypes)
  if (mediaType === undefined) throw unsupportedMediaType(acceptedTypes(defaultTypes))
  return mediaType
}

/** Duplicates come as sentences in both formats. */
export async function decodeBytes(body: Buffer, mediaType: string): Promise<Decoded> {
  if (mediaType === yamlType) return decodeYaml(body)
  const { value, duplicates } = decodeJson(body)
  return { value, duplicates: duplicates.map((path) => `duplicate field ${goQuote(path)}`) }
}
