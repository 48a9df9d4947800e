import type { Random } from '../clock.ts'

const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixLength = 5
const maxBaseLength = 63 - suffixLength

/** `prefix`, cut to 58 bytes, followed by five random characters. Source: reference 3.2. */
export function generateName(prefix: string, random: Random): string {
  let suffix = ''
  while (suffix.length < suffixLength) {
    for (const byte of random.bytes(2 * suffixLength)) {
      // 243 = 9 × 27: higher bytes would favour the first letters.
      if (byte < 243 && suffix.length < suffixLength)
        suffix += alphabet[byte % alphabet.length] ?? ''
    }
  }
  return Buffer.from(prefix).subarray(0, maxBaseLength).toString('utf8') + suffix
}
