/** Lets so many read at once, the rest in the order in which they came: what each holds while it reads is large. */
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
      // The place goes on to who waits longest.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
