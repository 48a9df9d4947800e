/**
 * Bounded queue of lines waiting for their sink. A line that does not fit is refused, so that a
 * stalled sink neither delays requests nor fills memory.
 */
export class LineQueue {
  readonly #maxBytes: number
  #lines: string[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get length(): number {
    return this.#lines.length
  }

  /** Adds a line. Returns false if the queue is full and the line was refused. */
  push(line: string): boolean {
    if (this.#bytes + line.length > this.#maxBytes) return false
    this.#lines.push(line)
    this.#bytes += line.length
    return true
  }

  /**
   * The oldest lines, at most `maxLines` and `maxBytes` but at least one line. They stay until
   * `drop`.
   */
  peek(maxLines: number, maxBytes: number): string[] {
    let bytes = 0
    let count = 0
    for (const line of this.#lines) {
      if (count === maxLines || (count > 0 && bytes + line.length > maxBytes)) break
      bytes += line.length
      count++
    }
    return this.#lines.slice(0, count)
  }

  /** Removes the `count` oldest lines. */
  drop(count: number): void {
    for (const line of this.#lines.splice(0, count)) this.#bytes -= line.length
  }
}
