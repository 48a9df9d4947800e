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
const last = 4

interface Fragment {
  type: number
  payload: Buffer
  end: number
}

/** Reads a log or a manifest: blocks of 32 KB, in them fragments of records (checksum u32 · length u16 · type u8 ·
 *  payload), small ends of blocks filled with zeros. Records are slices of `bytes` where they are in one fragment. */
export function readLogFile(bytes: Buffer, crc32c: Crc32c): LogContents {
  const records = new RecordReader()
  for (let at = nextHeader(0, bytes); at < bytes.length;) {
    const fragment = readFragment(bytes, at, crc32c)
    if (fragment === undefined) records.fault(at)
    else records.take(fragment, at)
    // A length that is damaged leads nowhere, so reading goes on where the next block begins.
    const next = fragment?.end ?? (Math.floor(at / blockBytes) + 1) * blockBytes
    at = nextHeader(next, bytes)
  }
  return records.ended()
}

/** Puts fragments together to records. */
class RecordReader {
  readonly #found: LogContents = { records: [], faultAt: undefined, later: [] }
  /** Of the record that has begun and not ended. */
  #parts: Buffer[] = []
  #begin = 0

  /** Nothing whole is at `at`. */
  fault(at: number): void {
    this.#found.faultAt ??= this.#parts.length > 0 ? this.#begin : at
    this.#parts = []
  }

  take({ type, payload }: Fragment, at: number): void {
    const begins = type === full || type === first
    if (begins !== (this.#parts.length === 0)) this.fault(at)
    if (begins) this.#begin = at
    // The rest of a record whose beginning is damaged.
    else if (this.#parts.length === 0) return
    this.#parts.push(payload)
    if (type === full || type === last) this.#end()
  }

  ended(): LogContents {
    if (this.#parts.length > 0) this.fault(this.#begin)
    return this.#found
  }

  #end(): void {
    const [only, ...more] = this.#parts
    const record = only !== undefined && more.length === 0 ? only : Buffer.concat(this.#parts)
    const { records, later, faultAt } = this.#found
    ;(faultAt === undefined ? records : later).push(record)
    this.#parts = []
  }
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
  return { type, payload: bytes.subarray(start, end), end }
}
