import type * as Prom from 'prom-client'
import type { Registry, Counter, Histogram } from 'prom-client'
import type { Exchange } from './endpoints/exchange.ts'
import type { InFlightLimits } from './endpoints/chainServices.ts'
import type { Store } from './registry/store.ts'
import type { Storage } from './storage/storage.ts'

export interface MetricsSources {
  limits: InFlightLimits
  storage: Storage
  stores: () => readonly Store[]
}

interface RequestRecord {
  labels: RequestLabels
  code: string
  seconds: number
}

interface RequestLabels {
  verb: string
  group: string
  version: string
  resource: string
  subresource: string
  scope: string
  dry_run: string
  component: string
}

const requestLabels = [
  'verb',
  'group',
  'version',
  'resource',
  'subresource',
  'scope',
  'component',
  'dry_run',
] as const

interface Meters {
  registry: Registry
  total: Counter
  duration: Histogram
}

/** Kept until the library is loaded, at most. */
const maxWaiting = 10_000

/** What `/metrics` shows, under the names of the API machinery. The library is loaded when the server stands, so that
 *  start-up does not wait for it. Source: reference 6.8. */
export class Metrics {
  readonly #sources: MetricsSources
  readonly #longRunning = new Map<string, { labels: RequestLabels; count: number }>()
  #waiting: RequestRecord[] = []
  #meters: Promise<Meters> | undefined
  #loaded: Meters | undefined

  constructor(sources: MetricsSources) {
    this.#sources = sources
  }

  /** Follows an exchange to its end. */
  observe(exchange: Exchange): void {
    const labels = labelsOf(exchange)
    const began = performance.now()
    const isWatch = labels.verb === 'WATCH'
    const running = isWatch ? this.#longRunningFor(labels) : undefined
    if (running !== undefined) running.count++
    exchange.onFinish(() => {
      if (running !== undefined) running.count--
      const code = String(exchange.response.statusCode)
      this.#record({ labels, code, seconds: (performance.now() - began) / 1000 })
    })
  }

  /** Loads the library in the background. */
  load(): Promise<unknown> {
    return this.#load()
  }

  /** The text of `/metrics`. */
  async text(): Promise<{ body: string; contentType: string }> {
    const { registry } = await this.#load()
    return { body: await registry.metrics(), contentType: registry.contentType }
  }

  #record(record: RequestRecord): void {
    if (this.#loaded !== undefined) observeIn(this.#loaded, record)
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(record)
  }

  #longRunningFor(labels: RequestLabels): { count: number } {
    const key = JSON.stringify(labels)
    let found = this.#longRunning.get(key)
    if (found === undefined) {
      found = { labels, count: 0 }
      this.#longRunning.set(key, found)
    }
    return found
  }

  #load(): Promise<Meters> {
    this.#meters ??= this.#make()
    return this.#meters
  }

  async #make(): Promise<Meters> {
    const prom = await import('prom-client')
    const registry = new prom.Registry()
    prom.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
    const registers = [registry]
    const total = new prom.Counter({
      name: 'apiserver_request_total',
      help: 'Requests answered, by verb, resource and status code.',
      labelNames: [...requestLabels, 'code'],
      registers,
    })
    const duration = new prom.Histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Time from a request to the end of its answer, watches left out.',
      labelNames: requestLabels,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    })
    this.#addGauges(prom, registers)
    this.#loaded = { registry, total, duration }
    for (const record of this.#waiting) observeIn(this.#loaded, record)
    this.#waiting = []
    return this.#loaded
  }

  #addGauges(prom: typeof Prom, registers: Registry[]): void {
    const { limits, storage, stores } = this.#sources
    const longRunning = this.#longRunning
    new prom.Gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Watches that are open.',
      labelNames: requestLabels,
      registers,
      collect() {
        for (const { labels, count } of longRunning.values()) this.set({ ...labels }, count)
      },
    })
    new prom.Gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests that are being worked on, watches left out.',
      labelNames: ['request_kind'],
      registers,
      collect() {
        this.set({ request_kind: 'readOnly' }, limits.readOnly)
        this.set({ request_kind: 'mutating' }, limits.mutating)
      },
    })
    for (const name of ['apiserver_storage_objects', 'apiserver_resource_objects']) {
      new prom.Gauge({
        name,
        help: 'Objects stored, of the kinds in use.',
        labelNames: ['group', 'resource'],
        registers,
        collect() {
          for (const { resource, cache } of stores()) {
            this.set({ group: resource.group, resource: resource.plural }, cache.size)
          }
        },
      })
    }
    new prom.Gauge({
      name: 'apiserver_watch_cache_watchers',
      help: 'Watchers of each kind in use.',
      labelNames: ['group', 'resource'],
      registers,
      collect() {
        for (const { resource, cache } of stores()) {
          this.set({ group: resource.group, resource: resource.plural }, cache.watcherCount)
        }
      },
    })
    new prom.Gauge({
      name: 'apiserver_storage_revision',
      help: 'The newest revision, and the newest that was compacted.',
      labelNames: ['kind'],
      registers,
      collect() {
        this.set({ kind: 'current' }, storage.revision)
        this.set({ kind: 'compacted' }, storage.compactedRevision)
      },
    })
  }
}

function observeIn({ total, duration }: Meters, { labels, code, seconds }: RequestRecord): void {
  total.inc({ ...labels, code })
  if (labels.verb !== 'WATCH') duration.observe({ ...labels }, seconds)
}

const verbs: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
}

/** Names that no resource has are left out, so that clients cannot make labels without end. */
function labelsOf({ info, plane, query }: Exchange): RequestLabels {
  const known = info.isResource ? plane.resources.get(info, info.resource) : undefined
  const { group, version, resource, subresource } = known
    ? info
    : { group: '', version: '', resource: '', subresource: '' }
  return {
    verb: verbs[info.verb] ?? 'OTHER',
    group,
    version,
    resource,
    subresource: known?.subresources?.some(({ name }) => name === subresource) ? subresource : '',
    scope: scopeOf(info),
    component: 'apiserver',
    dry_run: query.get('dryRun') === 'All' ? 'All' : '',
  }
}

function scopeOf({ isResource, name, namespace }: Exchange['info']): string {
  if (!isResource) return ''
  if (name !== '') return 'resource'
  return namespace === '' ? 'cluster' : 'namespace'
}
