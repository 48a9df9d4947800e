/** Blocks callers while it is closed. Initially open. */
export class Gate {
  #passage: Promise<void> = Promise.resolve()
  #release: () => void = () => undefined

  close(): void {
    this.#passage = new Promise((resolve) => {
      this.#release = resolve
    })
  }

  open(): void {
    this.#release()
  }

  passed(): Promise<void> {
    return this.#passage
  }
}
