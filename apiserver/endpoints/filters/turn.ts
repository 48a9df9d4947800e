import { callerTurns } from '../body/userFairness.ts'
import type { Exchange } from '../exchange.ts'

/** Lets a request whose URL is long, by its selectors, wait for its turn. */
export function takeTurn({ request, user }: Exchange): Promise<void> | undefined {
  return callerTurns.next(user.name, request.url?.length ?? 0)
}
