import type { Crc32c } from './crc32c.ts'

/** What LevelDB's reader would find in a log, and what it would skip without a word. */
export interface LogContents {
  /** The records that are whole, in order, up to the fault. */
  records: Buffer[]
  /** Where the first byte is that does not belong to a whole record; undefined: every byte does. */
  faultAt: number | undefined
  /** Whole records after the fault: what was synced before them is damaged. None: the fault may be what a crash left of
   *  the last write. */
  later: Buffer[]
}

const blockBytes = 32 * 1024
const headerBytes = 7
const full = 1
const first = 2
const middle = 3
const last = 4

interface Fragment {
  type: number
  payload: Buffer
  end: number
}

/** Reads a log or a manifest: blocks of 32 KB, in them fragments of records (checksum u32 · length u16 · type u8 ·
 *  payload), small ends of blocks filled with zeros. Records are slices of `bytes` where they are in one fragment. */
export function readLogFile(bytes: Buffer, crc32c: Crc32c): LogContents {
  const found: LogContents = { records: [], faultAt: undefined, later: [] }
  /** Of the record that has begun and not ended. */
  let parts: Buffer[] = []
  let begin = 0
  const fault = (at: number): void => {
    found.faultAt ??= at
    parts = []
  }
  for (let at = nextHeader(0, bytes); at < bytes.length;) {
    const fragment = readFragment(bytes, at, crc32c)
    if (fragment === undefined) {
      fault(parts.length > 0 ? begin : at)
      // A length that is damaged leads nowhere, so reading goes on where the next block begins.
      at = (Math.floor(at / blockBytes) + 1) * blockBytes
      continue
    }
    const { type, payload, end } = fragment
    const begins = type === full || type === first
    if (begins !== (parts.length === 0)) fault(parts.length > 0 ? begin : at)
    if (begins) begin = at
    if (begins || parts.length > 0) parts.push(payload)
    if (parts.length > 0 && (type === full || type === last)) {
      const record = parts.length === 1 ? payload : Buffer.concat(parts)
      if (found.faultAt === undefined) found.records.push(record)
      else found.later.push(record)
      parts = []
    }
    at = nextHeader(end, bytes)
  }
  if (parts.length > 0) fault(begin)
  return found
}

/** Behind the zeros that fill a block whose end has no room for a header. */
function nextHeader(at: number, bytes: Buffer): number {
  const left = blockBytes - (at % blockBytes)
  return left < headerBytes ? Math.min(at + left, bytes.length) : at
}

/** Undefined: no fragment is there, or not a whole one. */
function readFragment(bytes: Buffer, at: number, crc32c: Crc32c): Fragment | undefined {
  if (at + headerBytes > bytes.length) return undefined
  const type = bytes.readUInt8(at + 6)
  const start = at + headerBytes
  const end = start + bytes.readUInt16LE(at + 4)
  if (type < full || type > last || end > bytes.length) return undefined
  if (Math.floor((end - 1) / blockBytes) > Math.floor(at / blockBytes)) return undefined
  if (!crc32c.fits(bytes.readUInt32LE(at), bytes, { start: at + 6, end })) return undefined
  return { type: type === middle ? middle : type, payload: bytes.subarray(start, end), end }
}
