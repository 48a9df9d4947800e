/** Maximum wall time as a multiple of the limit, since other threads may use the processor. */
const longestWaits = 20
/** Interval of reading the processor time, which costs a tenth of a millisecond. */
const askEveryMs = 5

/**
 * The time limit of an evaluation. Wall time is checked first, which is cheap; after it exceeds the
 * limit, processor time is counted: the evaluation gets between one and two times its limit, and
 * ends in any case.
 */
export class RunDeadline {
  readonly #timeMs: number
  readonly #wallMs: () => number
  readonly #processorMs: () => number | undefined
  #startedMs = Infinity
  #askedMs = 0
  /** Processor time at the first check after the wall time limit; undefined: not reached. */
  #from: number | undefined

  /** Creates a deadline; `processorMs` returns undefined if the system does not support it. */
  constructor(timeMs: number, wallMs: () => number, processorMs: () => number | undefined) {
    this.#timeMs = timeMs
    this.#wallMs = wallMs
    this.#processorMs = processorMs
  }

  start(): void {
    this.#startedMs = this.#wallMs()
    this.#from = undefined
  }

  stop(): void {
    this.#startedMs = Infinity
  }

  isOver(): boolean {
    const now = this.#wallMs()
    const passedMs = now - this.#startedMs
    if (!(passedMs > this.#timeMs)) return false
    if (passedMs > this.#timeMs * longestWaits) return true
    if (this.#from !== undefined && now - this.#askedMs < askEveryMs) return false
    this.#askedMs = now
    const used = this.#processorMs()
    if (used === undefined) return true
    this.#from ??= used
    return used - this.#from > this.#timeMs
  }
}
