import { createCipheriv, createDecipheriv, type CipherGCMTypes } from 'node:crypto'
import type { Random } from '../../meta/clock.ts'
import type { Cipher } from './cipher.ts'

const nonceBytes = 12
const tagBytes = 16
const blockBytes = 16

/** AES-GCM: nonce, ciphertext, tag. The bytes are authenticated together with the key of their object. */
export function gcmCipher(key: Buffer, random: Random): Cipher {
  // Sound: the length of the key was validated, and determines the variant.
  const name = `aes-${key.length * 8}-gcm` as CipherGCMTypes
  return {
    seal(value, bound) {
      const nonce = random.bytes(nonceBytes)
      const cipher = createCipheriv(name, key, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(bound))
      return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, bound) {
      if (sealed.length < nonceBytes + tagBytes) throw new RangeError(tooShort)
      const end = sealed.length - tagBytes
      const cipher = createDecipheriv(name, key, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      cipher.setAAD(Buffer.from(bound))
      cipher.setAuthTag(sealed.subarray(end))
      return Buffer.concat([cipher.update(sealed.subarray(nonceBytes, end)), cipher.final()])
    },
  }
}

/** AES-CBC with PKCS#7 padding: initialization vector, ciphertext. Without authentication. */
export function cbcCipher(key: Buffer, random: Random): Cipher {
  const name = `aes-${key.length * 8}-cbc`
  return {
    seal(value) {
      const vector = random.bytes(blockBytes)
      const cipher = createCipheriv(name, key, vector)
      return Buffer.concat([vector, cipher.update(value), cipher.final()])
    },
    open(sealed) {
      if (sealed.length < blockBytes) throw new RangeError(tooShort)
      const cipher = createDecipheriv(name, key, sealed.subarray(0, blockBytes))
      return Buffer.concat([cipher.update(sealed.subarray(blockBytes)), cipher.final()])
    },
  }
}

const tooShort = 'the stored data was shorter than the required size'
