import { protobufType } from '../../encoding/mediaTypes.ts'
import type { OutputFormat } from '../../encoding/outputFormat.ts'
import { decodeObject } from '../../registry/objectBytes.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import {
  columnDefinitions,
  parseIncludeObject,
  partialMetadata,
  tableRow,
  type Table,
} from '../../registry/table.ts'
import { nextTurn, type Exchange } from '../exchange.ts'
import { storedAsProtobuf } from './protobufForm.ts'
import { notAList } from './misfit.ts'
import { outputFormat } from './outputFormat.ts'
import { writeBody, writeValue } from './response.ts'

/**
 * The format of a response with one object; kinds that can only be created, like reviews, have no table.
 * @throws StatusError NotAcceptable.
 */
export function outputOf(exchange: Exchange): OutputFormat {
  return (exchange.objectFormat ??= negotiated(exchange))
}

function negotiated(exchange: Exchange): OutputFormat {
  const answers = exchange.bodyKind?.answers
  const hasTable = answers?.create === undefined || answers.get !== undefined
  return outputFormat(exchange, hasTable ? 'table-and-metadata' : 'metadata')
}

/** Refuses unsupported formats before anything is written. @throws StatusError NotAcceptable. */
export function checkObjectFormat(exchange: Exchange, resource: ResourceDefinition): void {
  const { convert } = outputOf(exchange)
  if (convert?.kind === 'PartialObjectMetadataList') throw notAList(resource)
}

export interface ObjectAnswer {
  /** An encoded object with a trailing line feed. */
  bytes: Buffer
  code: number
}

/** Writes one object in the negotiated format, using its stored bytes if possible. */
export async function writeObject(
  exchange: Exchange,
  resource: ResourceDefinition,
  { bytes, code }: ObjectAnswer,
): Promise<void> {
  const format = outputOf(exchange)
  if (format.convert === undefined) {
    exchange.audit?.responseObject(() => decodeObject(bytes), bytes.length)
  }
  if (format.convert === undefined && !format.pretty && format.mediaType === 'application/json') {
    await writeBody(exchange, bytes, { code, mediaType: format.mediaType })
    return
  }
  if (format.convert === undefined && format.mediaType === protobufType) {
    const body = await storedAsProtobuf(exchange, resource, bytes)
    await writeBody(exchange, body, { code, mediaType: protobufType })
    return
  }
  await nextTurn(exchange, bytes.length)
  // The client no longer waits for the response.
  if (exchange.response.destroyed) return
  await writeValue(exchange, convertObject(exchange, resource, bytes, format), { code, format })
}

function convertObject(
  exchange: Exchange,
  resource: ResourceDefinition,
  bytes: Buffer,
  { convert }: OutputFormat,
): unknown {
  const object = decodeObject(bytes)
  switch (convert?.kind) {
    case undefined:
      return object
    case 'Table': {
      const include = parseIncludeObject(exchange.query.get('includeObject') ?? '', convert.version)
      const { resourceVersion } = object.metadata
      const table: Table = {
        kind: 'Table',
        apiVersion: `meta.k8s.io/${convert.version}`,
        metadata: resourceVersion === undefined ? {} : { resourceVersion },
        columnDefinitions: columnDefinitions(resource),
        rows: [tableRow(object, resource, { include, nowMs: exchange.startedMs })],
      }
      return table
    }
    case 'PartialObjectMetadata':
      return partialMetadata(object, resource, convert.version)
    default:
      throw notAList(resource)
  }
}
