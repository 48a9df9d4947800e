/** Frames of HTTP/2. Source: RFC 9113, sections 4 and 6. */

export const frameType = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const

export const frameFlag = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const

export const errorCode = { none: 0, refusedStream: 7, cancel: 8 } as const

export interface Frame {
  type: number
  flags: number
  /** Number of the stream; 0: the connection. */
  stream: number
  payload: Buffer
}

const headBytes = 9
/** Maximum payload, in both directions: the initial value of the protocol. */
export const maxFrameBytes = 16_384

/** The bytes before a payload of `length` bytes. */
export function frameHead(length: number, { type, flags, stream }: Omit<Frame, 'payload'>): Buffer {
  const head = Buffer.allocUnsafe(headBytes)
  head.writeUIntBE(length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return head
}

/** Payload without padding and priority. @throws Error if the padding is longer than the payload. */
export function contentOf({ type, flags, payload }: Frame): Buffer {
  const isPadded = (flags & frameFlag.padded) !== 0
  const hasPriority = type === frameType.headers && (flags & frameFlag.priority) !== 0
  const start = (isPadded ? 1 : 0) + (hasPriority ? 5 : 0)
  const end = payload.length - (isPadded ? (payload[0] ?? 0) : 0)
  if (start > end) throw new Error('a frame is shorter than its padding')
  return payload.subarray(start, end)
}

/** Splits the bytes of a connection into frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  /** The frames that end in `chunk`. @throws Error if a frame is larger than permitted. */
  read(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (bytes.length - at >= headBytes) {
      const length = bytes.readUIntBE(at, 3)
      if (length > maxFrameBytes) throw new Error(`a frame has ${length} bytes`)
      const end = at + headBytes + length
      if (end > bytes.length) break
      frames.push({
        type: bytes.readUInt8(at + 3),
        flags: bytes.readUInt8(at + 4),
        // The first bit is reserved.
        stream: bytes.readUInt32BE(at + 5) & 0x7fffffff,
        payload: bytes.subarray(at + headBytes, end),
      })
      at = end
    }
    this.#rest = bytes.subarray(at)
    return frames
  }
}
