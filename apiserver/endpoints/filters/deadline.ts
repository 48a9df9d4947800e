import { parseDuration } from '../../encoding/queryValues.ts'
import { badRequest, timeout } from '../../meta/statusErrors.ts'
import type { Exchange } from '../exchange.ts'
import type { ChainServices } from '../chainServices.ts'
import { writeError } from '../response.ts'

const maxMs = 60_000
const maxWriteMs = 34_000
const boundVerbs = new Set(['create', 'update', 'patch', 'delete'])

/** Answers 504 when a request is not done in time: what `timeout` asks for, at most a minute. Watches have their own
 *  end. Source: reference 1.6. */
export function setDeadline(exchange: Exchange, { clock, report }: ChainServices): void {
  const { info, query, response } = exchange
  if (info.isResource && info.verb === 'watch') return
  const asked = askedMs(query.get('timeout') ?? '')
  const max = boundVerbs.has(info.verb) ? maxWriteMs : maxMs
  const timer = clock.setTimer(
    () => {
      if (response.headersSent) response.destroy()
      else {
        const refusal = timeout('request did not complete within the allotted timeout')
        writeError(exchange, refusal, report)
      }
    },
    asked === 0 || asked > max ? max : asked,
  )
  exchange.onFinish(() => timer.cancel())
}

function askedMs(text: string): number {
  if (text === '') return 0
  try {
    return parseDuration(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw badRequest(`invalid timeout specified in the request URL - ${why}`, error)
  }
}
