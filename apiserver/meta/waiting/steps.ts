/** Work that may pause at each `yield` for other work. */
export type Steps<T> = Generator<undefined, T, undefined>

/**
 * Runs work to completion. `pause` may return a promise to wait for between two steps; as long as it does not,
 * everything runs in the caller's turn.
 */
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

/** Results of `work` for each item, with one step per item. */
export function* inSteps<Item, T>(items: readonly Item[], work: (item: Item) => T): Steps<T[]> {
  const results: T[] = []
  for (const item of items) {
    results.push(work(item))
    yield
  }
  return results
}

/** Maximum time in ms that paced work runs before other work, unless a single step takes longer. */
const pace = 8

/**
 * Runs work in short turns: every few milliseconds, other work of the process has priority. `turn`
 * resolves when the next turn may begin; absent: the work runs in the background, after other
 * pending work.
 */
export async function runPaced<T>(
  steps: Steps<T>,
  turn: () => Promise<unknown> = () => new Promise(setImmediate),
): Promise<T> {
  for (;;) {
    const began = performance.now()
    while (performance.now() - began < pace) {
      const { done, value } = steps.next()
      if (done === true) return value
    }
    await turn()
  }
}

/** Pause for `runSteps` that waits for `turn` only when the work took its time, so that short work has no pause. */
export function pausing(turn: () => Promise<unknown>): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < pace) return undefined
    return turn().then(() => {
      began = performance.now()
    })
  }
}

/** Runs work to completion in the caller's turn. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
