import type { Clock, Random } from '../../meta/clock.ts'

/** Clock and randomness of ciphers. */
export interface CipherSurroundings {
  clock: Clock
  random: Random
}

/**
 * Encryption with one key. `bound`: the storage key of the bytes; if the cipher authenticates it, they can only be
 * decrypted under it.
 */
export interface Cipher {
  seal(value: Buffer, bound: string): Buffer
  /** Decrypts bytes. @throws Error if they were encrypted with another key. */
  open(sealed: Buffer, bound: string): Buffer
}
