/** Maximum time in ms between two rests. */
const workMs = 8

/** Pace of asynchronous work that may not hold the event loop: it rests every few milliseconds. */
export class Pace {
  #began = performance.now()

  /** Lets other work of the process run if this work has held the event loop for a few milliseconds. */
  async rest(): Promise<void> {
    if (performance.now() - this.#began < workMs) return
    await new Promise(setImmediate)
    this.#began = performance.now()
  }
}
