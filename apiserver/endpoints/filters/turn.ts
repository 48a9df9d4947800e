import { userFairness } from '../body/userFairness.ts'
import type { Exchange } from '../exchange.ts'

/** Makes a request with a long URL, because of its selectors, wait for the user's turn. */
export function takeTurn({ request, user }: Exchange): Promise<void> | undefined {
  return userFairness.next(user.name, request.url?.length ?? 0)
}
