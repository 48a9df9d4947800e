import type { Clock, Random } from '../meta/clock.ts'
import type { Exchange } from '../endpoints/exchange.ts'
import type { Logger } from '../runtime/logging.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'
import { serverVersion } from '../runtime/serverVersion.ts'
import { serveComponentPage } from './componentPages.ts'
import { Profiles } from './profiles.ts'
import { RequestLog } from './requestLog.ts'
import type { Traces } from './traces.ts'

export interface OperationsOptions {
  options: ServerOptions
  clock: Clock
  random: Random
  log: Logger
  /** The newest revision of the storage. */
  revision: () => number
  /** Effective values of flags, with secrets redacted. */
  flags: () => Readonly<Record<string, string>>
}

const debugPath = '/debug/pprof/'

/** Services for operators: request log, traces, pages about the process, profiles. */
export class Operations {
  readonly requestLog: RequestLog
  readonly #given: OperationsOptions
  readonly #startedMs: number
  #traces: Traces | undefined
  readonly #profiles: Profiles

  constructor(given: OperationsOptions) {
    const { options, clock, log, revision } = given
    const logsAll = options.logLevel === 'debug' || options.logLevel === 'trace'
    this.requestLog = new RequestLog({ log, logsAll, revision })
    this.#given = given
    this.#profiles = new Profiles(clock)
    this.#startedMs = clock.now()
  }

  /** Starts traces if they are configured. */
  async start(): Promise<void> {
    const { options, clock, random, log } = this.#given
    const { endpoint, samplingRatePerMillion } = options.tracing
    if (endpoint === undefined) return
    const { Traces } = await import('./traces.ts')
    const version = serverVersion()
    this.#traces = new Traces({ endpoint, samplingRatePerMillion, version, clock, random, log })
  }

  /** Tracks a request from its start. */
  observe(exchange: Exchange): void {
    this.#traces?.observe(exchange)
  }

  /** Paths for the index of the root. */
  paths(): string[] {
    const { profiling } = this.#given.options
    const profiles = profiling ? [`${debugPath}heap`, `${debugPath}profile`] : []
    return [...profiles, '/flagz', '/statusz']
  }

  /** Serves a page for operators. False: another path. @throws StatusError for an error of the page. */
  async serve(exchange: Exchange): Promise<boolean> {
    const { path } = exchange
    if (path === '/statusz' || path === '/flagz') {
      const { clock, flags } = this.#given
      const runtime = `node${process.versions.node}`
      const state = { startedMs: this.#startedMs, nowMs: () => clock.now(), runtime, flags }
      return serveComponentPage(exchange, state)
    }
    if (!this.#given.options.profiling || !path.startsWith(debugPath)) return false
    return this.#profiles.serve(exchange)
  }

  /** Sends the traces of finished requests. */
  async stop(): Promise<void> {
    await this.#traces?.stop()
  }
}
