import { formOf } from '../../registry/objectForm.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import type { Status } from '../../meta/status.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import { emptyForm } from '../../registry/schema/emptyForm.ts'
import { decodeObject } from '../../registry/objectBytes.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import {
  columnDefinitions,
  metadataIn,
  parseIncludeObject,
  partialMetadata,
  tableRow,
  type Table,
} from '../../registry/table.ts'
import type { FrameEncoder } from '../../watch/frameEncoder.ts'
import { jsonEventFrame } from '../../watch/objectFrame.ts'
import type { OutputFormat } from '../../encoding/outputFormat.ts'

export interface FrameEncoderOptions {
  resource: ResourceDefinition
  format: OutputFormat
  /** The query's includeObject, for tables. */
  includeObject: string
  now: () => number
}

/** The encoder of a watch's negotiated format. @throws StatusError BadRequest for an invalid includeObject. */
export function frameEncoder(options: FrameEncoderOptions): FrameEncoder {
  const { convert } = options.format
  if (convert === undefined) return plainEncoder(options.resource)
  if (convert.kind === 'Table') return tableEncoder(options, convert.version)
  return metadataEncoder(options.resource, convert.version)
}

/** The object in a bookmark: without content, as the kind encodes it. Source: reference 5.7; observed answers. */
export function bookmarkObject(
  resource: ResourceDefinition,
  revision: number,
  endsInitialEvents: boolean,
): ApiObject {
  return {
    kind: resource.kind,
    apiVersion: groupVersionString(resource),
    metadata: {
      resourceVersion: String(revision),
      ...(endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
    ...(formOf(resource).isComplete ? emptyForm(resource.schema) : {}),
  }
}

function plainEncoder(resource: ResourceDefinition): FrameEncoder {
  return {
    key: 'json',
    firstDiffers: false,
    event: (type, event) => event.jsonFrame(type),
    initial: (entry) => jsonEventFrame('ADDED', entry.bytes),
    bookmark: (revision, isEnd) =>
      jsonEventFrame('BOOKMARK', json(bookmarkObject(resource, revision, isEnd))),
    error: errorFrame,
  }
}

function metadataEncoder(resource: ResourceDefinition, version: string): FrameEncoder {
  const encode = (object: ApiObject) => json(partialMetadata(object, resource, version))
  return {
    key: `metadata ${version}`,
    firstDiffers: false,
    event: (type, event) =>
      event.frame(`metadata ${version} ${type}`, () =>
        jsonEventFrame(type, encode(decodeObject(event.objectBytes(type)))),
      ),
    initial: (entry) => jsonEventFrame('ADDED', encode(entry.object())),
    bookmark: (revision, isEnd) =>
      jsonEventFrame('BOOKMARK', encode(bookmarkObject(resource, revision, isEnd))),
    error: errorFrame,
  }
}

/**
 * Encodes every event as a table with one row; only the first event of a stream, including a bookmark, has the columns.
 * Source: reference 5.8; observed answers.
 */
function tableEncoder(
  { resource, includeObject, now }: FrameEncoderOptions,
  version: string,
): FrameEncoder {
  const include = parseIncludeObject(includeObject, version)
  const encode = (object: ApiObject, isFirst: boolean, part = include): Buffer => {
    const { resourceVersion } = object.metadata
    const table: Table = {
      kind: 'Table',
      apiVersion: `meta.k8s.io/${version}`,
      metadata: resourceVersion === undefined ? {} : { resourceVersion },
      columnDefinitions: isFirst ? columnDefinitions(resource) : null,
      rows: [tableRow(object, resource, { include: part, nowMs: now() })],
    }
    return json(table)
  }
  return {
    key: `table ${version} ${include}`,
    firstDiffers: true,
    event: (type, event, isFirst) =>
      jsonEventFrame(type, encode(decodeObject(event.objectBytes(type)), isFirst)),
    initial: (entry, isFirst) => jsonEventFrame('ADDED', encode(entry.object(), isFirst)),
    // The row of the bookmark that ends the initial events keeps its annotation in any case.
    bookmark: (revision, isEnd, isFirst) =>
      jsonEventFrame(
        'BOOKMARK',
        encode(
          bookmarkObject(resource, revision, isEnd),
          isFirst,
          isEnd && include === 'None' ? metadataIn(version) : include,
        ),
      ),
    error: errorFrame,
  }
}

function errorFrame(status: Status): Buffer {
  return jsonEventFrame('ERROR', json(status))
}

function json(value: unknown): Buffer {
  return Buffer.from(jsonText(value))
}
