import type { IncomingMessage } from 'node:http'
import { readFile } from 'node:fs/promises'
import { hasPlugin } from '../../apis/kubernetes/emulatedVersion.ts'
import type { PluginChoice } from '../../runtime/options/admissionPlugins.ts'
import { BuiltInDefinitions } from '../../apis/kubernetes/builtInDefinitions.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { JwtKeys } from '../../authentication/tokens/jwtKeys.ts'
import { ServiceAccountTokens } from '../../authentication/tokens/serviceAccountTokens.ts'
import { privilegedGroup } from '../../authorization/privilegedGroup.ts'
import { storedObjects, withServiceAccounts } from '../../controlPlane/serviceAccounts.ts'
import { ProtobufCodec } from '../../encoding/protobuf/protobufCodec.ts'
import { inFlightLimits } from '../../endpoints/chainServices.ts'
import { healthPaths } from '../../endpoints/documents/health.ts'
import { serveTokenKeys, tokenKeyPaths } from '../../endpoints/documents/tokenKeys.ts'
import type { EntryOptions } from '../../endpoints/entry.ts'
import type { Exchange } from '../../endpoints/exchange.ts'
import { FilterTallies } from '../../endpoints/filterTallies.ts'
import { healthChecks } from '../../http/healthChecks.ts'
import type { OwnCertificateFiles } from '../../http/pki/ownCertificate.ts'
import { buildInfo, metricsPaths, originRule, serveServerPath } from '../../http/serverPaths.ts'
import type { Clock, Timer } from '../../meta/clock.ts'
import { Metrics } from '../../metrics/metrics.ts'
import { clusterKinds } from '../../planes/clusterKinds.ts'
import { openProxies } from '../../controlPlane/openProxies.ts'
import { openAggregation } from '../../controlPlane/openAggregation.ts'
import { openPlane, type OpenedPlane } from '../../planes/openedPlane.ts'
import type { Delegation } from '../../platform/openDelegation.ts'
import { openEncryption } from '../../platform/storage/openEncryption.ts'
import { openStorage, type ServerStorage } from '../../platform/storage/openStorage.ts'
import type { Store } from '../../registry/store.ts'
import { choosePlugins } from '../../platform/admission/choosePlugins.ts'
import { baseUrl } from '../../runtime/baseUrl.ts'
import { alwaysLeading } from '../../runtime/leadership.ts'
import { kubernetesWords } from '../../runtime/kubernetesWords/kubernetesWords.ts'
import { allBootstrapRoles } from '../roles/allBootstrapRoles.ts'
import { ClusterPlane } from './clusterPlane.ts'
import type { ClusterServerOptions } from './clusterServerOptions.ts'
import { clusterUsers } from './clusterUsers.ts'

const keyPrefix = '/cluster/'
/** Delay in ms before the metrics library is loaded, so that the first requests have priority. */
const metricsDelayMs = 1_000
const wholeServerPaths = ['/openapi/v2', '/openapi/v3', '/version', ...metricsPaths]
/** All users, for servers that authorize everything. */
const everyone = ['system:authenticated', 'system:unauthenticated']

export interface ClusterApiOptions {
  given: ClusterServerOptions
  delegation: Delegation
  audit: AuditLog
  clock: Clock
  isStopping: () => boolean
  handshakeErrors: () => number
  report: (error: unknown) => void
}

/** The API behind the listeners: storage, plane, users and health. */
export class ClusterApi {
  readonly #with: ClusterApiOptions
  readonly #limits
  readonly #filters = new FilterTallies(() => performance.now())
  readonly #definitions = new BuiltInDefinitions(kubernetesWords())
  readonly #keys: JwtKeys
  readonly #ended = new AbortController()
  /** True if the server has created its first objects. */
  isComplete = false
  #storage: ServerStorage | undefined
  #encryption: Awaited<ReturnType<typeof openEncryption>>
  #opened: OpenedPlane | undefined
  #metricsLibrary: Timer | undefined

  constructor(options: ClusterApiOptions) {
    this.#with = options
    const { given, clock } = options
    const { maxRequestsInflight, maxMutatingRequestsInflight } = given.options
    this.#limits = inFlightLimits(maxRequestsInflight, maxMutatingRequestsInflight)
    const keeper = given.accountKeys
    this.#keys = new JwtKeys({ keeper, clock, maxLifeMs: Infinity, signingMs: Infinity })
  }

  /** Opens storage and plane. @throws StorageError, StartError. */
  async open(files: OwnCertificateFiles): Promise<EntryOptions> {
    const { given, clock, report } = this.#with
    const { options, random, log, syncsWrites } = given
    const sealing = await openEncryption(options, { clock, random, log })
    this.#encryption = sealing
    const storage = await openStorage(options, { clock, random, log, sealing, syncsWrites })
    this.#storage = storage
    const metrics = this.#metrics(storage)
    const accounts = this.#accounts(storage)
    const { delegation, audit, isStopping } = this.#with
    const users = clusterUsers(given.tokens, given.settings.isAnonymousAllowed)
    const authenticator = delegation.extend(withServiceAccounts(users, accounts))
    const opened = await this.#openPlane({
      storage,
      tokens: accounts,
      authenticate: (token) => authenticator.authenticate(token),
      files,
      metrics,
    })
    this.#opened = opened
    this.#metricsLibrary = clock.setTimer(() => void metrics.load().catch(report), metricsDelayMs)
    const plane = new ClusterPlane(opened)
    return {
      ...{ clock, random, authenticator, audit, isStopping, report },
      protobuf: new ProtobufCodec(),
      clearRemoteHeaders: (request: IncomingMessage) => delegation.users.clearHeaders(request),
      authenticatesVersion: () => false,
      limits: this.#limits,
      tallies: this.#filters,
      allowsOrigin: originRule(options.corsAllowedOrigins),
      planeFor: (path) => ({ plane, path }),
      observe: (exchange) => metrics.observe(exchange),
    }
  }

  configMaps(): Store {
    if (this.#opened === undefined) throw new Error('the API is not open')
    return this.#opened.access.store({ group: '', resource: 'configmaps' })
  }

  /** Ends watches and controllers. */
  close(): void {
    this.#ended.abort(new Error('the server stops'))
    this.#metricsLibrary?.cancel()
    this.#opened?.close()
  }

  async closeStorage(): Promise<void> {
    await this.#storage?.close()
    this.#encryption?.stop()
  }

  #metrics(storage: ServerStorage): Metrics {
    const { audit, handshakeErrors } = this.#with
    return new Metrics({
      limits: this.#limits,
      filters: this.#filters,
      handshakeErrors,
      uncaughtErrors: () => 0,
      storage,
      stores: () => this.#opened?.plane.stores() ?? [],
      audited: () => audit.counts,
    })
  }

  #accounts(storage: ServerStorage): ServiceAccountTokens {
    const { given, clock } = this.#with
    const { settings, random } = given
    const [issuer = '', ...formerIssuers] = settings.issuers
    const signer = { keys: this.#keys, clock, random, scopeClaim: `${keyPrefix}scope` }
    return new ServiceAccountTokens(signer, {
      issuer: () => issuer,
      formerIssuers,
      audiences: settings.audiences.filter((audience) => audience !== issuer),
      find: storedObjects(storage, () => keyPrefix),
    })
  }

  async #openPlane({ files, metrics, ...rest }: PlaneParts): Promise<OpenedPlane> {
    const { given, clock, delegation, report } = this.#with
    const { options, settings, random } = given
    const { bindAddress, securePort } = options
    const { storage } = rest
    const checks = this.#checks(storage)
    const serverPaths = [...healthPaths(checks), ...wholeServerPaths, ...tokenKeyPaths]
    const { emulatedMinor } = settings
    const build = { ...buildInfo(), emulatedMinor }
    const words = { build, definitions: this.#definitions, serverPaths }
    const kinds = {
      ...clusterKinds(options.names, words, emulatedMinor),
      roles: allBootstrapRoles(),
    }
    const isOpen = settings.authorizationModes.includes('AlwaysAllow')
    const usesWebhook = settings.authorizationModes.includes('Webhook')
    const own = new URL(baseUrl('https', bindAddress, securePort))
    if (settings.advertiseAddress !== undefined) own.hostname = hostOf(settings.advertiseAddress)
    return openPlane({
      ...rest,
      ...{ keyPrefix, clock, random, kinds, report },
      serveServerPath: async (exchange) =>
        (await this.#serveKeys(exchange)) || serveServerPath(exchange, checks, metrics),
      admissionPlugins: pluginsOf((await choosePlugins(options)).clusters, emulatedMinor),
      superusers: [privilegedGroup, ...(isOpen ? everyone : [])],
      scopeAllows: () => ({ allowed: true, reason: '' }),
      delegate: usesWebhook ? delegation.authorize : undefined,
      address: { url: own.origin, caCertificate: await readFile(files.certFile, 'utf8') },
      controllers: settings.controllers,
      serviceRanges: settings.serviceRanges,
      isComplete: true,
      extensions: [
        ({ plane, access }) =>
          openAggregation({ plane, access, files: options.delegation, clock, report }),
        openProxies,
      ],
      leadership: alwaysLeading,
      servedByAll: () => undefined,
      signal: this.#ended.signal,
    })
  }

  #checks(storage: ServerStorage) {
    return healthChecks({
      checkStarted: () => {
        if (!this.isComplete) throw new Error('the server is starting')
      },
      checkStorage: () => storage.ready(),
      checkKms: this.#encryption && (() => this.#encryption?.checkKms()),
      checkShutdown: () => {
        if (this.#with.isStopping()) throw new Error('process is shutting down')
      },
    })
  }

  #serveKeys(exchange: Exchange): Promise<boolean> {
    const [issuer = ''] = this.#with.given.settings.issuers
    return serveTokenKeys(exchange, { keys: [this.#keys], url: () => issuer.replace(/\/$/, '') })
  }
}

/** Plugins supported by the emulated version. */
function pluginsOf({ names, ...rest }: PluginChoice, minor: number): PluginChoice {
  return { ...rest, names: new Set([...names].filter((name) => hasPlugin(name, minor))) }
}

interface PlaneParts {
  storage: ServerStorage
  tokens: ServiceAccountTokens
  authenticate: Parameters<typeof openPlane>[0]['authenticate']
  files: OwnCertificateFiles
  metrics: Metrics
}

function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}
