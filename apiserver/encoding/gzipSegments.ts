import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import { combinedCrc } from './crc.ts'

/** Parts of a body, in order: `head`, the segments joined by commas, `tail`. */
export interface Segments {
  head: Buffer
  /** Non-empty buffers. */
  segments: readonly Buffer[]
  tail: Buffer
}

/** A self-contained piece of a deflate stream, with the checksum and length of its content. */
interface Piece {
  deflated: Buffer
  crc: number
  length: number
}

const options = { level: 1, finishFlush: constants.Z_FULL_FLUSH }
const comma = pieceOf(Buffer.from(','))
/** The gzip header: level 1, unknown system. Source: RFC 1952 section 2.3. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff])
const lastBlock = Buffer.from([3, 0])
const atOnce = 4

// A compressed segment lives as long as its segment, which the creator keeps while it is valid.
const kept = new WeakMap<Buffer, Piece>()

/**
 * The body as one gzip member, in buffers to be written in sequence. Each segment is compressed once, off the event
 * loop, together with its preceding comma.
 */
export async function gzipSegments({ head, segments, tail }: Segments): Promise<Buffer[]> {
  const missing = segments.filter((segment) => !kept.has(segment))
  for (let at = 0; at < missing.length; at += atOnce) {
    await Promise.all(missing.slice(at, at + atOnce).map(keep))
  }
  const parts: Buffer[] = [gzipHead]
  const whole = { crc: 0, length: 0 }
  const add = ({ deflated, crc, length }: Piece): void => {
    parts.push(deflated)
    whole.crc = combinedCrc(whole.crc, crc, length)
    whole.length += length
  }
  add(pieceOf(head))
  for (const [index, segment] of segments.entries()) {
    if (index > 0) add(comma)
    add(kept.get(segment) ?? pieceOf(segment))
  }
  add(pieceOf(tail))
  parts.push(lastBlock, trailer(whole.crc, whole.length))
  return parts
}

const deflate = promisify(deflateRaw)

async function keep(segment: Buffer): Promise<void> {
  const deflated = await deflate(segment, options)
  kept.set(segment, { deflated, crc: crc32(segment), length: segment.length })
}

function pieceOf(bytes: Buffer): Piece {
  return { deflated: deflateRawSync(bytes, options), crc: crc32(bytes), length: bytes.length }
}

function trailer(crc: number, length: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(crc, 0)
  bytes.writeUInt32LE(length % 2 ** 32, 4)
  return bytes
}
