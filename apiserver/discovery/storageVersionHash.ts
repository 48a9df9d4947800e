import { createHash } from 'node:crypto'
import type { GroupVersionKind } from '../meta/types.ts'

/**
 * A hash by which clients notice that the stored form of a resource changed: base64 of the first 8 bytes of the SHA-256
 * of `group/version/kind`. Source: reference 6.1.
 */
export function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest()
  return digest.subarray(0, 8).toString('base64')
}
