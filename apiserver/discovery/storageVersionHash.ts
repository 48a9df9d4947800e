import { createHash } from 'node:crypto'
import type { GroupVersionKind } from '../meta/types.ts'

/**
 * A hash that tells clients when the stored form of a resource changes: base64 of the first 8 bytes
 * of the SHA-256 of `group/version/kind`. Source: reference 6.1.
 */
export function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest()
  return digest.subarray(0, 8).toString('base64')
}
