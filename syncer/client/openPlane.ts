import { Agent as HttpAgent, type OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, type AgentOptions, type RequestOptions } from 'node:https'
import type { KubeConfig } from '@kubernetes/client-node'
import { bounded } from '../../apiserver/meta/waiting/bounded.ts'
import type { Clock } from '../../apiserver/meta/clock.ts'
import { HttpPlaneClient } from './httpPlaneClient.ts'
import type { PlaneClient } from './planeClient.ts'
import type { SyncTarget } from './syncTarget.ts'

const mostConnections = 16
/** Timeout of a kubeconfig's credentials command. */
const credentialsMs = 60_000

/**
 * Creates a client of a plane, without sending a request.
 * @throws Error if the kubeconfig cannot be read, or names no cluster.
 */
export async function openPlane(target: SyncTarget, clock: Clock): Promise<PlaneClient> {
  const { Watch } = await import('./clientLibrary.ts') // loaded on demand: slow to load
  const { config, ...connection } = await connectionTo(target, clock)
  return new HttpPlaneClient({ ...connection, watch: new Watch(config), clock })
}

export interface PlaneConnection {
  config: KubeConfig
  /** Base URL of all paths, without a trailing slash. */
  base: string
  agent: HttpAgent
  /** Authentication headers, created for each request. */
  headers: () => Promise<OutgoingHttpHeaders>
}

/** Reads the connection of a plane. @throws Error as `openPlane`. */
export async function connectionTo(target: SyncTarget, clock: Clock): Promise<PlaneConnection> {
  const { KubeConfig } = await import('./clientLibrary.ts') // loaded on demand: slow to load
  const config = new KubeConfig()
  load(config, target)
  const cluster = config.getCurrentCluster()
  if (cluster === null) throw new Error(`${nameOf(target)} has no current cluster`)
  const bounds = { clock, ms: credentialsMs, what: `getting credentials for ${nameOf(target)}` }
  const options = await bounded(bounds, () => requestOptions(config))
  const agent = agentFor(cluster.server, cluster.proxyUrl, options)
  // Credentials of commands and providers expire; all others are permanent.
  const user = config.getCurrentUser()
  const isFixed = user?.exec === undefined && user?.authProvider === undefined
  return {
    config,
    base: cluster.server.replace(/\/$/, ''),
    agent,
    headers: async () => headersOf(isFixed ? options : await requestOptions(config)),
  }
}

function load(config: KubeConfig, target: SyncTarget): void {
  if ('kubeconfig' in target) {
    config.loadFromFile(target.kubeconfig)
    if (target.context !== undefined) config.setCurrentContext(target.context)
    return
  }
  const { url, caCertificate, token } = target
  const caData = caCertificate && Buffer.from(caCertificate).toString('base64')
  // The library accepts plain HTTP only without verification.
  const skipTLSVerify = url.startsWith('http:')
  config.loadFromClusterAndUser(
    { name: 'plane', server: url, skipTLSVerify, ...(caData ? { caData } : {}) },
    { name: 'syncer', token },
  )
}

function nameOf(target: SyncTarget): string {
  return 'kubeconfig' in target ? target.kubeconfig : target.url
}

function headersOf({ headers }: RequestOptions): OutgoingHttpHeaders {
  // Sound: the library returns a map.
  return (headers ?? {}) as OutgoingHttpHeaders
}

async function requestOptions(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  if (typeof options.auth === 'string') {
    const basic = `Basic ${Buffer.from(options.auth).toString('base64')}`
    options.headers = { ...options.headers, Authorization: basic }
  }
  return options
}

/** Agent with kept-alive connections; a proxy needs the library's own agent. */
function agentFor(
  server: string,
  proxyUrl: string | undefined,
  { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername, agent }: RequestOptions,
): HttpAgent {
  if (proxyUrl !== undefined && agent instanceof HttpAgent) return agent
  const kept = { keepAlive: true, maxSockets: mostConnections }
  if (server.startsWith('http:')) return new HttpAgent(kept)
  const given = { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername }
  const tls = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const options: AgentOptions = { ...kept, ...tls }
  return new HttpsAgent(options)
}
