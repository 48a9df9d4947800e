import type { Crc32c } from './crc32c.ts'

/**
 * The records that LevelDB's reader would find in a log, and the records that it would silently
 * skip.
 */
export interface LogContents {
  /** The intact records, in order, up to the fault. */
  records: Buffer[]
  /** Offset of the first byte outside an intact record; undefined: none. */
  faultAt: number | undefined
  /**
   * Intact records after the fault: the damage precedes synced data. Empty: the fault may be the last write,
   * interrupted by a crash.
   */
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

/**
 * Reads a log or a manifest: blocks of 32 KB with fragments of records (checksum u32 · length u16 · type u8 · payload),
 * short block ends filled with zeros. Records in a single fragment are slices of `bytes`.
 */
export function readLogFile(bytes: Buffer, crc32c: Crc32c): LogContents {
  const records = new RecordReader()
  for (let at = nextHeader(0, bytes); at < bytes.length;) {
    const fragment = readFragment(bytes, at, crc32c)
    if (fragment === undefined) records.fault(at)
    else records.take(fragment, at)
    // A damaged length is useless, so reading resumes at the next block.
    const next = fragment?.end ?? (Math.floor(at / blockBytes) + 1) * blockBytes
    at = nextHeader(next, bytes)
  }
  return records.ended()
}

/** Assembles fragments into records. */
class RecordReader {
  readonly #found: LogContents = { records: [], faultAt: undefined, later: [] }
  /** Fragments of the incomplete record. */
  #parts: Buffer[] = []
  #begin = 0

  /** Reports that there is no intact fragment at `at`. */
  fault(at: number): void {
    this.#found.faultAt ??= this.#parts.length > 0 ? this.#begin : at
    this.#parts = []
  }

  take({ type, payload }: Fragment, at: number): void {
    const begins = type === full || type === first
    if (begins !== (this.#parts.length === 0)) this.fault(at)
    if (begins) this.#begin = at
    // The rest of a record with a damaged beginning.
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

/** Skips the zeros that fill a block's end without room for a header. */
function nextHeader(at: number, bytes: Buffer): number {
  const left = blockBytes - (at % blockBytes)
  return left < headerBytes ? Math.min(at + left, bytes.length) : at
}

/** Reads a fragment. Undefined: no intact fragment. */
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
