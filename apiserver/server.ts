import type { IncomingMessage } from 'node:http'
import { kubernetesWords } from './runtime/kubernetesWords/kubernetesWords.ts'
import { BuiltInDefinitions } from './apis/kubernetes/builtInDefinitions.ts'
import { AuditLog, type AuditLogOptions } from './audit/auditLog.ts'
import {
  inFlightLimits,
  type ChainServices,
  type InFlightLimits,
} from './endpoints/chainServices.ts'
import { ProtobufCodec } from './encoding/protobuf/protobufCodec.ts'
import { FilterTallies } from './endpoints/filterTallies.ts'
import { serveRequest } from './endpoints/entry.ts'
import { serveBackup } from './endpoints/documents/backup.ts'
import type { Exchange } from './endpoints/exchange.ts'
import { healthPaths, serveHealth, type HealthCheck } from './endpoints/documents/health.ts'
import { healthChecks } from './http/healthChecks.ts'
import { serveTokenKeys, tokenKeyPaths } from './endpoints/documents/tokenKeys.ts'
import { guardedClock } from './runtime/guardedClock.ts'
import { readGivenOptions } from './command/config/givenOptions.ts'
import { kubeconfig, writeKubeconfig } from './command/kubeconfig.ts'
import type { Serve } from './http/serve.ts'
import { createLogger, type Logger } from './runtime/logging.ts'
import type { Clock, Random, Timer } from './meta/clock.ts'
import { openCustomResources } from './controlPlane/openCustomResources.ts'
import { openManagementPlane, type ManagementPlane } from './platform/managementPlane.ts'
import { Planes } from './planes/planes.ts'
import { Metrics } from './metrics/metrics.ts'
import { liveBackup } from './platform/liveBackup.ts'
import { loginPlane } from './platform/loginPlane.ts'
import { isLoginPath } from './platform/logins/pages/loginPaths.ts'
import { publishTrust } from './platform/authenticationConfigObject.ts'
import { openDelegation, type Delegation } from './platform/openDelegation.ts'
import { certificateRequest } from './http/certificateRequest.ts'
import {
  certificateAhead,
  openListeners,
  type ComingCertificate,
  type Listeners,
} from './http/openListeners.ts'
import { openStorage, type ServerStorage } from './platform/openStorage.ts'
import { openLogins, type OpenedLogins } from './platform/openLogins.ts'
import { enabledPlugins, type EnabledPlugins } from './runtime/admissionPlugins.ts'
import { realClock } from './runtime/realClock.ts'
import { realRandom } from './runtime/realRandom.ts'
import type { GivenServerOptions, RunningServer, ServerOptions } from './runtime/serverOptions.ts'
import { startFailure } from './command/startFailure.ts'
import { withServiceAccounts } from './controlPlane/serviceAccounts.ts'
import { belowPrefix, buildInfo, originRule, serveServerPath } from './http/serverPaths.ts'
import type { CertificateRequest } from './http/pki/servingCertificate.ts'

export type {
  GivenServerOptions,
  HistoryOptions,
  LogLevel,
  RunningServer,
} from './runtime/serverOptions.ts'

/** Clock, random source and log of a server, which tests replace. */
export interface Surroundings {
  clock: Clock
  random: Random
  /** Certificates issued while this module was loading, if a first start needs them. */
  firstCertificates: CertificateRequest['first']
  /** Destination of log lines. Absent: standard error. */
  logTo?: { write(line: string): void }
  /** Number of uncaught errors of the process. Absent: not counted. */
  uncaughtErrors?: () => number
}

const real: Surroundings = { clock: realClock, random: realRandom, firstCertificates: undefined }

/**
 * Starts a server; resolves when it accepts requests. Options default to those of `ServerOptions`.
 * @throws TypeError, before anything is changed, with a line for each invalid option; StorageError Locked, NewerFormat,
 * OlderFormat, OtherIdentity, Corrupt; StartError; the system's error if an address is unavailable.
 */
export async function startServer(
  given: GivenServerOptions = {},
  surroundings: Partial<Surroundings> = {},
): Promise<RunningServer> {
  const server = new Server(readGivenOptions(given), { ...real, ...surroundings })
  try {
    return await server.start()
  } catch (error) {
    const failure = server.startFailure(error)
    await server.stop()
    throw failure
  }
}

interface ServeParts {
  metrics: Metrics
  delegation: Delegation
  report: ChainServices['report']
}

/** All parts of one server, in the order of their opening. */
class Server {
  readonly #options: ServerOptions
  readonly #log: Logger
  readonly #surroundings: Surroundings
  readonly #limits: InFlightLimits
  readonly #definitions = new BuiltInDefinitions(kubernetesWords())
  readonly #filters = new FilterTallies(() => performance.now())
  #storage: ServerStorage | undefined
  #management: ManagementPlane | undefined
  #planes: Planes | undefined
  #audit: AuditLog | undefined
  #logins: OpenedLogins | undefined
  #delegation: Delegation | undefined
  #certificate: ComingCertificate | undefined
  #listeners: Listeners | undefined
  #metricsLibrary: Timer | undefined
  #stopped: Promise<void> | undefined

  constructor(options: ServerOptions, surroundings: Surroundings) {
    this.#options = options
    this.#surroundings = surroundings
    const { maxRequestsInflight, maxMutatingRequestsInflight } = options
    this.#limits = inFlightLimits(maxRequestsInflight, maxMutatingRequestsInflight)
    const { clock, logTo } = surroundings
    const destination = logTo === undefined ? {} : { destination: logTo }
    this.#log = createLogger({ level: options.logLevel, clock, ...destination })
  }

  async start(): Promise<RunningServer> {
    const options = this.#options
    const log = this.#log
    const { clock: bare, random, firstCertificates: first } = this.#surroundings
    const report = (err: unknown) => log.error({ err }, 'internal error')
    const clock = guardedClock(bare, report)
    const storage = await openStorage(options, { clock, random, log })
    this.#storage = storage
    const certificate = certificateAhead(certificateRequest(options, { clock, random, first }))
    this.#certificate = certificate
    const metrics = new Metrics({
      limits: this.#limits,
      filters: this.#filters,
      handshakeErrors: () => this.#listeners?.handshakeErrors() ?? 0,
      uncaughtErrors: () => this.#surroundings.uncaughtErrors?.() ?? 0,
      storage,
      stores: () => this.#management?.plane.stores() ?? [],
      audited: () => this.#audit?.counts,
    })
    const documents = this.#documents(storage, metrics)
    const delegation = await openDelegation({ options, clock, random, log })
    this.#delegation = delegation
    const management = await openManagementPlane({
      options,
      storage,
      dataWasLost: storage.dataLoss !== undefined,
      clock,
      random,
      report,
      documents,
      delegate: delegation.authorize,
      admissionPlugins: this.#plugins().management,
    })
    this.#management = management
    this.#planes = await this.#openPlanes(management, storage, report)
    this.#audit = openAudit(management, { clock, names: options.names, report })
    const serve = this.#serve(management, { metrics, delegation, report })
    const clientCas = () => delegation.clientCas()
    const listeners = await openListeners({
      options,
      serve,
      clock,
      certificate,
      log,
      clientCas,
    })
    this.#listeners = listeners
    const configMaps = management.parts.access.store({ group: '', resource: 'configmaps' })
    await publishTrust({ configMaps, delegation, listeners, report })
    const { url, caCertificate } = listeners
    management.platform.bindAddress(() => ({
      url,
      caCertificate,
      authority: listeners.authority(),
    }))
    management.listening({ url, caCertificate })
    this.#metricsLibrary = clock.setTimer(() => void metrics.load().catch(report), 1_000)
    return this.#running(management, listeners)
  }

  startFailure(error: unknown): unknown {
    return startFailure(error, this.#storage)
  }

  /** Refuses new requests, ends watches, lets other requests end, closes the storage. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    const graceMs = this.#options.shutdownGraceSeconds * 1000
    // Watches end first, in the same turn, so that each can announce its end before its connection closes.
    this.#metricsLibrary?.cancel()
    this.#planes?.close()
    this.#logins?.stop()
    this.#delegation?.stop()
    this.#management?.close()
    await this.#listeners?.close(graceMs)
    // Certificate files are written under the lock of the storage.
    await this.#certificate?.loaded.catch(() => undefined)
    await this.#audit?.close()
    await this.#storage?.close()
  }

  #documents(storage: ServerStorage, metrics: Metrics) {
    const checks = this.#healthChecks(storage)
    return {
      build: buildInfo(),
      definitions: this.#definitions,
      serveServerPath: async (exchange: Exchange) =>
        (await this.#serveTokenKeys(exchange)) ||
        (await serveBackup(exchange, () => this.#backup(storage))) ||
        serveServerPath(exchange, checks, metrics),
      serverPaths: [...healthPaths(checks), ...clusterPaths, '/metrics', ...tokenKeyPaths],
    }
  }

  /** The planes of clusters, without metrics, which cover the whole server. */
  async #openPlanes(
    management: ManagementPlane,
    storage: ServerStorage,
    report: ChainServices['report'],
  ): Promise<Planes> {
    const checks = this.#healthChecks(storage)
    const { random } = this.#surroundings
    const clock = guardedClock(this.#surroundings.clock, report)
    const planes = new Planes({
      ...{ clock, random },
      names: this.#options.names,
      storage,
      management,
      admissionPlugins: this.#plugins().clusters,
      documents: {
        build: buildInfo(),
        definitions: this.#definitions,
        serveServerPath: (exchange: Exchange) => Promise.resolve(serveHealth(exchange, checks)),
        serverPaths: [...healthPaths(checks), ...clusterPaths, ...tokenKeyPaths],
      },
      extensions: [({ plane, access }) => openCustomResources({ plane, access, clock, report })],
      warn: (fields, message) => this.#log.warn(fields, message),
      report,
    })
    await planes.start()
    return planes
  }

  #plugins(): EnabledPlugins {
    const { enableAdmissionPlugins, disableAdmissionPlugins } = this.#options
    return enabledPlugins(enableAdmissionPlugins, disableAdmissionPlugins)
  }

  #healthChecks(storage: ServerStorage): HealthCheck[] {
    return healthChecks({
      checkStarted: () => this.#checkStarted(),
      checkStorage: () => storage.ready(),
      checkShutdown: () => this.#checkShutdown(),
    })
  }

  #checkStarted(): void {
    if (this.#listeners === undefined) throw new Error('the server is starting')
  }

  async #serveTokenKeys(exchange: Exchange): Promise<boolean> {
    const platform = this.#management?.platform
    if (platform === undefined) return false
    const keys = [platform.tokenKeys, platform.tokenSigner.keys]
    return serveTokenKeys(exchange, { keys, url: () => platform.url() })
  }

  #backup(storage: ServerStorage): Promise<AsyncIterable<Buffer>> {
    const { clock } = this.#surroundings
    return liveBackup(storage, { clock, names: this.#options.names })
  }

  #checkShutdown(): void {
    if (this.#stopped !== undefined) throw new Error('process is shutting down')
  }

  #serve(
    { plane, parts, authenticator, config, platform }: ManagementPlane,
    { metrics, delegation, report }: ServeParts,
  ): Serve {
    const prefix = `/${this.#options.names.proxySegment}/management`
    const allowsOrigin = originRule(this.#options.corsAllowedOrigins)
    const { clock, random } = this.#surroundings
    const { environment, trustedProxies } = this.#options
    const sources = { platform, config, random, environment, trustedProxies }
    const isNamed = (user: string) => parts.rights.isNamed(user)
    const logins = openLogins({ ...sources, allowsOrigin, isNamed, report })
    this.#logins = logins
    const loginPaths = loginPlane(plane, (token) => authenticator.authenticate(token), logins)
    const entry = {
      ...{ clock, random },
      protobuf: new ProtobufCodec(),
      authenticator: delegation.extend(withServiceAccounts(authenticator, parts.tokens)),
      clearRemoteHeaders: (request: IncomingMessage) => delegation.users.clearHeaders(request),
      authenticatesVersion: () => config.current().authenticateVersionEndpoint,
      limits: this.#limits,
      tallies: this.#filters,
      audit: this.#audit,
      isStopping: () => this.#stopped !== undefined,
      allowsOrigin,
      report,
      planeFor: (path: string) => {
        if (isLoginPath(path)) return { plane: loginPaths, path }
        const below = belowPrefix(path, prefix)
        // Paths below no plane's prefix belong to the management API, at the root.
        const found = below === path ? this.#planes?.find(path) : undefined
        return found ?? { plane, path: below }
      },
      observe: (exchange: Exchange) => {
        metrics.observe(exchange)
        if (exchange.plane === loginPaths) logins.begin(exchange)
      },
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
    const contents = { baseUrl: url, caCertificate, user: 'admin', token: adminAccessKey, names }
    if (kubeconfigOut !== undefined) await writeKubeconfig(kubeconfigOut, contents)
    this.#log.info({ url, insecureUrl, storage, dataDir }, 'serving')
    const stop = () => this.stop()
    return {
      ...{ url, insecureUrl, caCertificate, adminAccessKey, stop },
      kubeconfig: kubeconfig(contents),
      [Symbol.asyncDispose]: stop,
    }
  }
}

/** Paths that every plane serves besides its resources and its health. */
const clusterPaths = ['/openapi/v2', '/openapi/v3', '/version']

/** Opens the audit log, which follows the configuration. */
function openAudit({ config }: ManagementPlane, rest: Omit<AuditLogOptions, 'settings'>): AuditLog {
  const log = new AuditLog({ ...rest, settings: config.current().audit })
  config.onChange(({ audit }) => log.update(audit))
  return log
}
