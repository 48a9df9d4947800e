import { join } from 'node:path'
import { ensureAdminAccess } from './adminAccess.ts'
import { managementResources } from './apis/management/resources.ts'
import { AccessKeyAuthenticator } from './authentication/accessKeyAuthenticator.ts'
import { isPrivileged } from './authorization/privilegedGroup.ts'
import { baseUrl } from './baseUrl.ts'
import { AccessKeyActivity } from './controllers/accessKeyActivity.ts'
import { NamespaceLifecycle } from './controllers/namespaceLifecycle.ts'
import { contentFinalizer } from './apis/core/namespace.ts'
import { ControlPlane } from './controlplane.ts'
import type { Exchange } from './endpoints/exchange.ts'
import { defaultInFlightLimits } from './endpoints/filters/inFlight.ts'
import { serveHealth, type HealthCheck } from './endpoints/health.ts'
import { serveRequest, type EntryOptions } from './endpoints/entry.ts'
import { writeBody } from './endpoints/response.ts'
import { writeKubeconfig } from './kubeconfig.ts'
import { listen, type Listener } from './listeners.ts'
import { createLogger, type Logger } from './logging.ts'
import { Metrics } from './metrics.ts'
import {
  loadOrCreateServingCertificate,
  renewServingCertificate,
  type CertificateRequest,
} from './pki/servingCertificate.ts'
import type { ServingCertificate } from './pki/certificate.ts'
import { servingHosts } from './pki/servingHosts.ts'
import { realClock } from './realClock.ts'
import { realRandom } from './realRandom.ts'
import {
  serverOptions,
  type GivenServerOptions,
  type RunningServer,
  type ServerOptions,
} from './serverOptions.ts'
import { ensureNamespaces } from './startNamespaces.ts'
import type { Store } from './registry/store.ts'
import { LevelStorage } from './storage/level/levelStorage.ts'
import { serverVersion } from './version.ts'

const loopback = '127.0.0.1'
const renewalCheckMs = 12 * 60 * 60 * 1000

/** Starts a server; resolves when it answers requests. What is left out has the defaults of `ServerOptions`.
 *  @throws StorageError Locked, NewerFormat, Corrupt; StartError; the system's error when an address cannot be had. */
export async function startServer(given: GivenServerOptions = {}): Promise<RunningServer> {
  const options = serverOptions(given)
  const clock = realClock
  const random = realRandom
  const log = createLogger({ level: options.logLevel, clock })
  const storage = await openStorage(options, log)
  const started: (() => Promise<void> | void)[] = [() => storage.close()]
  const stopAll = async () => {
    for (const stop of started.reverse()) await stop()
  }
  try {
    return await assemble({ options, clock, random, log, storage, started, stopAll })
  } catch (error) {
    await stopAll()
    throw error
  }
}

function openStorage(options: ServerOptions, log: Logger): Promise<LevelStorage> {
  const { dataDir, storage, history } = options
  return LevelStorage.open({
    location: storage === 'memory' || dataDir === undefined ? undefined : dataDir,
    clock: realClock,
    ...history,
    onFailure: (err) => log.error({ err }, 'storage cannot take writes'),
    onRecovered: () => log.info({}, 'storage takes writes again'),
  })
}

interface Parts {
  options: ServerOptions
  clock: typeof realClock
  random: typeof realRandom
  log: Logger
  storage: LevelStorage
  /** What to stop, in the order it was started. */
  started: (() => Promise<void> | void)[]
  stopAll: () => Promise<void>
}

async function assemble(parts: Parts): Promise<RunningServer> {
  const { options, clock, random, log, storage, started } = parts
  const report = (err: unknown) => log.error({ err }, 'an internal error')
  const isFirstStart = storage.revision === 0
  const kinds = managementResources(options.names, random)
  const limits = { ...defaultInFlightLimits }
  const metrics: Metrics = new Metrics({
    limits,
    storage,
    stores: (): readonly Store[] => plane.stores(),
  })
  const checks: HealthCheck[] = [
    { name: 'ping', check: () => undefined },
    { name: 'log', check: () => undefined },
    { name: 'storage', check: () => storage.ready() },
    { name: 'shutdown', readyOnly: true, check: () => shutdownCheck(state) },
  ]
  const state = { isStopping: false }
  const plane: ControlPlane = new ControlPlane({
    keyPrefix: '/management/',
    resources: Object.values(kinds),
    storage,
    clock,
    random,
    authorize: ({ user }) => ({ allowed: isPrivileged(user), reason: '' }),
    build: buildInfo(),
    serveServerPath: (exchange) => serveServerPath(exchange, checks, metrics),
    serverPaths: [
      '/healthz',
      '/livez',
      '/readyz',
      '/metrics',
      '/openapi/v2',
      '/openapi/v3',
      '/version',
    ],
  })
  started.push(() => plane.close())

  const keys = plane.storeOf(kinds.keys)
  const users = plane.storeOf(kinds.users)
  const namespaces = plane.storeOf(kinds.namespaces)
  await ensureNamespaces(namespaces)
  const { dataDir, adminAccessKey: wanted } = options
  const adminAccessKey = await ensureAdminAccess({
    users,
    keys,
    random,
    dataDir,
    wanted,
    isFirstStart,
  })

  const activity = new AccessKeyActivity(keys, clock, report)
  const authenticator = new AccessKeyAuthenticator({
    keys,
    users,
    clock,
    onUse: (name) => activity.used(name),
  })
  await authenticator.start()
  const lifecycle = new NamespaceLifecycle({
    namespaces,
    resources: plane.resources,
    storeOf: (resource) => plane.storeOf(resource),
    clock,
    finalizer: contentFinalizer,
    report,
  })
  await lifecycle.start()
  started.push(() => lifecycle.stop())

  const prefix = `/${options.names.proxySegment}/management`
  const entry: EntryOptions = {
    clock,
    random,
    authenticator,
    limits,
    report,
    planeFor: (path) => ({ plane, path: belowPrefix(path, prefix) }),
    observe: (exchange) => metrics.observe(exchange),
  }
  const listeners = await openListeners(parts, entry)
  started.push(async () => {
    state.isStopping = true
    plane.close()
    await Promise.all(
      listeners.all.map((listener) => listener.close(options.shutdownGraceSeconds * 1000)),
    )
  })
  void metrics.load().catch(report)
  return running(parts, listeners, adminAccessKey)
}

function shutdownCheck({ isStopping }: { isStopping: boolean }): void {
  if (isStopping) throw new Error('process is shutting down')
}

function belowPrefix(path: string, prefix: string): string {
  if (!path.startsWith(prefix)) return path
  const rest = path.slice(prefix.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : path
}

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

interface Listeners {
  all: Listener[]
  url: string
  insecureUrl: string | undefined
  certificate: ServingCertificate
}

async function openListeners(
  { options, clock, random, log, started }: Parts,
  entry: EntryOptions,
): Promise<Listeners> {
  const { dataDir, bindAddress, securePort, insecurePort, tlsCertFile, tlsPrivateKeyFile } = options
  const request: CertificateRequest = {
    directory: dataDir === undefined ? undefined : join(dataDir, 'pki'),
    hosts: servingHosts(bindAddress),
    own:
      tlsCertFile === undefined || tlsPrivateKeyFile === undefined
        ? undefined
        : { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile },
    clock,
    random,
  }
  const certificate = await loadOrCreateServingCertificate(request)
  for (const warning of certificate.warnings) log.warn({}, warning)
  const serve: Parameters<typeof listen>[0]['serve'] = (incoming, response, openWebSocket) =>
    serveRequest(incoming, response, entry, openWebSocket)
  const secure = await listen({ serve, address: bindAddress, port: securePort, tls: certificate })
  const all = [secure]
  started.push(renewing(secure, certificate, { request, clock, log }))
  const insecure =
    insecurePort === undefined
      ? undefined
      : await listen({ serve, address: loopback, port: insecurePort })
  if (insecure !== undefined) all.push(insecure)
  return {
    all,
    url: baseUrl('https', bindAddress, secure.port),
    insecureUrl: insecure && baseUrl('http', loopback, insecure.port),
    certificate,
  }
}

/** Looks twice a day whether the certificate is due; gives the function that ends it. */
function renewing(
  { server }: Listener,
  first: ServingCertificate,
  { request, clock, log }: { request: CertificateRequest; clock: typeof realClock; log: Logger },
): () => void {
  let current = first
  let timer = clock.setTimer(check, renewalCheckMs)
  function check(): void {
    timer = clock.setTimer(check, renewalCheckMs)
    renewServingCertificate(current, request)
      .then((next) => {
        if (
          next !== current &&
          'setSecureContext' in server &&
          typeof server.setSecureContext === 'function'
        ) {
          server.setSecureContext(next)
        }
        current = next
      })
      .catch((err: unknown) => log.error({ err }, 'the serving certificate could not be renewed'))
  }
  return () => timer.cancel()
}

async function running(
  { options, log, stopAll }: Parts,
  { url, insecureUrl, certificate }: Listeners,
  adminAccessKey: string,
): Promise<RunningServer> {
  const { kubeconfigOut, names } = options
  if (kubeconfigOut !== undefined) {
    await writeKubeconfig(kubeconfigOut, {
      baseUrl: url,
      caCertificate: certificate.ca,
      user: 'admin',
      token: adminAccessKey,
      names,
    })
  }
  log.info({ url, insecureUrl, storage: options.storage, dataDir: options.dataDir }, 'serving')
  let stopped: Promise<void> | undefined
  return {
    url,
    insecureUrl,
    caCertificate: certificate.ca,
    adminAccessKey,
    stop: () => (stopped ??= stopAll()),
  }
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
