import type { AuditCounts } from '../audit/auditLog.ts'
import type { InFlightLimits } from '../endpoints/chainServices.ts'
import { filterSeconds, type FilterTallies } from '../endpoints/filterTallies.ts'
import type { Histogram } from '../meta/collections/histogram.ts'
import {
  histogramLines,
  computedCounter,
  computedMetric,
  type Line,
  type ComputedMetric,
} from './metricsLines.ts'
import { backupMetrics, type BackupSource } from './backupMetrics.ts'
import { processMetrics, type ProcessSources } from './processMetrics.ts'
import type { Store } from '../registry/store.ts'
import type { Storage } from '../storage/storage.ts'

export interface MetricsSources {
  /** The build, the disk and the certificate. Absent: without these metrics. */
  process?: ProcessSources
  /** Scheduled backups. Absent: without these metrics. */
  backups?: BackupSource
  limits: InFlightLimits
  filters: FilterTallies
  storage: Storage & { writeSeconds: Histogram }
  stores: () => readonly Store[]
  /** Audit statistics; undefined: not available yet. */
  audited: () => AuditCounts | undefined
  /** Number of failed TLS handshakes. */
  handshakeErrors: () => number
  /** Number of uncaught errors of the process. */
  uncaughtErrors: () => number
}

type Lines = () => Line[]

const gauge = (name: string, help: string, lines: Lines) =>
  computedMetric({ name, help, type: 'gauge' }, lines)
const counter = (name: string, help: string, lines: Lines) =>
  computedMetric({ name, help, type: 'counter' }, lines)
const histogram = (name: string, help: string, lines: Lines) =>
  computedMetric({ name, help, type: 'histogram' }, lines)

/** Metrics of the server besides requests. Source: reference 6.8. */
export function serverMetrics(sources: MetricsSources): ComputedMetric[] {
  return [
    ...inFlightMetrics(sources.limits),
    ...filterMetrics(sources.filters),
    ...storeMetrics(sources.stores),
    ...storageMetrics(sources.storage),
    ...auditMetrics(sources.audited),
    ...(sources.process === undefined ? [] : processMetrics(sources.process)),
    ...(sources.backups === undefined ? [] : backupMetrics(sources.backups)),
    computedCounter(
      'apiserver_tls_handshake_errors_total',
      'Connections that failed before they were encrypted.',
      sources.handshakeErrors,
    ),
    computedCounter(
      'apiserver_uncaught_errors_total',
      'Errors that reached the process because nothing caught them.',
      sources.uncaughtErrors,
    ),
  ]
}

function inFlightMetrics(limits: InFlightLimits): ComputedMetric[] {
  const both = (readOnly: number, mutating: number): Line[] => [
    { labels: { request_kind: 'readOnly' }, value: readOnly },
    { labels: { request_kind: 'mutating' }, value: mutating },
  ]
  const help = 'Running requests except watches.'
  return [
    gauge('apiserver_current_inflight_requests', help, () =>
      both(limits.readOnly, limits.mutating),
    ),
    gauge('apiserver_current_inqueue_requests', 'Always 0: requests are not queued.', () =>
      both(0, 0),
    ),
  ]
}

function filterMetrics({ outcomes, users, late }: FilterTallies): ComputedMetric[] {
  const { authentication, authorization } = outcomes
  const attempts = (of: ReadonlyMap<string, Histogram>) => (): Line[] =>
    [...of].map(([result, took]) => ({ labels: { result }, value: took.total }))
  const durations = (name: string, of: ReadonlyMap<string, Histogram>, help: string) =>
    histogram(name, help, () =>
      [...of].flatMap(([result, took]) => histogramLines(name, { result }, took)),
    )
  const filterName = 'apiserver_request_filter_duration_seconds'
  return [
    counter(
      'authentication_attempts',
      'Authentication attempts, by result.',
      attempts(authentication),
    ),
    durations(
      'authentication_duration_seconds',
      authentication,
      'Duration of authentication in seconds, by result.',
    ),
    counter(
      'authorization_attempts_total',
      'Authorization attempts, by result.',
      attempts(authorization),
    ),
    durations(
      'authorization_duration_seconds',
      authorization,
      'Duration of authorization in seconds, by result.',
    ),
    histogram(filterName, 'Duration of request filters in seconds.', () =>
      Object.entries(outcomes).flatMap(([filter, of]) =>
        histogramLines(filterName, { filter }, merged(of)),
      ),
    ),
    counter('authenticated_user_requests', 'Authenticated requests, by kind of user name.', () =>
      [...users].map(([username, value]) => ({ labels: { username }, value })),
    ),
    counter(
      'apiserver_request_post_timeout_total',
      'Requests that ended after their deadline, by outcome.',
      () =>
        Object.entries(late).map(([status, value]) => ({
          labels: { source: 'timeout-handler', status },
          value,
        })),
    ),
  ]
}

function merged(histograms: ReadonlyMap<string, Histogram>): Histogram {
  const all = filterSeconds()
  for (const one of histograms.values()) all.merge(one)
  return all
}

/** Gauges and counters of the kinds in use. */
function storeMetrics(stores: MetricsSources['stores']): ComputedMetric[] {
  // Several versions of a kind have separate stores over the same objects.
  const each = (value: (store: Store) => number, join: (a: number, b: number) => number) => () =>
    joinedLines(
      stores().map((store) => ({
        labels: { group: store.resource.group, resource: store.resource.plural },
        value: value(store),
      })),
      join,
    )
  const versioned = (lines: (store: Store, labels: Line['labels']) => Line[]) => (): Line[] =>
    stores().flatMap((store) => {
      const { group, version, plural } = store.resource
      return lines(store, { group, version, resource: plural })
    })
  const size = each(({ cache }) => cache.size, Math.max)
  const sizes = 'apiserver_watch_events_sizes'
  return [
    gauge('apiserver_storage_objects', 'Stored objects, by kind in use.', size),
    gauge('apiserver_resource_objects', 'Stored objects, by kind in use.', size),
    gauge(
      'apiserver_watch_cache_watchers',
      'Open watches, by kind in use.',
      each(({ cache }) => cache.watcherCount, sum),
    ),
    counter(
      'apiserver_watch_cache_events_dispatched_total',
      'Changes sent to watch caches, by kind in use.',
      each(({ cache }) => cache.dispatchedCount, Math.max),
    ),
    counter(
      'apiserver_terminated_watchers_total',
      'Watches ended because they were too slow.',
      each(({ cache }) => cache.counts.terminated, sum),
    ),
    counter(
      'apiserver_watch_events_total',
      'Events sent to watches.',
      versioned(({ cache }, labels) => [{ labels, value: cache.counts.sent.total }]),
    ),
    histogram(
      sizes,
      'Size in bytes of events sent to watches.',
      versioned(({ cache }, labels) => histogramLines(sizes, labels, cache.counts.sent)),
    ),
  ]
}

function sum(a: number, b: number): number {
  return a + b
}

/** Merges lines with the same labels. */
function joinedLines(lines: readonly Line[], join: (a: number, b: number) => number): Line[] {
  const byLabels = new Map<string, Line>()
  for (const line of lines) {
    const key = JSON.stringify(line.labels)
    const before = byLabels.get(key)
    byLabels.set(
      key,
      before === undefined ? line : { ...line, value: join(before.value, line.value) },
    )
  }
  return [...byLabels.values()]
}

function storageMetrics(storage: MetricsSources['storage']): ComputedMetric[] {
  const name = 'etcd_request_duration_seconds'
  return [
    gauge('apiserver_storage_revision', 'Current revision and newest compacted revision.', () => [
      { labels: { kind: 'current' }, value: storage.revision },
      { labels: { kind: 'compacted' }, value: storage.compactedRevision },
    ]),
    histogram(name, 'Duration in seconds until a batch of writes is durable.', () =>
      histogramLines(name, { operation: 'txn', type: '' }, storage.writeSeconds),
    ),
  ]
}

function auditMetrics(audited: MetricsSources['audited']): ComputedMetric[] {
  return [
    computedCounter(
      'apiserver_audit_event_total',
      'Audit events created.',
      () => audited()?.events ?? 0,
    ),
    counter('apiserver_audit_error_total', 'Audit events lost, by sink.', () => {
      const { log = 0, database = 0 } = audited()?.lost ?? {}
      return [
        { labels: { plugin: 'log' }, value: log },
        { labels: { plugin: 'database' }, value: database },
      ]
    }),
    computedCounter(
      'apiserver_audit_requests_rejected_total',
      'Always 0: requests are not refused if they cannot be audited.',
      () => 0,
    ),
  ]
}
