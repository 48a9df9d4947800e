import type { Clock, Random, Timer } from '../meta/clock.ts'
import type { Exchange } from '../endpoints/exchange.ts'
import { exchangeEnd } from '../endpoints/exchangeEnd.ts'
import type { Logger } from '../runtime/logging.ts'
import { otlpBody, type Span } from './otlp.ts'
import { postJson } from './postJson.ts'
import { parseTraceParent, traceParentText } from './traceParent.ts'

const flushMs = 5_000
/** Number of spans sent at once, and of spans kept while the collector does not respond; further ones are dropped. */
const mostSent = 512
const mostKept = 4_096

export interface TracesOptions {
  /** Base URL of the collector; spans go to `/v1/traces` below it. */
  endpoint: string
  /** Share of requests without a sampled parent that are traced, in millionths. */
  samplingRatePerMillion: number
  /** Version of this server. */
  version: string
  clock: Clock
  random: Random
  log: Logger
}

/**
 * Traces of requests: a span for each sampled request, sent to a collector in batches by OTLP over HTTP, as JSON.
 * Continues the trace of `traceparent`, and returns its span to the client in `traceresponse`.
 * Source: OpenTelemetry Protocol 1.x, "OTLP/HTTP"; semantic conventions for HTTP servers; W3C Trace Context.
 */
export class Traces {
  readonly #options: TracesOptions
  #spans: Span[] = []
  #timer: Timer | undefined
  #sending: Promise<void> | undefined
  #dropped = 0

  constructor(options: TracesOptions) {
    this.#options = options
  }

  /** Tracks a request to its end. */
  observe(exchange: Exchange): void {
    const { random, samplingRatePerMillion, clock } = this.#options
    const header = exchange.request.headers['traceparent']
    const parent = parseTraceParent(typeof header === 'string' ? header : undefined)
    const draw = random.bytes(4).readUInt32BE() / 2 ** 32
    if (parent?.isSampled !== true && draw >= samplingRatePerMillion / 1e6) return
    const traceId = parent?.traceId ?? random.bytes(16).toString('hex')
    const spanId = random.bytes(8).toString('hex')
    exchange.response.setHeader(
      'traceresponse',
      traceParentText({ traceId, spanId, isSampled: true }),
    )
    const began = clock.now()
    exchange.onFinish(() => {
      this.#add({ traceId, spanId, parentId: parent?.spanId, began, ended: clock.now(), exchange })
    })
  }

  /** Sends the remaining spans, and stops. */
  async stop(): Promise<void> {
    this.#timer?.cancel()
    await this.#sending
    if (this.#spans.length > 0) await this.#send()
  }

  #add({
    exchange,
    ...ids
  }: Omit<Span, 'name' | 'attributes' | 'code'> & { exchange: Exchange }): void {
    if (this.#spans.length >= mostKept) {
      this.#dropped++
      return
    }
    const { info, method, path, user, auditId, filtersMs } = exchange
    const { code } = exchangeEnd(exchange)
    const target = info.isResource
      ? `${info.resource}${info.subresource && `/${info.subresource}`}`
      : path
    this.#spans.push({
      ...ids,
      name: `${method} ${target}`,
      code,
      attributes: {
        'http.request.method': method,
        'url.path': path,
        'http.response.status_code': code,
        'enduser.id': user.name,
        'audit-id': auditId,
        'k8s.verb': info.verb,
        ...Object.fromEntries(
          Object.entries(filtersMs ?? {}).map(([filter, ms]) => [`filter.${filter}.ms`, ms]),
        ),
      },
    })
    if (this.#spans.length >= mostSent) this.#flush()
    else this.#timer ??= this.#options.clock.setTimer(() => this.#flush(), flushMs)
  }

  #flush(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined))
  }

  async #send(): Promise<void> {
    const { endpoint, version, log } = this.#options
    const spans = this.#spans.splice(0, mostSent)
    try {
      await postJson(`${endpoint.replace(/\/$/, '')}/v1/traces`, otlpBody(spans, version))
    } catch (err) {
      const dropped = this.#dropped + spans.length
      this.#dropped = 0
      log.warn({ err, dropped }, 'cannot send traces; they are dropped')
    }
  }
}
