/**
 * End of the event loop's current turn. Responses that wait for it are sent in succession: waking
 * up the client costs more than the rest of a small response, and only the first response has to.
 */
export class TurnEnd {
  #end: Promise<void> | undefined

  /** Resolves at the end of the turn. */
  wait(): Promise<void> {
    this.#end ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#end = undefined
        resolve()
      })
    })
    return this.#end
  }
}
