import type { ExchangeEnd } from '../endpoints/exchangeEnd.ts'
import { Histogram } from '../meta/collections/histogram.ts'
import { histogramLines, computedMetric, type Line, type ComputedMetric } from './metricsLines.ts'

export interface RequestLabels {
  verb: string
  group: string
  version: string
  resource: string
  subresource: string
  scope: string
  component: string
  dry_run: string
  plane?: string
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const bytes = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

/** The outcome of a request. */
export interface RequestEnd extends ExchangeEnd {
  seconds: number
  /** Size of the body; undefined: unknown, as for a stream. */
  bodyBytes: number | undefined
}

/** Statistics of requests with the same labels. */
export class RequestTally {
  readonly labels: RequestLabels
  /** Responses by status code. */
  readonly codes = new Map<number, number>()
  /** Requests ended by the server, by status code. */
  readonly terminated = new Map<number, number>()
  readonly seconds = new Histogram(seconds)
  readonly bytes = new Histogram(bytes)
  aborted = 0
  /** Number of open watches. */
  running = 0
  /** True if the kind is deprecated. */
  isDeprecated = false
  /** True if the tally is no longer shown; it must not be added to. */
  isForgotten = false

  constructor(labels: RequestLabels) {
    this.labels = labels
  }

  add({ code, seconds, bodyBytes, terminatedCode, isAborted }: RequestEnd): void {
    countIn(this.codes, code)
    this.seconds.add(seconds)
    if (bodyBytes !== undefined) this.bytes.add(bodyBytes)
    if (terminatedCode !== undefined) countIn(this.terminated, terminatedCode)
    if (isAborted) this.aborted++
  }
}

function countIn(counts: Map<number, number>, code: number): void {
  counts.set(code, (counts.get(code) ?? 0) + 1)
}

/** Information about the owner of tallies: the kind of the requests; undefined: none. */
export interface TallyOwners {
  /** Reports whether the kind is deprecated. */
  isDeprecated(owner: object | undefined): boolean
  /** Reports whether the owner may be replaced, any number of times. */
  isPassing(owner: object | undefined): boolean
}

/** Maximum number of label sets of temporary owners. */
const maxPassing = 1_000

/** Owner of tallies of requests for unknown resources. */
const nothing = {}

/**
 * Request statistics as plain numbers, because every request adds to them; the library receives
 * lines at each scrape. Watches have no duration, and only reads have a size. Source: reference
 * 6.8.
 */
export class RequestTallies {
  readonly #owners: TallyOwners
  /** Fast look-up for each request by owner and a short key. */
  readonly #byOwner = new WeakMap<object, Map<string, RequestTally>>()
  /** Tallies by labels, which several owners may share: a custom kind has a new owner after each change. */
  readonly #lasting = new Map<string, RequestTally>()
  /** Tallies of temporary owners by labels, oldest first. */
  readonly #passing = new Map<string, RequestTally>()

  constructor(owners: TallyOwners) {
    this.#owners = owners
  }

  /** The tally of requests for `owner` with `key`. */
  of(owner: object | undefined, key: string, labels: () => RequestLabels): RequestTally {
    let tallies = this.#byOwner.get(owner ?? nothing)
    if (tallies === undefined) {
      this.#byOwner.set(owner ?? nothing, (tallies = new Map<string, RequestTally>()))
    }
    let tally = tallies.get(key)
    if (tally === undefined || tally.isForgotten) {
      tallies.set(key, (tally = this.#shared(owner, labels())))
    }
    return tally
  }

  #shared(owner: object | undefined, labels: RequestLabels): RequestTally {
    const isPassing = this.#owners.isPassing(owner)
    const tallies = isPassing ? this.#passing : this.#lasting
    const text = JSON.stringify(labels)
    let tally = tallies.get(text)
    if (tally === undefined) {
      if (isPassing) this.#makeRoom()
      tallies.set(text, (tally = new RequestTally(labels)))
    }
    tally.isDeprecated = this.#owners.isDeprecated(owner)
    return tally
  }

  /** Makes room by dropping a counter; if it is used again it restarts at zero, which consumers of counters expect. */
  #makeRoom(): void {
    for (const [text, tally] of this.#passing) {
      if (this.#passing.size < maxPassing) return
      if (tally.running > 0) continue
      tally.isForgotten = true
      this.#passing.delete(text)
    }
  }

  /** All request metrics. */
  metrics(): ComputedMetric[] {
    return [
      this.#counter('apiserver_request_total', 'Finished requests, by status code.', codeLines),
      this.#durations(
        'apiserver_request_duration_seconds',
        'Duration in seconds from the request to the end of its response.',
      ),
      this.#durations(
        'apiserver_request_sli_duration_seconds',
        'Duration in seconds, as apiserver_request_duration_seconds; time spent in webhooks is included.',
      ),
      this.#sizes(),
      this.#counter(
        'apiserver_request_terminations_total',
        'Requests refused or ended to protect the server, by status code.',
        ({ labels, terminated }) => countLines(withoutDryRun(labels), terminated),
      ),
      this.#counter(
        'apiserver_request_aborts_total',
        'Requests whose connection closed before the end of the body or of the response.',
        abortLines,
      ),
      this.#deprecated(),
      this.#longRunning(),
    ]
  }

  #counter(name: string, help: string, lines: (tally: RequestTally) => Line[]): ComputedMetric {
    return computedMetric({ name, help, type: 'counter' }, () => this.#all().flatMap(lines))
  }

  #durations(name: string, help: string): ComputedMetric {
    return computedMetric({ name, help, type: 'histogram' }, () =>
      this.#all()
        .filter(({ labels }) => labels.verb !== 'WATCH')
        .flatMap((tally) => histogramLines(name, { ...tally.labels }, tally.seconds)),
    )
  }

  #sizes(): ComputedMetric {
    const name = 'apiserver_response_sizes'
    return computedMetric(
      { name, help: 'Size in bytes of responses to reads.', type: 'histogram' },
      () =>
        this.#all()
          .filter(({ labels }) => labels.verb === 'GET' || labels.verb === 'LIST')
          .flatMap((tally) => histogramLines(name, withoutDryRun(tally.labels), tally.bytes)),
    )
  }

  #deprecated(): ComputedMetric {
    const name = 'apiserver_requested_deprecated_apis'
    return computedMetric({ name, help: 'Deprecated kinds in use.', type: 'gauge' }, () => {
      const kinds = new Map<string, Line>()
      for (const { isDeprecated, labels } of this.#all()) {
        const { group, version, resource } = labels
        const line = {
          labels: { group, version, resource, subresource: '', removed_release: '' },
          value: 1,
        }
        if (isDeprecated) kinds.set(`${group}/${version}/${resource}`, line)
      }
      return kinds.values()
    })
  }

  #longRunning(): ComputedMetric {
    const name = 'apiserver_longrunning_requests'
    return computedMetric({ name, help: 'Open watches.', type: 'gauge' }, () =>
      this.#all()
        .filter(({ labels }) => labels.verb === 'WATCH')
        .map(({ labels, running }) => ({ labels: { ...labels }, value: running })),
    )
  }

  #all(): RequestTally[] {
    return [...this.#lasting.values(), ...this.#passing.values()]
  }
}

function codeLines({ labels, codes }: RequestTally): Line[] {
  return countLines({ ...labels }, codes)
}

function countLines(labels: Line['labels'], codes: ReadonlyMap<number, number>): Line[] {
  return [...codes].map(([code, value]) => ({ labels: { ...labels, code }, value }))
}

function abortLines({ labels, aborted }: RequestTally): Line[] {
  return aborted === 0 ? [] : [{ labels: withoutDryRun(labels), value: aborted }]
}

function withoutDryRun({ dry_run, ...labels }: RequestLabels): Line['labels'] {
  // Labels without an empty dry_run, so that no key is repeated.
  return dry_run === '' ? labels : { ...labels, dry_run }
}
