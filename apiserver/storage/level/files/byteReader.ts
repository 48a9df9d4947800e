/** Reads the numbers and strings of LevelDB's own formats in sequence. */
export class ByteReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }
  get at(): number {
    return this.#at
  }

  /**
   * An unsigned integer with seven bits per byte, lowest first. @throws RangeError if the bytes end early, or the
   * number exceeds what a double holds exactly.
   */
  varint(): number {
    let value = 0
    for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
      const byte = this.#bytes.readUInt8(this.#at++)
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    throw new RangeError('an integer has too many bytes')
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++)
  }

  /** A slice of the bytes. @throws RangeError if fewer bytes are left. */
  take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('the bytes end too early')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  /** A slice prefixed with its length. @throws RangeError. */
  slice(): Buffer {
    return this.take(this.varint())
  }
}
