import { crc32 } from 'node:zlib'
import type { StoredValue, ValueTemplate } from '../../storage.ts'

/**
 * The format on disk. Every record begins with the CRC-32 of the rest. Numbers are big-endian.
 *
 *     l/<revision>   crc u32 · time ms u48 · count u32
 *                    · count × (key length u32 · value length u32 · key · value)
 *                    the log: writes starting at that revision, without a gap. A value length of
 *                    all ones marks a deletion
 *     o/<key>        crc u32 · revision u48 · value
 *                    the checkpoint: the objects at the revision in the mark
 *     m              crc u32 · checkpoint revision u48 · compacted revision u48 · digest u32
 *                    · chain u32
 *                    the mark: digest of the checkpoint, chain of the log up to the checkpoint.
 *                    Older servers omit the chain
 *
 * A commit writes only log records, which contain object, history and counter. Compaction moves old
 * writes into the checkpoint. A value is therefore written once, and a second time only if it
 * outlives the history.
 */
export const checkpointPrefix = 'o/'
export const logPrefix = 'l/'
export const markKey = 'm'

/** A write of the log; `value` absent: a deletion. */
export interface LogWrite {
  key: string
  value: Buffer | undefined
}

export interface LogRecord {
  /** Milliseconds since the epoch. */
  time: number
  writes: LogWrite[]
}

export interface Mark {
  /** The checkpoint holds the state of this revision, the log begins after it. */
  checkpoint: number
  /** Not below the checkpoint: older revisions are not served, though the log may still hold them. */
  compacted: number
  digest: number
  /** See `chained`; undefined: an older server left it out. */
  chain: number | undefined
}

const revisionDigits = 16
const objectHeader = 10
/** Offset of the first write in a log record. */
export const logHeader = 14
const writeHeader = 8
/** Size of a mark without its chain. */
const markBytes = 20
const deletion = 0xffffffff
/** Maximum bytes of a UTF-16 unit in UTF-8. */
const maxUnitBytes = 3

export function logKey(revision: number): string {
  return logPrefix + String(revision).padStart(revisionDigits, '0')
}

/** The revision in a log key, or NaN. */
export function logRevision(diskKey: string): number {
  return Number(diskKey.slice(logPrefix.length))
}

/** The last revision of a record; 0: it is not a log record. */
export function logReach(diskKey: string, record: Buffer | undefined): number {
  if (record === undefined || !diskKey.startsWith(logPrefix)) return 0
  if (record.length < logHeader) return 0
  return logRevision(diskKey) + record.readUInt32BE(10) - 1
}

/**
 * The chain after a log record: a checksum of the checksums of all records so far. The number distinguishes the log of
 * a database from any other, including the same database at an earlier time.
 */
export function chained(chain: number, record: Buffer): number {
  return crc32(record.subarray(0, 4), chain)
}

/** The value with its own revision, in an allocation of exactly its size: pooled buffers would retain 8 KB slabs. */
export function encodeValue(revision: number, { before, after }: ValueTemplate): Buffer {
  const text = `${before}${revision}${after}`
  const value = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  value.write(text)
  return value
}

/** Maximum bytes of a write in a log record. */
export function logSize({ key, value }: LogWrite): number {
  return writeHeader + key.length * maxUnitBytes + (value?.length ?? 0)
}

/** Puts a write into an incomplete log record and returns the offset of the next one. */
export function putLogWrite(record: Buffer, at: number, { key, value }: LogWrite): number {
  const keyLength = record.write(key, at + writeHeader)
  record.writeUInt32BE(keyLength, at)
  record.writeUInt32BE(value === undefined ? deletion : value.length, at + 4)
  const end = at + writeHeader + keyLength
  return value === undefined ? end : end + value.copy(record, end)
}

/** Completes a log record after all its writes were added. */
export function sealLog(record: Buffer, time: number, count: number): void {
  record.writeUIntBE(time, 4, 6)
  record.writeUInt32BE(count, 10)
  seal(record)
}

/** Decodes a log record; undefined if the checksum fails. Values are slices of the record. */
export function decodeLog(record: Buffer): LogRecord | undefined {
  if (!sealed(record, logHeader)) return undefined
  const writes: LogWrite[] = []
  let at = logHeader
  for (let left = record.readUInt32BE(10); left > 0; left--) {
    const keyEnd = at + writeHeader + record.readUInt32BE(at)
    const length = record.readUInt32BE(at + 4)
    const key = record.toString('utf8', at + writeHeader, keyEnd)
    at = keyEnd + (length === deletion ? 0 : length)
    writes.push({ key, value: length === deletion ? undefined : record.subarray(keyEnd, at) })
  }
  return { time: record.readUIntBE(4, 6), writes }
}

export function encodeObject({ revision, value }: StoredValue): Buffer {
  const record = Buffer.allocUnsafe(objectHeader + value.length)
  record.writeUIntBE(revision, 4, 6)
  value.copy(record, objectHeader)
  seal(record)
  return record
}

/** Decodes an object of the checkpoint; undefined if the checksum fails. */
export function decodeObject(key: string, record: Buffer): StoredValue | undefined {
  if (!sealed(record, objectHeader)) return undefined
  return { key, revision: record.readUIntBE(4, 6), value: record.subarray(objectHeader) }
}

export function encodeMark({ checkpoint, compacted, digest, chain }: Mark): Buffer {
  const record = Buffer.alloc(chain === undefined ? markBytes : markBytes + 4)
  record.writeUIntBE(checkpoint, 4, 6)
  record.writeUIntBE(compacted, 10, 6)
  record.writeUInt32BE(digest, 16)
  if (chain !== undefined) record.writeUInt32BE(chain, markBytes)
  seal(record)
  return record
}

/** Decodes the mark; undefined if the checksum fails. */
export function decodeMark(record: Buffer): Mark | undefined {
  if (!sealed(record, markBytes)) return undefined
  return {
    checkpoint: record.readUIntBE(4, 6),
    compacted: record.readUIntBE(10, 6),
    digest: record.readUInt32BE(16),
    chain: record.length > markBytes ? record.readUInt32BE(markBytes) : undefined,
  }
}

function seal(record: Buffer): void {
  record.writeUInt32BE(crc32(record.subarray(4)), 0)
}

function sealed(record: Buffer, leastLength: number): boolean {
  return record.length >= leastLength && record.readUInt32BE(0) === crc32(record.subarray(4))
}
