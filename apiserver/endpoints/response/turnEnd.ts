let end: Promise<void> | undefined

/**
 * Resolves at the end of the event loop's turn. Responses that wait for it are sent in succession: the first wakes the
 * client, which costs more than the rest of a small response, and the others find it awake.
 */
export function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined
      resolve()
    })
  })
  return end
}
