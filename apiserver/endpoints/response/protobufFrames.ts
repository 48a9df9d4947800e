import { encodeWatchEvent } from '../../encoding/protobuf/watchFrame.ts'
import type { KindCodec } from '../../encoding/protobuf/kindCodec.ts'
import type { ApiObject } from '../../meta/types.ts'
import { decodeObject } from '../../registry/objectBytes.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { partialMetadata } from '../../registry/table.ts'
import type { FrameEncoder } from '../../watch/frameEncoder.ts'
import type { Exchange } from '../exchange.ts'
import { bookmarkObject } from './frameEncoders.ts'
import type { OutputFormat } from '../../encoding/outputFormat.ts'

/**
 * The encoder of a protobuf watch, of whole objects or of their metadata. Its dependencies are loaded first, since
 * frames are encoded synchronously. Source: reference 5.3.
 */
export async function protobufEncoder(
  { protobuf }: Exchange,
  resource: ResourceDefinition,
  { convert }: OutputFormat,
): Promise<FrameEncoder> {
  const status = await protobuf.load({ group: '', version: 'v1', kind: 'Status' })
  const codec = await protobuf.load(convert ?? resource)
  const shown = (object: ApiObject): ApiObject =>
    convert === undefined ? object : partialMetadata(object, resource, convert.version)
  return encoderOf(`protobuf ${convert?.kind ?? ''} ${convert?.version ?? ''}`, resource, {
    encode: (object) => codec.encode(shown(object)),
    status,
  })
}

function encoderOf(
  key: string,
  resource: ResourceDefinition,
  { encode, status }: { encode: (object: ApiObject) => Buffer; status: KindCodec },
): FrameEncoder {
  return {
    key,
    firstDiffers: false,
    event: (type, event) =>
      event.frame(`${key} ${type}`, () =>
        encodeWatchEvent(type, encode(decodeObject(event.objectBytes(type)))),
      ),
    initial: (entry) => encodeWatchEvent('ADDED', encode(entry.object())),
    bookmark: (revision, isEnd) =>
      encodeWatchEvent('BOOKMARK', encode(bookmarkObject(resource, revision, isEnd))),
    error: (error) => encodeWatchEvent('ERROR', status.encode(error)),
  }
}
