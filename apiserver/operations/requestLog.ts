import type { Exchange } from '../endpoints/exchange.ts'
import { exchangeEnd } from '../endpoints/exchangeEnd.ts'
import type { Logger } from '../runtime/logging.ts'

/** Minimum duration of a request that is logged at info. */
const slowSeconds = 1

export interface RequestLogOptions {
  log: Logger
  /** True to log every request rather than only slow ones. */
  logsAll: boolean
  /** The newest revision of the storage. */
  revision: () => number
}

/**
 * Log line for each request at its end: at debug, or at info for slow requests, with the time that filters took.
 * Watches are never slow. Paths are logged without their query, which may contain secrets.
 */
export class RequestLog {
  readonly #options: RequestLogOptions
  /** True to receive watches, too. */
  readonly followsWatches: boolean

  constructor(options: RequestLogOptions) {
    this.#options = options
    this.followsWatches = options.logsAll
  }

  ended(exchange: Exchange, seconds: number): void {
    const isSlow = seconds >= slowSeconds && exchange.info.verb !== 'watch'
    if (!isSlow && !this.#options.logsAll) return
    const fields = this.#fields(exchange, seconds)
    const { log } = this.#options
    if (isSlow) log.info({ ...fields, filtersMs: exchange.filtersMs ?? {} }, 'slow request')
    else log.debug(fields, 'request')
  }

  #fields(exchange: Exchange, seconds: number): Record<string, unknown> {
    const { info, method, path, user, auditId } = exchange
    const { verb } = info
    const { group, resource, subresource, namespace, name } = info
    const target = { group, resource, subresource, namespace, name }
    const shown = Object.entries(target).filter(([, value]) => value !== '')
    return {
      user: user.name,
      ...{ method, verb, path },
      ...Object.fromEntries(shown),
      status: exchangeEnd(exchange).code,
      durationMs: Math.round(seconds * 1e4) / 10,
      revision: this.#options.revision(),
      auditId,
    }
  }
}
