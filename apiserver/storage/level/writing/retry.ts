import type { Clock, Timer } from '../../../meta/clock.ts'

const firstDelayMs = 100
const longestDelayMs = 30_000

/** Repeats an attempt with exponential backoff until it succeeds or `stop` is called. */
export class Retry {
  readonly #clock: Clock
  readonly #attempt: () => Promise<void>
  readonly #onFailed: (error: unknown) => void
  #timer: Timer | undefined
  #running: Promise<void> | undefined
  #stopped = false

  constructor(clock: Clock, attempt: () => Promise<void>, onFailed: (error: unknown) => void) {
    this.#clock = clock
    this.#attempt = attempt
    this.#onFailed = onFailed
  }

  start(): void {
    this.#wait(firstDelayMs)
  }

  /** Waits for the attempt in progress. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#running
  }

  #wait(delayMs: number): void {
    if (this.#stopped) return
    this.#timer = this.#clock.setTimer(() => {
      this.#running = this.#try(delayMs)
    }, delayMs)
  }

  async #try(delayMs: number): Promise<void> {
    try {
      await this.#attempt()
    } catch (error) {
      this.#onFailed(error)
      this.#wait(Math.min(delayMs * 2, longestDelayMs))
    }
  }
}
