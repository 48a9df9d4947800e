import type * as Prom from 'prom-client'
import type { Metric, Registry } from 'prom-client'
import type { AuditCounts } from './audit/auditLog.ts'
import type { Exchange } from './endpoints/exchange.ts'
import type { InFlightLimits } from './endpoints/chainServices.ts'
import type { ResourceDefinition } from './registry/resource.ts'
import type { Store } from './registry/store.ts'
import { RequestTallies, type RequestLabels } from './requestTallies.ts'
import type { Storage } from './storage/storage.ts'

export interface MetricsSources {
  limits: InFlightLimits
  storage: Storage
  stores: () => readonly Store[]
  /** undefined: nothing is audited yet. */
  audited: () => AuditCounts | undefined
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

/** What `/metrics` shows, under the names of the API machinery. The library is loaded when the server stands, so that
 *  start-up does not wait for it. Source: reference 6.8. */
export class Metrics {
  readonly #sources: MetricsSources
  readonly #requests = new RequestTallies()
  readonly #longRunning = new Map<RequestLabels, { count: number }>()
  #registry: Promise<Registry> | undefined

  constructor(sources: MetricsSources) {
    this.#sources = sources
  }

  /** Follows an exchange to its end. */
  observe(exchange: Exchange): void {
    const known = knownResource(exchange)
    const key = keyOf(exchange, known)
    const tally = this.#requests.of(known, key, () => labelsOf(exchange, known))
    const began = performance.now()
    const running = exchange.info.verb === 'watch' ? this.#longRunningFor(tally.labels) : undefined
    if (running !== undefined) running.count++
    exchange.onFinish(() => {
      if (running !== undefined) running.count--
      tally.add(exchange.response.statusCode, (performance.now() - began) / 1000)
    })
  }

  /** Loads the library in the background. */
  load(): Promise<unknown> {
    return this.#load()
  }

  /** The text of `/metrics`. */
  async text(): Promise<{ body: string; contentType: string }> {
    const registry = await this.#load()
    return { body: await registry.metrics(), contentType: registry.contentType }
  }

  #longRunningFor(labels: RequestLabels): { count: number } {
    let found = this.#longRunning.get(labels)
    if (found === undefined) this.#longRunning.set(labels, (found = { count: 0 }))
    return found
  }

  #load(): Promise<Registry> {
    this.#registry ??= this.#make()
    return this.#registry
  }

  async #make(): Promise<Registry> {
    const prom = await import('prom-client')
    const registry = new prom.Registry()
    prom.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
    for (const made of [this.#requests.totals(), this.#requests.durations()]) {
      // A registry asks a metric for its name and its lines, and for nothing else.
      registry.registerMetric(made as unknown as Metric)
    }
    this.#addGauges(prom, [registry])
    addAuditCounters(prom, [registry], this.#sources.audited)
    return registry
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
        for (const [labels, { count }] of longRunning) this.set({ ...labels }, count)
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

function addAuditCounters(
  prom: typeof Prom,
  registers: Registry[],
  audited: MetricsSources['audited'],
): void {
  new prom.Counter({
    name: 'apiserver_audit_event_total',
    help: 'Audit events made.',
    registers,
    collect() {
      this.reset()
      this.inc(audited()?.events ?? 0)
    },
  })
  new prom.Counter({
    name: 'apiserver_audit_error_total',
    help: 'Audit events lost, by the place that could not take them.',
    labelNames: ['plugin'],
    registers,
    collect() {
      this.reset()
      const { log = 0, database = 0 } = audited()?.lost ?? {}
      this.inc({ plugin: 'log' }, log)
      this.inc({ plugin: 'database' }, database)
    },
  })
  new prom.Counter({
    name: 'apiserver_audit_requests_rejected_total',
    help: 'Requests refused because they could not be audited: none ever is.',
    registers,
  })
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
function knownResource({ info, plane }: Exchange): ResourceDefinition | undefined {
  return info.isResource ? plane.resources.get(info, info.resource) : undefined
}

/** Tells requests about one resource apart by their labels. */
function keyOf(exchange: Exchange, known: ResourceDefinition | undefined): string {
  const { info } = exchange
  const subresource = info.subresource === '' ? '' : knownSubresource(info.subresource, known)
  return `${Object.hasOwn(verbs, info.verb) ? info.verb : ''} ${scopeOf(info)} ${dryRunOf(exchange)} ${subresource}`
}

function labelsOf(exchange: Exchange, known: ResourceDefinition | undefined): RequestLabels {
  const { info } = exchange
  return {
    verb: verbs[info.verb] ?? 'OTHER',
    group: known?.group ?? '',
    version: known?.version ?? '',
    resource: known?.plural ?? '',
    subresource: knownSubresource(info.subresource, known),
    scope: scopeOf(info),
    component: 'apiserver',
    dry_run: dryRunOf(exchange),
  }
}

function knownSubresource(name: string, known: ResourceDefinition | undefined): string {
  return known?.subresources?.some((subresource) => subresource.name === name) === true ? name : ''
}

function dryRunOf({ query }: Exchange): string {
  return query.size > 0 && query.get('dryRun') === 'All' ? 'All' : ''
}

function scopeOf({ isResource, name, namespace }: Exchange['info']): string {
  if (!isResource) return ''
  if (name !== '') return 'resource'
  return namespace === '' ? 'cluster' : 'namespace'
}
