/** Longest time that the event loop was blocked, in milliseconds of processor time; the time that a process waits for a
 *  busy machine does not count. */
export class LoopMeter {
  #longest = 0
  #at = performance.now()
  #cpu = process.cpuUsage()
  readonly #timer = setInterval(() => this.#tick(), 2)

  /** The longest time since it was asked last. */
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
    // Other threads use processors too: the loop was held no longer than the clock says.
    this.#longest = Math.max(this.#longest, Math.min((user + system) / 1000, wall))
    this.#at = performance.now()
    this.#cpu = process.cpuUsage()
  }
}
