/** Time on the wall may pass while somebody else has the processor, and this is how much of it there is at most. */
const longestWaits = 20
/** Asking for processor time costs a tenth of a millisecond. */
const askEveryMs = 5

/** When an evaluation has had its time. The wall is looked at first, which is cheap, and the processor time that is allowed
 *  is counted from when that ran out: between one and two times of what is said, and in the end an end in any case. */
export class RunDeadline {
  readonly #timeMs: number
  readonly #wallMs: () => number
  readonly #processorMs: () => number | undefined
  #startedMs = Infinity
  #askedMs = 0
  /** Processor time at the first look after the wall's; undefined: not yet. */
  #from: number | undefined

  /** `processorMs` gives undefined where the system does not say. */
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
