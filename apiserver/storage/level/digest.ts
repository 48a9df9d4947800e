import { crc32 } from 'node:zlib'
import type { Change, StoredValue } from '../storage.ts'

/** A sum over the objects that exist, one term for each key and revision. It is written with the counter in every
 *  batch and compared on opening: LevelDB skips a damaged record of its log without a word, and where the history of
 *  those writes was compacted, nothing else would show that an object is missing or old. */
export function digestAfter(digest: number, change: Change): number {
  let sum = digest
  if (change.previous !== undefined) sum -= term(change.key, change.previous.revision)
  if (change.value !== undefined) sum += term(change.key, change.revision)
  return sum >>> 0
}

export function digestWith(digest: number, stored: StoredValue): number {
  return (digest + term(stored.key, stored.revision)) >>> 0
}

/** The finalizer of MurmurHash3 over key and revision. For one key, different revisions give different terms. */
function term(key: string, revision: number): number {
  let hash = crc32(key) ^ revision
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
