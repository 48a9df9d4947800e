import type { Store } from '../store.ts'
import { newestState } from './newestState.ts'

const waitMs = 3_000
const pollMs = 20

/** Waits up to three seconds for `revision`; resolves to true if the store reached it. Source: reference 4.6. */
export async function reachesRevision(store: Store, revision: number): Promise<boolean> {
  if (store.cache.revision >= revision) return true
  const reaching = newestState(store.options.storage)
  if (reaching !== undefined) await reaching
  const { clock } = store.options
  const endsAt = clock.now() + waitMs
  while (store.cache.revision < revision) {
    if (clock.now() >= endsAt) return false
    await new Promise<void>((resolve) => clock.setTimer(resolve, pollMs))
  }
  return true
}
