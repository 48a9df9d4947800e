import { StorageError } from '../errors.ts'
import type { ValueTemplate } from '../storage.ts'

/**
 * Format of a value in etcd: the length of the bytes before its revision (u32, big-endian), then the bytes before and
 * after it. Only etcd knows the revision of a write, so the value gets it when it is read.
 */
const header = 4

export function encodeTemplate({ before, after }: ValueTemplate): Buffer {
  const text = before + after
  const value = Buffer.allocUnsafe(header + Buffer.byteLength(text))
  value.write(text, header)
  value.writeUInt32BE(before.length === 0 ? 0 : Buffer.byteLength(before))
  return value
}

/** Encoded value with its revision, in a separate allocation. */
export function withRevision(encoded: Uint8Array, revision: number): Buffer {
  const digits = String(revision)
  const stored = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  const split = stored.length < header ? stored.length : header + stored.readUInt32BE(0)
  if (split > stored.length || stored.length < header) {
    throw new StorageError('Unavailable', `the value of revision ${revision} in etcd is damaged`)
  }
  const value = Buffer.allocUnsafeSlow(stored.length - header + digits.length)
  const at = stored.copy(value, 0, header, split)
  stored.copy(value, at + value.write(digits, at, 'latin1'), split)
  return value
}
