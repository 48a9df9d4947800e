import { setTimeout as delay } from 'node:timers/promises'

/** Polls another process: resolves once `check` no longer throws.
 *  @throws the last error of `check`, after `timeoutSeconds`. */
export async function eventually(check: () => unknown, timeoutSeconds = 10): Promise<void> {
  const deadline = Date.now() + timeoutSeconds * 1000
  for (;;) {
    try {
      await check()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await delay(20)
  }
}
