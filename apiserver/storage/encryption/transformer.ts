/** A provider of a rule: it transforms the bytes that follow `prefix`. */
export interface Transformer {
  /** Prefix of every value that it wrote; empty: values are not encrypted. */
  readonly prefix: Buffer
  /** The bytes to store, with the prefix. @throws Error if the key is not available. */
  seal(value: Buffer, key: string): Buffer
  /** Decrypts stored bytes. @throws Error if they were not written with one of its keys. */
  open(stored: Buffer, key: string): Buffer
  /** Reports whether these bytes, which it can decrypt, would now be encrypted with another key. */
  isStale(stored: Buffer): boolean
  /** Loads keys; undefined: nothing to load. */
  prepare?(stored: Buffer): Promise<void> | undefined
}

/** Stores values unchanged. */
export const identity: Transformer = {
  prefix: Buffer.of(),
  seal: (value) => value,
  open: (stored) => stored,
  isStale: () => false,
}
