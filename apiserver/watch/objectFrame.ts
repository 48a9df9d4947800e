/** Cutting and joining encoded objects without parsing them. An encoded object is
 *  `{"kind":…,"apiVersion":…,"metadata":{…"resourceVersion":"N"…},…}` and a line feed. */

const marker = Buffer.from('"resourceVersion":"')
const quote = 0x22

/** The same object at another revision: a deletion's event shows the last content at the revision of the deletion. */
export function atRevision(bytes: Buffer, revision: number): Buffer {
  const start = bytes.indexOf(marker) + marker.length
  const end = bytes.indexOf(quote, start)
  return Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from(String(revision)),
    bytes.subarray(end),
  ])
}

/** The object as an item of a list: without the line feed, and without kind and apiVersion, which make up the first
 *  `typeLength` bytes after the brace. */
export function listItem(bytes: Buffer, typeLength: number): Buffer {
  const item = Buffer.allocUnsafeSlow(bytes.length - 1 - typeLength)
  item[0] = bytes[0] ?? 0
  bytes.copy(item, 1, 1 + typeLength, bytes.length - 1)
  return item
}

/** Bytes of `"kind":"K","apiVersion":"g/v",`. */
export function typeLength(kind: string, apiVersion: string): number {
  return Buffer.byteLength(
    `"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`,
  )
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'

const heads: Readonly<Record<EventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
}
const tail = Buffer.from('}\n')

/** One line of a watch answer. `object` is JSON with or without a line feed at its end. */
export function jsonEventFrame(type: EventType, object: Buffer): Buffer {
  const length = object.at(-1) === 0x0a ? object.length - 1 : object.length
  const head = heads[type]
  const frame = Buffer.allocUnsafeSlow(head.length + length + tail.length)
  head.copy(frame, 0)
  object.copy(frame, head.length, 0, length)
  tail.copy(frame, head.length + length)
  return frame
}
