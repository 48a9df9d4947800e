import { AuditLog, type AuditLogOptions } from './audit/auditLog.ts'
import type { ChainServices, InFlightLimits } from './endpoints/chainServices.ts'
import { ProtobufCodec } from './encoding/protobuf/protobufCodec.ts'
import { serveRequest } from './endpoints/entry.ts'
import type { Exchange } from './endpoints/exchange.ts'
import { serveHealth, type HealthCheck } from './endpoints/health.ts'
import { writeBody } from './endpoints/response.ts'
import { serveTokenKeys, tokenKeyPaths } from './endpoints/tokenKeys.ts'
import { writeKubeconfig } from './kubeconfig.ts'
import type { Serve } from './serve.ts'
import { createLogger, type Logger } from './logging.ts'
import type { Clock, Random } from './meta/clock.ts'
import { openManagementPlane, type ManagementPlane } from './managementPlane.ts'
import { Metrics } from './metrics.ts'
import { openListeners, type Listeners } from './openListeners.ts'
import { realClock } from './realClock.ts'
import { realRandom } from './realRandom.ts'
import {
  serverOptions,
  type GivenServerOptions,
  type RunningServer,
  type ServerOptions,
} from './serverOptions.ts'
import { LevelStorage } from './storage/level/levelStorage.ts'
import { serverVersion } from './version.ts'

/** Time and chance of a server; a test may stop the one and repeat the other. */
export interface Surroundings {
  clock: Clock
  random: Random
}

const real: Surroundings = { clock: realClock, random: realRandom }

/** Starts a server; resolves when it answers requests. What is left out has the defaults of `ServerOptions`.
 *  @throws StorageError Locked, NewerFormat, Corrupt; StartError; the system's error when an address cannot be had. */
export async function startServer(
  given: GivenServerOptions = {},
  surroundings: Partial<Surroundings> = {},
): Promise<RunningServer> {
  const server = new Server(serverOptions(given), { ...real, ...surroundings })
  try {
    return await server.start()
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Every part of one server, from the first opened to the last. */
class Server {
  readonly #options: ServerOptions
  readonly #log: Logger
  readonly #surroundings: Surroundings
  readonly #limits: InFlightLimits
  #storage: LevelStorage | undefined
  #management: ManagementPlane | undefined
  #audit: AuditLog | undefined
  #listeners: Listeners | undefined
  #stopped: Promise<void> | undefined

  constructor(options: ServerOptions, surroundings: Surroundings) {
    this.#options = options
    this.#surroundings = surroundings
    this.#limits = {
      maxReadOnly: options.maxRequestsInflight,
      maxMutating: options.maxMutatingRequestsInflight,
      readOnly: 0,
      mutating: 0,
    }
    this.#log = createLogger({ level: options.logLevel, clock: surroundings.clock })
  }

  async start(): Promise<RunningServer> {
    const options = this.#options
    const log = this.#log
    const { clock, random } = this.#surroundings
    const storage = await openStorage(options, clock, log)
    this.#storage = storage
    const report = (err: unknown) => log.error({ err }, 'an internal error')
    const metrics = new Metrics({
      limits: this.#limits,
      storage,
      stores: () => this.#management?.plane.stores() ?? [],
      audited: () => this.#audit?.counts,
    })
    const documents = this.#documents(storage, metrics)
    const management = await openManagementPlane({
      options,
      storage,
      clock,
      random,
      report,
      documents,
    })
    this.#management = management
    this.#audit = openAudit(management, { clock, names: options.names, report })
    const serve = this.#serve(management, metrics, report)
    const listeners = await openListeners({ options, serve, clock, random, log })
    this.#listeners = listeners
    const { url, caCertificate } = listeners
    management.platform.bindAddress(() => ({
      url,
      caCertificate,
      authority: listeners.authority(),
    }))
    management.listening({ url, caCertificate })
    void metrics.load().catch(report)
    return this.#running(management, listeners)
  }

  /** Takes no new requests, ends watches, lets other requests end, closes the storage. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    const graceMs = this.#options.shutdownGraceSeconds * 1000
    // Watches end first, in the same turn, so that each can say so before its connection closes.
    this.#management?.close()
    await this.#listeners?.close(graceMs)
    await this.#audit?.close()
    await this.#storage?.close()
  }

  #documents(storage: LevelStorage, metrics: Metrics) {
    const checks: HealthCheck[] = [
      { name: 'ping', check: () => undefined },
      { name: 'log', check: () => undefined },
      { name: 'storage', check: () => storage.ready() },
      { name: 'shutdown', readyOnly: true, check: () => this.#checkShutdown() },
    ]
    return {
      build: buildInfo(),
      serveServerPath: async (exchange: Exchange) =>
        (await this.#serveTokenKeys(exchange)) || serveServerPath(exchange, checks, metrics),
      serverPaths: [
        '/healthz',
        '/livez',
        '/readyz',
        '/metrics',
        '/openapi/v2',
        '/openapi/v3',
        '/version',
        ...tokenKeyPaths,
      ],
    }
  }

  async #serveTokenKeys(exchange: Exchange): Promise<boolean> {
    const platform = this.#management?.platform
    if (platform === undefined) return false
    return serveTokenKeys(exchange, { keys: platform.tokenKeys, url: () => platform.url() })
  }

  #checkShutdown(): void {
    if (this.#stopped !== undefined) throw new Error('process is shutting down')
  }

  #serve(
    { plane, authenticator, config }: ManagementPlane,
    metrics: Metrics,
    report: ChainServices['report'],
  ): Serve {
    const prefix = `/${this.#options.names.proxySegment}/management`
    const entry = {
      ...this.#surroundings,
      protobuf: new ProtobufCodec(),
      authenticator,
      authenticatesVersion: () => config.current().authenticateVersionEndpoint,
      limits: this.#limits,
      audit: this.#audit,
      isStopping: () => this.#stopped !== undefined,
      allowsOrigin: originRule(this.#options.corsAllowedOrigins),
      report,
      planeFor: (path: string) => ({ plane, path: belowPrefix(path, prefix) }),
      observe: (exchange: Exchange) => metrics.observe(exchange),
    }
    return (request, response, openWebSocket) =>
      serveRequest(request, response, entry, openWebSocket)
  }

  async #running(
    { adminAccessKey }: ManagementPlane,
    listeners: Listeners,
  ): Promise<RunningServer> {
    const { kubeconfigOut, names, storage, dataDir } = this.#options
    const { url, insecureUrl, caCertificate } = listeners
    if (kubeconfigOut !== undefined) {
      const contents = { baseUrl: url, caCertificate, user: 'admin', token: adminAccessKey, names }
      await writeKubeconfig(kubeconfigOut, contents)
    }
    this.#log.info({ url, insecureUrl, storage, dataDir }, 'serving')
    return { url, insecureUrl, caCertificate, adminAccessKey, stop: () => this.stop() }
  }
}

/** Follows the configuration. */
function openAudit({ config }: ManagementPlane, rest: Omit<AuditLogOptions, 'settings'>): AuditLog {
  const log = new AuditLog({ ...rest, settings: config.current().audit })
  config.onChange(({ audit }) => log.update(audit))
  return log
}

function openStorage(options: ServerOptions, clock: Clock, log: Logger): Promise<LevelStorage> {
  const { dataDir, storage, history } = options
  return LevelStorage.open({
    location: storage === 'memory' ? undefined : dataDir,
    clock,
    ...history,
    onFailure: (err) => log.error({ err }, 'storage cannot take writes'),
    onRecovered: () => log.info({}, 'storage takes writes again'),
  })
}

function originRule(patterns: readonly string[]): ChainServices['allowsOrigin'] {
  if (patterns.length === 0) return undefined
  const rules = patterns.map((pattern) => new RegExp(`^(?:${pattern})$`, 'i'))
  return (origin) => rules.some((rule) => rule.test(origin))
}

/** The path below a plane's prefix; the plane answers at the root too. */
function belowPrefix(path: string, prefix: string): string {
  if (!path.startsWith(prefix)) return path
  const rest = path.slice(prefix.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : path
}

/** Health and metrics, which belong to the whole server. */
async function serveServerPath(
  exchange: Exchange,
  checks: readonly HealthCheck[],
  metrics: Metrics,
): Promise<boolean> {
  if (exchange.path !== '/metrics') return serveHealth(exchange, checks)
  const { body, contentType } = await metrics.text()
  await writeBody(exchange, Buffer.from(body), { code: 200, mediaType: contentType })
  return true
}

function buildInfo() {
  return {
    serverVersion: serverVersion(),
    gitCommit: '',
    buildDate: '1970-01-01T00:00:00Z',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
    runtime: `node${process.versions.node}`,
  }
}
