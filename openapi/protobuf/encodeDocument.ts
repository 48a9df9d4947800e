import type { SwaggerDocument } from '../swagger.ts'
import { documentMessage } from './documentMessage.ts'
import { openapiProto } from './openapiProto.ts'

/** The OpenAPI 2.0 document as the protobuf message `openapi.v2.Document`, which `kubectl explain
 *  --output=plaintext-openapiv2` and older validation ask for. The library loads at the first call.
 *  proto3 has no way to say zero: `minimum: 0`, `minLength: 0` and the like are absent from the message. */
export async function encodeDocument(document: SwaggerDocument): Promise<Buffer> {
  const { default: protobuf } = await import('protobufjs/light.js')
  const type = protobuf.Root.fromJSON(openapiProto).lookupType('openapi.v2.Document')
  const bytes = type.encode(documentMessage(document)).finish()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
