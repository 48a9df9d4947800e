import { pausing } from './steps.ts'

/** Pace of asynchronous work that may not hold the event loop: it rests every few milliseconds. */
export class Pace {
  readonly #pause = pausing(() => new Promise(setImmediate))

  /** Lets other work of the process run if this work has held the event loop for a few milliseconds. */
  async rest(): Promise<void> {
    await this.#pause()
  }
}
