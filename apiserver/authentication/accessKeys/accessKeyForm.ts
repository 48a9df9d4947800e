import { hash } from 'node:crypto'
import type { Random } from '../../meta/clock.ts'

/**
 * Forms of an access key. A key is stored as its digest, so that a copied database reveals no
 * credentials; keys have enough entropy that digests cannot be reversed. A digest is not accepted
 * as a key.
 */

const digestPrefix = 'sha256:'
const storedForm = /^sha256:[0-9a-f]{64}$/
const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const generatedLength = 64

/** A new key: 64 letters and digits. */
export function generateAccessKey(random: Random): string {
  let key = ''
  while (key.length < generatedLength) {
    for (const byte of random.bytes(2 * generatedLength)) {
      // 248 = 4 × 62; higher bytes would favour the first letters.
      if (byte < 248 && key.length < generatedLength) key += alphabet[byte % alphabet.length] ?? ''
    }
  }
  return key
}

/** The digest under which a token is looked up, whatever the token's form. */
export function accessKeyDigest(token: string): string {
  return digestPrefix + hash('sha256', token)
}

/** The stored form of a key. A value in stored form is returned unchanged. */
export function storedAccessKey(key: string): string {
  return isStoredAccessKey(key) ? key : accessKeyDigest(key)
}

export function isStoredAccessKey(text: string): boolean {
  return storedForm.test(text)
}
