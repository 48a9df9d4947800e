import type { Clock, Random } from '../../meta/clock.ts'

/** Time and chance of ciphers. */
export interface CipherSurroundings {
  clock: Clock
  random: Random
}

/** Encryption with one key. `bound`: the storage key of the bytes; they open under no other one if the cipher
 *  authenticates it. */
export interface Cipher {
  seal(value: Buffer, bound: string): Buffer
  /** @throws Error if the bytes are not of this key. */
  open(sealed: Buffer, bound: string): Buffer
}
