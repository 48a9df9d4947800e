import type { INamespace } from 'protobufjs'
import { runPaced } from '../../apiserver/meta/waiting/steps.ts'
import type { DocumentV3 } from '../documents/openapi3.ts'
import type { SwaggerDocument } from '../documents/swagger.ts'
import { documentMessage } from './documentMessage.ts'
import { documentV3Message } from './documentV3Message.ts'
import { encodeInSteps } from './encodeInSteps.ts'
import type { Message } from './message.ts'

/**
 * Encodes an OpenAPI 2.0 document as the protobuf message `openapi.v2.Document`, which `kubectl explain
 * --output=plaintext-openapiv2` and older validation request. Loads the library and the descriptor on first use. proto3
 * cannot encode zero: `minimum: 0`, `minLength: 0` and the like are absent from the message.
 */
export async function encodeDocument(document: SwaggerDocument): Promise<Buffer> {
  const { openapiV2Proto } = await import('./openapiV2Proto.ts')
  return encode(openapiV2Proto, 'openapi.v2.Document', documentMessage(document))
}

/** Encodes an OpenAPI 3.0 document as the protobuf message `openapi.v3.Document`, with the same limits. */
export async function encodeDocumentV3(document: DocumentV3): Promise<Buffer> {
  const { openapiV3Proto } = await import('./openapiV3Proto.ts')
  return encode(openapiV3Proto, 'openapi.v3.Document', documentV3Message(document))
}

/** Maximum depth of messages; a schema has three for each of its levels. */
const maxDepth = 6_000

async function encode(descriptor: INamespace, type: string, message: Message): Promise<Buffer> {
  const { default: protobuf } = await import('protobufjs/light.js')
  // Go has no limit here, and a single deep schema must not make the document unavailable.
  protobuf.util.recursionLimit = maxDepth
  const root = protobuf.Root.fromJSON(descriptor)
  const steps = encodeInSteps(root.lookupType(type), message, () => protobuf.Writer.create())
  return Buffer.concat(await runPaced(steps))
}
