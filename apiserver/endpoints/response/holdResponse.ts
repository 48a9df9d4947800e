import type { StatusError } from '../../meta/status.ts'
import { tooManyRequests } from '../../meta/statusErrors.ts'
import type { Exchange } from '../exchange.ts'
import { isExemptRequest } from '../exemptRequest.ts'

/**
 * Accounts for the response to a read until it is sent. Responses to writes are not counted, since their work is
 * already done.
 * @throws StatusError TooManyRequests if the limit is reached.
 */
export function holdAnswer(exchange: Exchange, parts: readonly Buffer[]): void {
  if (exchange.method !== 'GET') return
  const always = isExemptRequest(exchange)
  const release = exchange.unread.hold(exchange.user.name, parts, { always })
  if (release === undefined) throw tooMany()
  exchange.onFinish(release)
}

/** Checks the limit before a response is created. @throws StatusError TooManyRequests if the limit is reached. */
export function checkRoom(exchange: Exchange): void {
  const { unread, user } = exchange
  if (!isExemptRequest(exchange) && !unread.hasRoom(user.name)) throw tooMany()
}

function tooMany(): StatusError {
  return tooManyRequests('too many answers wait to be read, please try again later', 1)
}
