/** Takes exact numbers of bytes from a stream of pieces. */
export class ByteSource {
  /** Bytes taken so far. */
  at = 0
  readonly #pieces: AsyncIterator<Buffer>
  #held: Buffer[] = []
  #heldBytes = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.#pieces = source[Symbol.asyncIterator]()
  }

  /** Next `count` bytes; undefined: the stream ends before, and `at` is its end. */
  async take(count: number): Promise<Buffer | undefined> {
    while (this.#heldBytes < count) {
      const next = await this.#pieces.next()
      if (next.done === true) {
        this.at += this.#heldBytes
        return undefined
      }
      this.#held.push(next.value)
      this.#heldBytes += next.value.length
    }
    const [first] = this.#held
    const all = this.#held.length === 1 && first !== undefined ? first : Buffer.concat(this.#held)
    this.#held = [all.subarray(count)]
    this.#heldBytes = all.length - count
    this.at += count
    return all.subarray(0, count)
  }
}
