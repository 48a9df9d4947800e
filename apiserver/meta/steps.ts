/** Work that may stop at each `yield`, so that others can go first. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Takes work to its end. Between two steps `pause` may give a promise to wait for; while it gives none, all is done in the
 *  caller's turn. */
export function runSteps<T>(
  steps: Steps<T>,
  pause: () => Promise<void> | undefined,
): T | Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    const pending = pause()
    if (pending !== undefined) return pending.then(() => runSteps(steps, pause))
  }
}

/** Takes work to its end in the caller's turn. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
