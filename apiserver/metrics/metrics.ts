import { formOf } from '../registry/objectForm.ts'
import type { Metric, Registry } from 'prom-client'
import type { Exchange } from '../endpoints/exchange.ts'
import { exchangeEnd } from '../endpoints/exchangeEnd.ts'
import { knownResource, labelKey, requestLabels } from './requestLabels.ts'
import { RequestTallies, type RequestTally } from './requestTallies.ts'
import { serverMetrics, type MetricsSources } from './serverMetrics.ts'

const tooManyRequests = 429

/** A listener for ended requests. */
export interface RequestFollower {
  /** True to receive watches, too. */
  readonly followsWatches: boolean
  ended(exchange: Exchange, seconds: number): void
}

/**
 * The metrics of `/metrics`, under the names of the API machinery. The library is loaded a while after the start, so
 * that neither the start nor the first requests wait for it. Source: reference 6.8.
 */
export class Metrics {
  readonly #sources: MetricsSources
  readonly #follower: RequestFollower | undefined
  readonly #requests = new RequestTallies({ isDeprecated, isPassing })
  #registry: Promise<Registry> | undefined

  /** @param follower called with requests that end. */
  constructor(sources: MetricsSources, follower?: RequestFollower) {
    this.#sources = sources
    this.#follower = follower
  }

  /** Tracks an exchange to its end. */
  observe(exchange: Exchange): void {
    const known = knownResource(exchange)
    const key = labelKey(exchange, known)
    const tally = this.#requests.of(known, key, () => requestLabels(exchange, known))
    if (exchange.info.verb === 'watch') {
      if (this.#follower?.followsWatches === true) this.#followWatch(exchange)
      this.#observeWatch(exchange, tally)
      return
    }
    const began = performance.now()
    exchange.onFinish(() => {
      const seconds = (performance.now() - began) / 1000
      this.#follower?.ended(exchange, seconds)
      tally.add({ ...exchangeEnd(exchange), seconds, bodyBytes: exchange.bodyBytes })
    })
  }

  /**
   * Tracks a watch. Watches have neither a duration nor a size, and are only rejected before they
   * start. Nothing of their exchange is retained: there are thousands of long-lived ones.
   */
  #observeWatch({ response, onFinish }: Exchange, tally: RequestTally): void {
    tally.running++
    onFinish(() => {
      tally.running--
      const code = response.statusCode
      const terminatedCode = code === tooManyRequests ? code : undefined
      tally.add({ code, seconds: 0, bodyBytes: undefined, terminatedCode, isAborted: false })
    })
  }

  #followWatch(exchange: Exchange): void {
    const began = performance.now()
    exchange.onFinish(() => {
      this.#follower?.ended(exchange, (performance.now() - began) / 1000)
    })
  }

  /** Loads the library in the background. */
  load(): Promise<unknown> {
    return this.#load()
  }

  /** The body of `/metrics`. */
  async text(): Promise<{ body: string; contentType: string }> {
    const registry = await this.#load()
    return { body: await registry.metrics(), contentType: registry.contentType }
  }

  #load(): Promise<Registry> {
    this.#registry ??= this.#make()
    return this.#registry
  }

  async #make(): Promise<Registry> {
    const prom = await import('prom-client')
    const registry = new prom.Registry()
    prom.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
    const all = [...this.#requests.metrics(), ...serverMetrics(this.#sources)]
    // Sound: a registry only uses the name and the lines of a metric.
    for (const made of all) registry.registerMetric(made as unknown as Metric)
    return registry
  }
}

/** Reports whether a kind is deprecated; owners of tallies are resources. */
function isDeprecated(owner: object | undefined): boolean {
  return (
    owner !== undefined && 'deprecationWarning' in owner && owner.deprecationWarning !== undefined
  )
}

/** Reports whether a kind may be removed while the server runs. */
function isPassing(owner: object | undefined): boolean {
  // Sound: owners of tallies are resources.
  return owner !== undefined && formOf(owner).isClientDefined
}
