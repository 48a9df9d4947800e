import type { Clock, Timer } from '../meta/clock.ts'
import { formatTime } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'
import type { DocumentSource } from '../endpoints/documents/documents.ts'
import type { Exchange, RemoteGroups } from '../endpoints/exchange.ts'
import { writeText } from '../endpoints/response/response.ts'
import { ignoreNotFound } from '../registry/ignoring.ts'
import { subresourceStrategy } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import type { ServiceObjects } from '../webhooks/webhookAddress.ts'
import {
  conditionOf,
  prioritiesOf,
  remoteServiceOf,
  type AvailableCondition,
  type RemoteService,
} from './remoteService.ts'
import { Backend } from './backend.ts'
import { Connections } from './remoteConnections.ts'
import { mergedDocuments } from './mergedDocuments.ts'
import { passOn } from './passOn.ts'
import type { ProxyIdentity } from './proxyIdentity.ts'

/**
 * Interval in milliseconds of checks while a server is available, and its bounds while it is not.
 */
const checkMs = { available: 30_000, first: 1_000, longest: 30_000 }

export interface AggregationOptions {
  /** The store of APIServices. */
  apiServices: Store
  services: ServiceObjects
  /** Stores whose changes may affect a service: Services and EndpointSlices. */
  serviceStores: readonly Store[]
  identity: ProxyIdentity
  /** Called when the first group of another server is added, and when the last is removed. */
  use: (remote: Aggregation | undefined) => void
  clock: Clock
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}

interface Followed {
  backend: Backend
  timer: Timer | undefined
  delayMs: number
  isChecking: boolean
  isDue: boolean
}

const streamed = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])

/**
 * Group versions that APIServices delegate to other servers: requests are forwarded to them, and their documents are
 * merged into this server's. Source: Kubernetes documentation, "Aggregation layer"; seen on kube-apiserver 1.37.2.
 */
export class Aggregation implements RemoteGroups {
  readonly #options: AggregationOptions
  readonly #connections: Connections
  /** Servers by APIService name. */
  readonly #followed = new Map<string, Followed>()
  #stopFollowing: (() => void)[] = []
  #documents: { own: DocumentSource; merged: DocumentSource; of: number } | undefined
  #generation = 0
  #followsServices = false
  #isStopped = false

  constructor(options: AggregationOptions) {
    this.#options = options
    this.#connections = new Connections(options.identity)
  }

  async start(): Promise<void> {
    const { apiServices } = this.#options
    const { cache, keyPrefix } = apiServices
    await cache.warm()
    this.#stopFollowing.push(
      cache.onChange(({ key, entry }) =>
        this.#changed(key.slice(keyPrefix.length), entry?.object()),
      ),
    )
    for (const entry of cache.all()) {
      this.#changed(entry.key.slice(keyPrefix.length), entry.object())
    }
  }

  stop(): void {
    this.#isStopped = true
    for (const stop of this.#stopFollowing) stop()
    for (const { timer } of this.#followed.values()) timer?.cancel()
    this.#connections.close()
  }

  isLongRunning(exchange: Exchange): boolean {
    if (exchange.takeSocket === undefined && !streamed.has(exchange.info.subresource)) return false
    return this.#backendOf(exchange.path) !== undefined
  }

  serve(exchange: Exchange): Promise<void> | undefined {
    const backend = this.#backendOf(exchange.path)
    return backend && this.#pass(exchange, backend)
  }

  /** Documents of the plane, merged with those of other servers. */
  documents(own: DocumentSource): DocumentSource {
    const of = this.#generation
    if (this.#documents?.own !== own || this.#documents.of !== of) {
      const backends = [...this.#followed.values()].map(({ backend }) => backend)
      const priorityOf = (group: string, version: string) => this.#priorityOf(group, version)
      const parts = { backends, priorityOf }
      this.#documents = { own, of, merged: mergedDocuments(own, parts) }
    }
    return this.#documents.merged
  }

  #backendOf(path: string): Backend | undefined {
    const name = apiServiceNameOf(path)
    return name === undefined ? undefined : this.#followed.get(name)?.backend
  }

  async #pass(exchange: Exchange, backend: Backend): Promise<void> {
    const endpoint = backend.isAvailable ? await backend.endpoint() : undefined
    if (endpoint === undefined) {
      writeText(exchange, 503, 'service unavailable\n')
      return
    }
    const url = exchange.request.url ?? exchange.path
    // Path as sent, without the prefix of the plane.
    const root = `/${exchange.path.split('/', 2)[1] ?? ''}/`
    const path = url.slice(Math.max(0, url.indexOf(root)))
    const { remote } = backend
    await passOn(exchange, { connections: this.#connections, remote, endpoint, path })
  }

  /** Handles a change. Must not throw, since it is called while a write is acknowledged. */
  #changed(name: string, object: ApiObject | undefined): void {
    const remote = object && remoteServiceOf(object)
    const before = this.#followed.get(name)
    if (object === undefined || remote === undefined) {
      if (before !== undefined) this.#forget(name, before)
      return
    }
    if (before !== undefined && isSame(before.backend.remote, remote)) return
    before?.timer?.cancel()
    const { services } = this.#options
    const isAvailable = conditionOf(object)?.status === 'True'
    const backend = new Backend(remote, isAvailable, { connections: this.#connections, services })
    const followed = {
      ...{ backend, timer: undefined, delayMs: checkMs.first },
      ...{ isChecking: false, isDue: false },
    }
    this.#followed.set(name, followed)
    this.#generation++
    this.#options.use(this)
    void this.#followServices().catch(this.#options.report)
    void this.#check(name, followed)
  }

  #forget(name: string, { timer }: Followed): void {
    timer?.cancel()
    this.#followed.delete(name)
    this.#generation++
    if (this.#followed.size === 0) this.#options.use(undefined)
  }

  /** Follows Services and EndpointSlices once an APIService names a service. */
  async #followServices(): Promise<void> {
    if (this.#followsServices) return
    this.#followsServices = true
    for (const { cache } of this.#options.serviceStores) {
      await cache.warm()
      if (this.#isStopped) return
      const stop = cache.onChange(({ entry, previous }) => {
        const { metadata } = (entry ?? previous)?.object() ?? {}
        if (metadata !== undefined) this.#checkService(metadata)
      })
      this.#stopFollowing.push(stop)
    }
  }

  #checkService({ namespace, name = '', labels }: ApiObject['metadata']): void {
    const service = labels?.['kubernetes.io/service-name'] ?? name
    for (const [own, followed] of this.#followed) {
      const { remote } = followed.backend
      if (remote.namespace !== namespace || remote.service !== service) continue
      void this.#check(own, followed)
    }
  }

  async #check(name: string, followed: Followed): Promise<void> {
    if (followed.isChecking) {
      followed.isDue = true
      return
    }
    followed.timer?.cancel()
    followed.isChecking = true
    followed.isDue = false
    let isAvailable = false
    try {
      await this.#options.identity.refresh()
      const { condition, isChanged } = await followed.backend.check()
      isAvailable = condition.status === 'True'
      if (isChanged) this.#generation++
      if (this.#isFollowed(name, followed)) await this.#tell(name, condition)
    } catch (error) {
      this.#options.report(error)
    }
    followed.isChecking = false
    if (this.#isFollowed(name, followed)) this.#checkAgain(name, followed, isAvailable)
  }

  #isFollowed(name: string, followed: Followed): boolean {
    return !this.#isStopped && this.#followed.get(name) === followed
  }

  /** Schedules the next check, even if the last one failed unexpectedly. */
  #checkAgain(name: string, followed: Followed, isAvailable: boolean): void {
    const { available, first, longest } = checkMs
    const delayMs = isAvailable ? available : followed.delayMs
    followed.delayMs = isAvailable ? first : Math.min(followed.delayMs * 2, longest)
    if (followed.isDue) void this.#check(name, followed)
    else {
      const check = () => void this.#check(name, followed)
      followed.timer = this.#options.clock.setTimer(check, delayMs)
    }
  }

  async #tell(name: string, condition: AvailableCondition): Promise<void> {
    const { apiServices, clock } = this.#options
    const strategy = subresourceStrategy(apiServices.resource, 'status')
    const known = apiServices.cache.get(apiServices.keyOf({ namespace: '', name }))?.object()
    const isTold = (object: ApiObject) => {
      const before = conditionOf(object)
      return (
        before?.status === condition.status &&
        before.reason === condition.reason &&
        before.message === condition.message
      )
    }
    if (strategy === undefined || known === undefined || isTold(known)) return
    const transform = (old: ApiObject): ApiObject => {
      const before = conditionOf(old)
      const since = before?.status === condition.status ? before.lastTransitionTime : undefined
      const lastTransitionTime = since ?? formatTime(clock.now())
      return { ...old, status: { conditions: [{ ...condition, lastTransitionTime }] } }
    }
    const request = { transform, strategy }
    await apiServices
      .update({ namespace: '', name }, request, systemContext())
      .catch(ignoreNotFound)
  }

  #priorityOf(group: string, version: string) {
    const { cache, keyPrefix } = this.#options.apiServices
    const own = cache.get(`${keyPrefix}${version}.${group}`)
    const of = [...cache.all()].map((entry) => entry.object())
    const all = of.filter(({ spec }) => ((spec as { group?: string }).group ?? '') === group)
    return {
      groupPriority: Math.max(0, ...all.map((object) => prioritiesOf(object).groupPriority)),
      versionPriority: own === undefined ? 0 : prioritiesOf(own.object()).versionPriority,
    }
  }
}

/** Name of the APIService for a path; undefined: none. */
function apiServiceNameOf(path: string): string | undefined {
  const [, root, ...rest] = path.split('/', 6)
  const [first = '', second = ''] = root === 'openapi' ? rest.slice(2) : rest
  if (root === 'apis') return `${second}.${first}`
  if (root === 'api') return `${first}.`
  return root === 'openapi' && path.startsWith('/openapi/v3/apis/')
    ? `${second}.${first}`
    : undefined
}

function isSame(one: RemoteService, other: RemoteService): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
