import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when a condition holds. @throws Error after `withinMs`. */
export async function eventually(
  condition: string,
  withinMs: number,
  holds: () => Promise<boolean>,
): Promise<void> {
  const until = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`not within ${withinMs / 1000} s: ${condition}`)
    await delay(100)
  }
}
