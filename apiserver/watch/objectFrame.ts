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

/** Objects as the items of a list, joined by commas: without their line feeds, and without kind and apiVersion, which
 *  make up the first `typeLength` bytes after the brace. */
export function joinItems(objects: readonly Buffer[], typeLength: number): Buffer {
  // An object loses typeLength bytes, and its line feed becomes the comma behind it.
  const length = objects.reduce((sum, { length }) => sum + length - typeLength, 0)
  const joined = Buffer.allocUnsafeSlow(typeLength + length)
  // From the last to the first, each object is copied whole, which is faster than a part of it. The bytes that it has
  // too many stand where the end of the object before it goes.
  let end = joined.length
  for (let index = objects.length - 1; index >= 0; index--) {
    const object = objects[index] ?? joined
    const start = end - object.length
    joined.set(object, start)
    joined[end - 1] = comma
    end = start + typeLength
    joined[end] = brace
  }
  return joined.subarray(typeLength, Math.max(typeLength, joined.length - 1))
}

const comma = 0x2c
const brace = 0x7b

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
