import type { IncomingMessage } from 'node:http'
import { kubernetesWords } from './runtime/kubernetesWords/kubernetesWords.ts'
import { BuiltInDefinitions } from './apis/kubernetes/builtInDefinitions.ts'
import type { AuditLog } from './audit/auditLog.ts'
import {
  inFlightLimits,
  type ChainServices,
  type InFlightLimits,
} from './endpoints/chainServices.ts'
import { ProtobufCodec } from './encoding/protobuf/protobufCodec.ts'
import { FilterTallies } from './endpoints/filterTallies.ts'
import { serveRequest } from './endpoints/entry.ts'
import { serveAuditEvents } from './endpoints/documents/auditEvents.ts'
import { serveBackup } from './endpoints/documents/backup.ts'
import type { Exchange } from './endpoints/exchange.ts'
import { healthPaths, serveHealth, type HealthCheck } from './endpoints/documents/health.ts'
import { healthChecks } from './http/healthChecks.ts'
import { serveTokenKeys, tokenKeyPaths } from './endpoints/documents/tokenKeys.ts'
import { guardedClock } from './runtime/guardedClock.ts'
import { flagValues } from './command/config/flagValues.ts'
import { readGivenOptions } from './command/config/givenOptions.ts'
import { AdminKubeconfig } from './command/adminKubeconfig.ts'
import { openConsole } from './console/openConsole.ts'
import type { Serve } from './http/serve.ts'
import { createLogger, secondsSince, type Logger } from './runtime/logging.ts'
import type { Clock, Random, Timer } from './meta/clock.ts'
import { openManagementPlane, type ManagementPlane } from './platform/managementPlane.ts'
import { Planes, type PlanesOptions } from './planes/planes.ts'
import { Metrics } from './metrics/metrics.ts'
import { OwnBackups } from './platform/storage/ownBackups.ts'
import { Operations } from './operations/operations.ts'
import { loginPlane } from './platform/loginPlane.ts'
import { planeOfRequest } from './platform/planeOfRequest.ts'
import { publishTrust } from './platform/authenticationConfigObject.ts'
import { ExpiringAdminKey } from './platform/expiringAdminKey.ts'
import { openDelegation, type Delegation } from './platform/openDelegation.ts'
import { certificateRequest } from './http/certificateRequest.ts'
import {
  sharedCertificate,
  openListeners,
  type ComingCertificate,
  type Listeners,
} from './http/openListeners.ts'
import { openReplicas, type Replicas } from './platform/replicas/replicas.ts'
import { sharedFiles } from './platform/replicas/sharedFiles.ts'
import { openEncryption } from './platform/storage/openEncryption.ts'
import { openStorage, type ServerStorage } from './platform/storage/openStorage.ts'
import { openAudit } from './platform/openAudit.ts'
import { openLogins, type OpenedLogins } from './platform/openLogins.ts'
import { choosePlugins } from './platform/admission/choosePlugins.ts'
import { alwaysLeading } from './runtime/leadership.ts'
import { enabledControllers } from './runtime/options/clusterControllers.ts'
import { realClock } from './runtime/realClock.ts'
import { serverVersion } from './runtime/serverVersion.ts'
import { realRandom } from './runtime/realRandom.ts'
import type {
  GivenServerOptions,
  RunningServer,
  ServerOptions,
} from './runtime/options/serverOptions.ts'
import { startFailure } from './command/startFailure.ts'
import { withNewestCredentials } from './controlPlane/newestCredentials.ts'
import { withServiceAccounts } from './controlPlane/serviceAccounts.ts'
import { buildInfo, metricsPaths, originRule, serveServerPath } from './http/serverPaths.ts'
import type { Encryption } from './storage/encryption/encryption.ts'
import type { ServingCertificate } from './http/pki/certificate.ts'
import type { CertificateRequest } from './http/pki/servingCertificate.ts'

export type {
  GivenServerOptions,
  HistoryOptions,
  LogLevel,
  RunningServer,
} from './runtime/options/serverOptions.ts'

/** Clock, random source and log of a server, which tests replace. */
export interface Surroundings {
  clock: Clock
  random: Random
  /** Certificates issued while this module was loading, if a first start needs them. */
  firstCertificates: CertificateRequest['first']
  /** Destination of log lines. Absent: standard error. */
  logTo?: { write(line: string): void }
  /** Folder of the built console, with a trailing slash. Absent: beside the program. */
  consoleFolder?: URL
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
  storage: ServerStorage
  metrics: Metrics
  delegation: Delegation
  operations: Operations
  report: ChainServices['report']
}

/** All parts of one server, in the order in which they are opened. */
class Server {
  readonly #options: ServerOptions
  readonly #log: Logger
  readonly #surroundings: Surroundings
  readonly #limits: InFlightLimits
  readonly #definitions = new BuiltInDefinitions(kubernetesWords())
  readonly #backups: OwnBackups
  readonly #filters = new FilterTallies(() => performance.now())
  #encryption: Encryption | undefined
  #storage: ServerStorage | undefined
  #management: ManagementPlane | undefined
  #planes: Planes | undefined
  #replicas: Replicas | undefined
  #audit: AuditLog | undefined
  #logins: OpenedLogins | undefined
  #delegation: Delegation | undefined
  #certificate: ComingCertificate | undefined
  #listeners: Listeners | undefined
  #metricsLibrary: Timer | undefined
  #operations: Operations | undefined
  #kubeconfig: AdminKubeconfig | undefined
  #expiringKey: ExpiringAdminKey | undefined
  #stopped: Promise<void> | undefined
  readonly #beganMs = performance.now()

  constructor(options: ServerOptions, surroundings: Surroundings) {
    this.#options = options
    this.#backups = new OwnBackups(options, surroundings, () => this.#encryption)
    this.#surroundings = surroundings
    const { maxRequestsInflight, maxMutatingRequestsInflight } = options
    this.#limits = inFlightLimits(maxRequestsInflight, maxMutatingRequestsInflight)
    const { clock, logTo } = surroundings
    const destination = logTo === undefined ? {} : { destination: logTo }
    const { logLevel: level, logFormat: format } = options
    this.#log = createLogger({ level, format, clock, ...destination })
  }

  async start(): Promise<RunningServer> {
    const options = this.#options
    const log = this.#log
    const version = serverVersion()
    log.info({ version, node: process.versions.node, pid: process.pid }, 'starting')
    const { clock: bare, random, firstCertificates: first } = this.#surroundings
    const report = (err: unknown) => log.error({ err }, 'internal error')
    const clock = guardedClock(bare, report)
    const plugins = await choosePlugins(options)
    const storage = await this.#openStorage(clock)
    const files = sharedFiles(storage, options.dataDir)
    const request = certificateRequest(options, { clock, random, first })
    const certificate = await sharedCertificate(request, files)
    this.#certificate = certificate
    const operations = await this.#openOperations(storage, { clock, random })
    const metrics = this.#openMetrics(storage, operations)
    const documents = this.#documents(storage, { metrics, operations })
    const delegation = await openDelegation({ options, clock, random, log })
    this.#delegation = delegation
    const around = { storage, clock, random, report, options }
    const replicas = openReplicas({ ...around, log })
    this.#replicas = replicas
    const management = await openManagementPlane({
      ...{ ...around, files, replicas, documents },
      dataWasLost: storage.dataLoss !== undefined,
      delegate: delegation.authorize,
      admissionPlugins: plugins.management,
    })
    this.#management = management
    this.#planes = await this.#openPlanes(management, storage, {
      report,
      admissionPlugins: plugins.clusters,
    })
    this.#audit = openAudit(management, { clock, names: options.names, report })
    this.#expiringKey = new ExpiringAdminKey(management, { clock, log }).start()
    const serve = this.#serve(management, { storage, metrics, operations, delegation, report })
    const clientCas = () => delegation.clientCas()
    const listeners = await openListeners({
      ...{ options, serve, clock, certificate, log, clientCas },
      certificateChanged: (served) => void this.#certificateChanged(served).catch(report),
    })
    this.#listeners = listeners
    const configMaps = management.parts.access.store({ group: '', resource: 'configmaps' })
    await publishTrust({ configMaps, delegation, listeners, report })
    const { url, caCertificate } = listeners
    const issuer = await files.issuer(url)
    const address = { url, issuer, caCertificate }
    management.platform.bindAddress(() => ({ ...address, authority: listeners.authority() }))
    management.listening({ url, caCertificate })
    await this.#backups.start({ ...around, replicas, log })
    this.#metricsLibrary = clock.setTimer(() => void metrics.load().catch(report), 1_000)
    return this.#running(management, listeners)
  }

  async #openOperations(
    storage: ServerStorage,
    { clock, random }: Pick<Surroundings, 'clock' | 'random'>,
  ): Promise<Operations> {
    const options = this.#options
    const revision = () => storage.revision
    const flags = () => flagValues(options)
    const operations = new Operations({ options, clock, random, log: this.#log, revision, flags })
    await operations.start()
    this.#operations = operations
    return operations
  }

  #openMetrics(storage: ServerStorage, { requestLog }: Operations): Metrics {
    const sources = {
      limits: this.#limits,
      filters: this.#filters,
      handshakeErrors: () => this.#listeners?.handshakeErrors() ?? 0,
      uncaughtErrors: () => this.#surroundings.uncaughtErrors?.() ?? 0,
      storage,
      stores: () => this.#management?.plane.stores() ?? [],
      audited: () => this.#audit?.counts,
      backups: this.#backups.counts,
      process: {
        build: { version: serverVersion(), node: process.versions.node },
        dataDir: this.#options.dataDir,
        certificateEnds: () => this.#listeners?.certificateEnds(),
      },
    }
    return new Metrics(sources, requestLog)
  }

  startFailure(error: unknown): unknown {
    return startFailure(error, this.#storage)
  }

  /** Refuses new requests, ends watches, waits for other requests and closes the storage. */
  stop(): Promise<void> {
    this.#stopped ??= this.#listeners === undefined ? this.#stop() : this.#loggedStop()
    return this.#stopped
  }

  async #loggedStop(): Promise<void> {
    const began = performance.now()
    this.#log.info({ graceSeconds: this.#options.shutdownGraceSeconds }, 'stopping')
    await this.#stop()
    this.#log.info({ seconds: secondsSince(began) }, 'stopped')
  }

  async #stop(): Promise<void> {
    const graceMs = this.#options.shutdownGraceSeconds * 1000
    // Watches end first, in the same turn, so that each can announce its end before its connection closes.
    this.#metricsLibrary?.cancel()
    this.#expiringKey?.stop()
    const backups = this.#backups.stop()
    const left = this.#replicas?.leave()
    this.#planes?.close()
    this.#logins?.stop()
    this.#delegation?.stop()
    this.#management?.close()
    await this.#listeners?.close(graceMs)
    // Certificate files are written under the lock of the storage.
    await this.#certificate?.loaded.catch(() => undefined)
    await this.#audit?.close()
    await Promise.all([left, backups])
    await this.#operations?.stop()
    await this.#closeStorage()
  }

  async #closeStorage(): Promise<void> {
    await this.#storage?.close()
    this.#encryption?.stop()
  }

  async #openStorage(clock: Clock): Promise<ServerStorage> {
    const options = this.#options
    const surroundings = { clock, random: this.#surroundings.random, log: this.#log }
    const sealing = await openEncryption(options, surroundings)
    this.#encryption = sealing
    return (this.#storage = await openStorage(options, { ...surroundings, sealing }))
  }

  #documents(
    storage: ServerStorage,
    { metrics, operations }: Pick<ServeParts, 'metrics' | 'operations'>,
  ) {
    const checks = this.#healthChecks(storage)
    return {
      build: buildInfo(),
      definitions: this.#definitions,
      serveServerPath: async (exchange: Exchange) =>
        (await this.#serveTokenKeys(exchange)) ||
        (await serveBackup(exchange, () => this.#backups.now(storage))) ||
        (await serveAuditEvents(exchange, (query) => this.#audit?.find(query))) ||
        (await operations.serve(exchange)) ||
        serveServerPath(exchange, checks, metrics),
      serverPaths: [
        ...[...healthPaths(checks), ...clusterPaths, ...metricsPaths, ...tokenKeyPaths],
        ...operations.paths(),
      ],
    }
  }

  /**
   * The planes of clusters. They have no metrics of their own, since metrics cover the whole
   * server.
   */
  async #openPlanes(
    management: ManagementPlane,
    storage: ServerStorage,
    around: Pick<PlanesOptions, 'report' | 'admissionPlugins'>,
  ): Promise<Planes> {
    const checks = this.#healthChecks(storage)
    const { random } = this.#surroundings
    const clock = guardedClock(this.#surroundings.clock, around.report)
    const servedByAll = (revision: number) => this.#replicas?.reached(revision)
    const planes = new Planes({
      ...{ clock, random },
      names: this.#options.names,
      storage,
      leadership: this.#replicas?.leadership ?? alwaysLeading,
      servedByAll,
      management,
      ...around,
      documents: {
        build: buildInfo(),
        definitions: this.#definitions,
        serveServerPath: (exchange: Exchange) => Promise.resolve(serveHealth(exchange, checks)),
        serverPaths: [...healthPaths(checks), ...clusterPaths, ...tokenKeyPaths],
      },
      controllers: enabledControllers(this.#options.controllers),
      warn: (fields, message) => this.#log.warn(fields, message),
    })
    await planes.start()
    return planes
  }

  #healthChecks(storage: ServerStorage): HealthCheck[] {
    return healthChecks({
      checkStarted: () => {
        if (this.#listeners === undefined) throw new Error('the server is starting')
      },
      checkStorage: () => storage.ready(),
      checkShutdown: () => {
        if (this.#stopped !== undefined) throw new Error('process is shutting down')
      },
      checkKms: this.#encryption && (() => this.#encryption?.checkKms()),
    })
  }

  async #serveTokenKeys(exchange: Exchange): Promise<boolean> {
    const platform = this.#management?.platform
    if (platform === undefined) return false
    const keys = [platform.tokenKeys, platform.tokenSigner.keys]
    return serveTokenKeys(exchange, { keys, url: () => platform.issuer() })
  }

  #serve(
    { plane, parts, authenticator, config, platform }: ManagementPlane,
    { storage, metrics, operations, delegation, report }: ServeParts,
  ): Serve {
    const prefix = `/${this.#options.names.proxySegment}/management`
    const allowsOrigin = originRule(this.#options.corsAllowedOrigins)
    const { clock, random } = this.#surroundings
    const { environment, trustedProxies, console: hasConsole } = this.#options
    const sources = { platform, config, random, environment, trustedProxies, hasConsole }
    const isNamed = (user: string) => parts.rights.isNamed(user)
    const logins = openLogins({ ...sources, allowsOrigin, isNamed, report })
    const credentials = withServiceAccounts(authenticator, parts.tokens)
    this.#logins = logins
    const pages = openConsole(plane, {
      isOn: hasConsole,
      folder: this.#surroundings.consoleFolder,
      uiSettings: () => config.current().uiSettings,
    })
    const loginPaths = loginPlane(plane, (token) => authenticator.authenticate(token), logins)
    const entry = {
      ...{ clock, random },
      protobuf: new ProtobufCodec(),
      authenticator: delegation.extend(withNewestCredentials(credentials, storage)),
      keyWarning: this.#expiringKey?.warningFor,
      clearRemoteHeaders: (request: IncomingMessage) => delegation.users.clearHeaders(request),
      authenticatesVersion: () => config.current().authenticateVersionEndpoint,
      limits: this.#limits,
      tallies: this.#filters,
      audit: this.#audit,
      isStopping: () => this.#stopped !== undefined,
      allowsOrigin,
      report,
      planeFor: planeOfRequest({
        ...{ management: plane, prefix, logins: loginPaths, console: pages },
        other: (path) => this.#planes?.find(path),
      }),
      observe: (exchange: Exchange) => {
        metrics.observe(exchange)
        operations.observe(exchange)
        if (exchange.plane === loginPaths) logins.begin(exchange)
      },
    }
    return (request, response, openWebSocket, takeSocket) =>
      serveRequest(request, response, entry, { openWebSocket, takeSocket })
  }

  async #certificateChanged({ ca, notAfter }: ServingCertificate): Promise<void> {
    this.#log.info({ notAfter: new Date(notAfter).toISOString() }, 'serving certificate changed')
    await this.#kubeconfig?.trust(ca)
  }

  async #running(
    { adminAccessKey }: ManagementPlane,
    listeners: Listeners,
  ): Promise<RunningServer> {
    const { kubeconfigOut, names, storage, dataDir } = this.#options
    const { url, insecureUrl, caCertificate } = listeners
    const contents = { baseUrl: url, caCertificate, user: 'admin', token: adminAccessKey, names }
    const admin = new AdminKubeconfig(kubeconfigOut, contents)
    await admin.write()
    this.#kubeconfig = admin
    const seconds = secondsSince(this.#beganMs)
    this.#log.info({ url, insecureUrl, storage, dataDir, seconds }, 'serving')
    const stop = () => this.stop()
    return {
      ...{ url, insecureUrl, caCertificate, adminAccessKey, stop },
      kubeconfig: admin.yaml(),
      [Symbol.asyncDispose]: stop,
    }
  }
}

/** Paths that every plane serves besides resources and health. */
const clusterPaths = ['/openapi/v2', '/openapi/v3', '/version']
