import { messageOf } from '../../meta/messageOf.ts'
import { guarded } from '../../meta/waiting/guarded.ts'
import { parseDuration } from '../../encoding/queryValues.ts'
import { badRequest, timeout } from '../../meta/statusErrors.ts'
import { backupPath } from '../documents/backup.ts'
import type { Exchange } from '../exchange.ts'
import { isLongRunning } from '../longRunning.ts'
import type { ChainServices } from '../chainServices.ts'
import { RequestError } from '../response/requestError.ts'
import { writeError } from '../response/response.ts'

const maxMs = 60_000
const maxWriteMs = 34_000
/** Maximum length of a duration; parsing a longer one would delay all requests, before authentication. */
const longestDuration = 100
const boundVerbs = new Set(['create', 'update', 'patch', 'delete'])
const boundText = 'request did not complete within requested timeout - context deadline exceeded'
const filterText = 'request did not complete within the allotted timeout'

/**
 * Responds 504 if a request exceeds its deadline: the `timeout` parameter, at most a minute. Watches end by their own
 * rules, and a backup takes as long as its client reads. Source: reference 1.6.
 */
export function setDeadline(exchange: Exchange, { clock, report }: ChainServices): void {
  const { info, query, response } = exchange
  if (info.isResource ? info.verb === 'watch' : info.path === backupPath) return
  if (isLongRunning(exchange)) return
  const asked = askedMs(query.get('timeout') ?? '')
  const isBound = info.isResource && boundVerbs.has(info.verb)
  const max = isBound ? maxWriteMs : maxMs
  const giveUp = () => {
    exchange.gaveUp = 'late'
    if (response.headersSent) response.destroy()
    else writeError(exchange, timeout(isBound ? boundText : filterText), report)
  }
  const failed = (error: unknown) => {
    report(new RequestError(`${exchange.method} ${exchange.path}`, error))
    response.destroy()
  }
  const timer = clock.setTimer(
    guarded('deadline.giveUp', failed, giveUp),
    asked > 0 && asked < max ? asked : max,
  )
  exchange.onFinish(() => timer.cancel())
}

function askedMs(text: string): number {
  if (text === '') return 0
  if (text.length > longestDuration)
    throw badRequest('invalid timeout specified in the request URL')
  try {
    return parseDuration(text)
  } catch (error) {
    const why = messageOf(error)
    throw badRequest(`invalid timeout specified in the request URL - ${why}`, error)
  }
}
