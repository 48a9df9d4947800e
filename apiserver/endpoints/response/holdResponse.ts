import type { StatusError } from '../../meta/status.ts'
import { tooManyRequests } from '../../meta/statusErrors.ts'
import type { Exchange } from '../exchange.ts'
import { encryptedBytes } from '../../meta/waiting/writeSlices.ts'
import type { HoldUnread } from '../../watch/watcher.ts'
import { isExemptRequest } from '../exemptRequest.ts'

/**
 * Accounts for the response to a read until it is sent. Responses to writes are not counted, since their work is
 * already done.
 * @throws StatusError TooManyRequests if the limit is reached.
 */
export function holdAnswer(exchange: Exchange, parts: readonly Buffer[]): void {
  if (exchange.method !== 'GET') return
  const always = isExemptRequest(exchange)
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  const more = encryptedBytes(bytes)
  const release = exchange.unread.hold(exchange.user.name, parts, { more, always })
  if (release === undefined) throw tooMany()
  exchange.onFinish(release)
}

/** Accounts for the frames of a watch. */
export function holdFrames(exchange: Exchange): HoldUnread {
  const { unread, user } = exchange
  const { name } = user
  const always = isExemptRequest(exchange)
  return (frames, more) =>
    unread.hold(name, [frames], { more: more + encryptedBytes(frames.length), always })
}

/** Checks the limit before a response is created. @throws StatusError TooManyRequests if the limit is reached. */
export function checkRoom(exchange: Exchange): void {
  const { unread, user } = exchange
  if (!isExemptRequest(exchange) && !unread.hasRoom(user.name)) throw tooMany()
}

function tooMany(): StatusError {
  return tooManyRequests('too many answers wait to be read, please try again later', 1)
}
