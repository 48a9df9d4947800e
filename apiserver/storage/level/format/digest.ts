import { crc32 } from 'node:zlib'

/**
 * A digest of the objects of a checkpoint, with one term per key and revision. It is written with
 * the mark and compared on opening. LevelDB silently skips damaged records of its log, and the
 * checkpoint has no history, so nothing else would reveal a missing or stale object.
 */
export function withTerm(digest: number, key: string, revision: number): number {
  return (digest + term(key, revision)) >>> 0
}

export function withoutTerm(digest: number, key: string, revision: number): number {
  return (digest - term(key, revision)) >>> 0
}

/** The finalizer of MurmurHash3 over key and revision. For one key, different revisions give different terms. */
function term(key: string, revision: number): number {
  let hash = crc32(key) ^ revision
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
