const firstField = (1 << 3) | 2
const secondField = (2 << 3) | 2

/**
 * Encodes a watch event: four bytes of length, then the message WatchEvent without the magic. `object` is the result of
 * KindCodec.encode, with the magic. Works without loading anything. Source: reference 5.3.
 */
export function encodeWatchEvent(type: string, object: Buffer): Buffer {
  const raw = [firstField, ...varint(object.length)]
  const text = Buffer.from(type)
  const head = [
    ...[firstField, ...varint(text.length), ...text],
    ...[secondField, ...varint(raw.length + object.length), ...raw],
  ]
  const frame = Buffer.allocUnsafe(4 + head.length + object.length)
  frame.writeUInt32BE(head.length + object.length)
  frame.set(head, 4)
  frame.set(object, 4 + head.length)
  return frame
}

function varint(value: number): number[] {
  const bytes: number[] = []
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80)
  return [...bytes, value]
}
