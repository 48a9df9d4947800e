import { crc32 } from 'node:zlib'
import type { Change, StoredValue, ValueTemplate } from '../storage.ts'

/** What stands on disk. Every record begins with the CRC-32 of the rest. Numbers are big-endian.
 *
 *    o/<key>        crc u32 · revision u48 · value                                     the object
 *    h/<revision>   crc u32 · time ms u48 · kind u8 · previous revision u48 · key length u32 · key · previous value
 *    c              crc u32 · newest revision u48 · digest u32                         the counter
 *    m              crc u32 · compacted revision u48                                   the compaction mark
 *
 *  A history record holds what its write replaced; what it wrote is what the key's next record replaced, or the object
 *  itself. So each value is written once, and dropping old history is a plain range delete. */
export const objectPrefix = 'o/'
export const historyPrefix = 'h/'
export const counterKey = 'c'
export const compactionKey = 'm'

export type ChangeKind = 'create' | 'update' | 'delete'

export interface HistoryRecord {
  time: number
  kind: ChangeKind
  key: string
  previous: StoredValue | undefined
}

const kinds: readonly ChangeKind[] = ['create', 'update', 'delete']
const revisionDigits = 16
const objectHeader = 10
const historyHeader = 21

export function historyKey(revision: number): string {
  return historyPrefix + String(revision).padStart(revisionDigits, '0')
}

/** The revision in a history key, or NaN. */
export function historyRevision(diskKey: string): number {
  return Number(diskKey.slice(historyPrefix.length))
}

/** The value and its record on disk share one allocation of exactly their size; pooled buffers would hold 8 KB slabs. */
export function encodeObject(
  key: string,
  revision: number,
  template: ValueTemplate,
): { stored: StoredValue; record: Buffer } {
  const digits = String(revision)
  const before = Buffer.byteLength(template.before)
  const length = objectHeader + before + digits.length + Buffer.byteLength(template.after)
  const record = Buffer.allocUnsafeSlow(length)
  record.writeUIntBE(revision, 4, 6)
  record.write(template.before, objectHeader)
  record.write(digits, objectHeader + before, 'latin1')
  record.write(template.after, objectHeader + before + digits.length)
  seal(record)
  return { stored: { key, revision, value: record.subarray(objectHeader) }, record }
}

/** Undefined when the checksum fails. */
export function decodeObject(key: string, record: Buffer): StoredValue | undefined {
  if (!sealed(record, objectHeader)) return undefined
  return { key, revision: record.readUIntBE(4, 6), value: record.subarray(objectHeader) }
}

export function encodeHistory(change: Change, time: number): Buffer {
  const previous = change.previous
  const keyLength = Buffer.byteLength(change.key)
  const record = Buffer.allocUnsafe(historyHeader + keyLength + (previous?.value.length ?? 0))
  record.writeUIntBE(time, 4, 6)
  record[10] = kinds.indexOf(kindOf(change))
  record.writeUIntBE(previous?.revision ?? 0, 11, 6)
  record.writeUInt32BE(keyLength, 17)
  record.write(change.key, historyHeader)
  previous?.value.copy(record, historyHeader + keyLength)
  seal(record)
  return record
}

/** Undefined when the checksum fails. */
export function decodeHistory(record: Buffer): HistoryRecord | undefined {
  if (!sealed(record, historyHeader)) return undefined
  const kind = kinds[record[10] ?? kinds.length]
  const valueAt = historyHeader + record.readUInt32BE(17)
  if (kind === undefined || valueAt > record.length) return undefined
  const key = record.toString('utf8', historyHeader, valueAt)
  const previous: StoredValue | undefined =
    kind === 'create'
      ? undefined
      : { key, revision: record.readUIntBE(11, 6), value: record.subarray(valueAt) }
  return { time: record.readUIntBE(4, 6), kind, key, previous }
}

export function encodeCounter(revision: number, digest: number): Buffer {
  const record = Buffer.alloc(14)
  record.writeUIntBE(revision, 4, 6)
  record.writeUInt32BE(digest, 10)
  seal(record)
  return record
}

/** Undefined when the checksum fails. */
export function decodeCounter(record: Buffer): { revision: number; digest: number } | undefined {
  if (!sealed(record, 14)) return undefined
  return { revision: record.readUIntBE(4, 6), digest: record.readUInt32BE(10) }
}

export function encodeCompaction(revision: number): Buffer {
  const record = Buffer.alloc(10)
  record.writeUIntBE(revision, 4, 6)
  seal(record)
  return record
}

/** Undefined when the checksum fails. */
export function decodeCompaction(record: Buffer): number | undefined {
  return sealed(record, 10) ? record.readUIntBE(4, 6) : undefined
}

function kindOf(change: Change): ChangeKind {
  if (change.previous === undefined) return 'create'
  return change.value === undefined ? 'delete' : 'update'
}

function seal(record: Buffer): void {
  record.writeUInt32BE(crc32(record.subarray(4)), 0)
}

function sealed(record: Buffer, leastLength: number): boolean {
  return record.length >= leastLength && record.readUInt32BE(0) === crc32(record.subarray(4))
}
