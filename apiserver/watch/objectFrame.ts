/**
 * Cuts and joins encoded objects without parsing them. An encoded object is
 * `{"kind":…,"apiVersion":…,"metadata":{…"resourceVersion":"N"…},…}` and a line feed.
 */

const marker = Buffer.from('"resourceVersion":"')
const quote = 0x22

/**
 * The same object with another revision: the event of a deletion shows the last content at the revision of the
 * deletion.
 */
export function atRevision(bytes: Buffer, revision: number): Buffer {
  const start = bytes.indexOf(marker) + marker.length
  const end = bytes.indexOf(quote, start)
  return Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from(String(revision)),
    bytes.subarray(end),
  ])
}

/**
 * Objects as list items, joined by commas: without line feeds, and without kind and apiVersion, the first `typeLength`
 * bytes after the brace.
 */
export function joinItems(objects: readonly Buffer[], typeLength: number): Buffer {
  // An object loses typeLength bytes, and its line feed becomes the comma after it.
  const length = objects.reduce((sum, { length }) => sum + length - typeLength, 0)
  const joined = Buffer.allocUnsafeSlow(typeLength + length)
  // Objects are copied from last to first, each as a whole, which is faster than copying parts. Its
  // excess leading bytes are overwritten by the end of the previous object.
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

/** Length in bytes of `"kind":"K","apiVersion":"g/v",`. */
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

/** A line of a watch response. `object` is JSON with or without a trailing line feed. */
export function jsonEventFrame(type: EventType, object: Buffer): Buffer {
  const length = object.at(-1) === 0x0a ? object.length - 1 : object.length
  const head = heads[type]
  const frame = Buffer.allocUnsafeSlow(head.length + length + tail.length)
  head.copy(frame, 0)
  object.copy(frame, head.length, 0, length)
  tail.copy(frame, head.length + length)
  return frame
}
