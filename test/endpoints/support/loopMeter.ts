/**
 * Longest time that the event loop was blocked, in milliseconds of processor time; waiting for a
 * busy machine does not count.
 */
export class LoopMeter {
  #longest = 0
  #at = performance.now()
  #cpu = process.cpuUsage()
  readonly #timer = setInterval(() => this.#tick(), 2)

  /** Longest time since the last call. */
  take(): number {
    this.#tick()
    const longest = this.#longest
    this.#longest = 0
    return longest
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const { user, system } = process.cpuUsage(this.#cpu)
    const wall = performance.now() - this.#at
    // Other threads use processor time, too: the loop was not blocked longer than the clock shows.
    this.#longest = Math.max(this.#longest, Math.min((user + system) / 1000, wall))
    this.#at = performance.now()
    this.#cpu = process.cpuUsage()
  }
}
