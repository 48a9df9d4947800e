import { createHmac } from 'node:crypto'
import type { Random } from '../../meta/clock.ts'
import { gcmCipher } from './aesCiphers.ts'
import type { Cipher } from './cipher.ts'

export const seedBytes = 32
const infoBytes = 32

/**
 * AES-GCM with a separate key for every value, derived from a seed: info, then the ciphertext with the derived key.
 * Source: kube-apiserver, KMS v2, HKDF-SHA256 (RFC 5869, expand alone).
 */
export function seedCipher(seed: Buffer, random: Random): Cipher {
  return {
    seal(value, bound) {
      const info = random.bytes(infoBytes)
      return Buffer.concat([info, derived(seed, info, random).seal(value, bound)])
    },
    open(sealed, bound) {
      const info = sealed.subarray(0, infoBytes)
      return derived(seed, info, random).open(sealed.subarray(infoBytes), bound)
    },
  }
}

/** Cipher of one value. One block of HKDF has the length of the key. */
function derived(seed: Buffer, info: Buffer, random: Random): Cipher {
  return gcmCipher(createHmac('sha256', seed).update(info).update(Buffer.of(1)).digest(), random)
}
