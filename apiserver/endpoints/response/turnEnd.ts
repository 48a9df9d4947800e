let end: Promise<void> | undefined

/** Resolves when the event loop has taken what was ready in this turn. Answers that wait for it go out one right after
 *  the other: the first wakes a reader that sleeps, which costs more than all else of a small answer, and the next find
 *  it awake. */
export function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined
      resolve()
    })
  })
  return end
}
