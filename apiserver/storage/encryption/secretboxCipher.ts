import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import type { Random } from '../../meta/clock.ts'
import type { Cipher } from './cipher.ts'

const nonceBytes = 24

/** XSalsa20 and Poly1305: nonce, tag, ciphertext. It cannot authenticate the storage key. */
export function secretboxCipher(key: Buffer, random: Random): Cipher {
  return {
    seal(value) {
      const nonce = random.bytes(nonceBytes)
      return Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(value)])
    },
    open(sealed) {
      const nonce = sealed.subarray(0, nonceBytes)
      return Buffer.from(xsalsa20poly1305(key, nonce).decrypt(sealed.subarray(nonceBytes)))
    },
  }
}
