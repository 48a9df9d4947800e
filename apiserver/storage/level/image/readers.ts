/** Limits concurrent reads, in order of arrival: each uses much memory. */
export class Readers {
  readonly #max: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#max = max
  }

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#running < this.#max) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await read()
    } finally {
      // The slot passes to the longest waiting reader.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
