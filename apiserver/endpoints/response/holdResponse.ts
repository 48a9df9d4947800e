import type { StatusError } from '../../meta/status.ts'
import { tooManyRequests } from '../../meta/statusErrors.ts'
import type { Exchange } from '../exchange.ts'
import { isNeverTurnedAway } from '../exemptRequest.ts'

/** Counts the answer to a read until it was taken. What a write is answered is not counted: it is done by then.
 *  @throws StatusError TooManyRequests where there is no room for it. */
export function holdAnswer(exchange: Exchange, parts: readonly Buffer[]): void {
  if (exchange.method !== 'GET') return
  const always = isNeverTurnedAway(exchange)
  const release = exchange.unread.hold(exchange.user.name, parts, { always })
  if (release === undefined) throw tooMany()
  exchange.onFinish(release)
}

/** Refuses what is still to be made. @throws StatusError TooManyRequests where there is no room for it. */
export function checkRoom(exchange: Exchange): void {
  const { unread, user } = exchange
  if (!isNeverTurnedAway(exchange) && !unread.hasRoom(user.name)) throw tooMany()
}

function tooMany(): StatusError {
  return tooManyRequests('too many answers wait to be read, please try again later', 1)
}
