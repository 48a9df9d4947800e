import type { LedPart, Leadership, Part } from '../../runtime/leadership.ts'

/** Parts of one server that start and stop with its leadership, in the order in which they were added. */
export class LedParts implements Leadership {
  readonly #report: (error: unknown) => void
  readonly #parts = new Set<LedPartOf<Part>>()
  #isLeading = false
  /** Changes of the leadership, in sequence. */
  #changing: Promise<void> = Promise.resolve()

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  get isLeading(): boolean {
    return this.#isLeading
  }

  async lead<Running extends Part>(
    open: () => Promise<Running> | Running,
  ): Promise<LedPart<Running>> {
    const part = new LedPartOf(open, () => this.#parts.delete(part))
    this.#parts.add(part)
    if (this.#isLeading) await part.start()
    return part
  }

  /** Starts the parts in sequence. */
  begin(): void {
    if (this.#isLeading) return
    this.#isLeading = true
    this.#changing = this.#changing.then(async () => {
      for (const part of this.#parts) if (this.#isLeading) await part.start().catch(this.#report)
    })
  }

  /** Stops the parts at once, in reverse order. */
  end(): void {
    if (!this.#isLeading) return
    this.#isLeading = false
    for (const part of [...this.#parts].reverse()) part.pause()
  }
}

class LedPartOf<Running extends Part> implements LedPart<Running> {
  readonly #open: () => Promise<Running> | Running
  readonly #onStop: () => void
  #current: Running | undefined
  /** Incremented with every start and pause, so that a part that opened too late is stopped. */
  #turn = 0

  constructor(open: () => Promise<Running> | Running, onStop: () => void) {
    this.#open = open
    this.#onStop = onStop
  }

  get current(): Running | undefined {
    return this.#current
  }

  async start(): Promise<void> {
    if (this.#current !== undefined) return
    const turn = ++this.#turn
    const opened = await this.#open()
    if (turn === this.#turn) this.#current = opened
    else opened.stop()
  }

  pause(): void {
    this.#turn++
    this.#current?.stop()
    this.#current = undefined
  }

  stop(): void {
    this.#onStop()
    this.pause()
  }
}
