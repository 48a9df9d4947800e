import { Histogram } from './meta/histogram.ts'
import { histogramLines, madeMetric, type Line, type MadeMetric } from './metricsLines.ts'

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

/** How a request ended. */
export interface RequestEnd {
  code: number
  seconds: number
  /** Of the body; undefined: it had no length, as a stream has none. */
  bodyBytes: number | undefined
  /** The server itself gave up on it: too much to do, or too late. */
  isTerminated: boolean
  /** The answer broke off. */
  isAborted: boolean
}

/** The requests that have the same labels. */
export class RequestTally {
  readonly labels: RequestLabels
  /** Answers by status code. */
  readonly codes = new Map<number, number>()
  /** Those that the server gave up on, likewise. */
  readonly terminated = new Map<number, number>()
  readonly seconds = new Histogram(seconds)
  readonly bytes = new Histogram(bytes)
  aborted = 0

  constructor(labels: RequestLabels) {
    this.labels = labels
  }

  add({ code, seconds, bodyBytes, isTerminated, isAborted }: RequestEnd): void {
    countIn(this.codes, code)
    this.seconds.add(seconds)
    if (bodyBytes !== undefined) this.bytes.add(bodyBytes)
    if (isTerminated) countIn(this.terminated, code)
    if (isAborted) this.aborted++
  }
}

function countIn(counts: Map<number, number>, code: number): void {
  counts.set(code, (counts.get(code) ?? 0) + 1)
}

/** Counts of requests, kept as plain numbers because every request adds to them; the library is handed lines at the
 *  scrape. Watches have no duration, and reads alone a size. Source: reference 6.8. */
export class RequestTallies {
  readonly #byOwner = new Map<object | undefined, Map<string, RequestTally>>()

  /** The tally of requests that `key` tells apart among those about `owner`. */
  of(owner: object | undefined, key: string, labels: () => RequestLabels): RequestTally {
    let tallies = this.#byOwner.get(owner)
    if (tallies === undefined) this.#byOwner.set(owner, (tallies = new Map<string, RequestTally>()))
    let tally = tallies.get(key)
    if (tally === undefined) tallies.set(key, (tally = new RequestTally(labels())))
    return tally
  }

  /** Everything that is known of requests. `isDeprecated` tells whether an owner is to be used no more. */
  metrics(isDeprecated: (owner: object | undefined) => boolean): MadeMetric[] {
    return [
      this.#counter('apiserver_request_total', 'Requests answered, by status code.', codeLines),
      this.#durations('apiserver_request_duration_seconds', 'From a request to its answer’s end.'),
      this.#durations('apiserver_request_sli_duration_seconds', 'The same: nothing is waited for.'),
      this.#sizes(),
      this.#counter(
        'apiserver_request_terminations_total',
        'Requests the server gave up on in its own defence, by status code.',
        ({ labels, terminated }) => countLines(withoutDryRun(labels), terminated),
      ),
      this.#counter('apiserver_request_aborts_total', 'Answers that broke off.', abortLines),
      this.#deprecated(isDeprecated),
    ]
  }

  #counter(name: string, help: string, lines: (tally: RequestTally) => Line[]): MadeMetric {
    return madeMetric({ name, help, type: 'counter' }, () => this.#all().flatMap(lines))
  }

  #durations(name: string, help: string): MadeMetric {
    return madeMetric({ name, help, type: 'histogram' }, () =>
      this.#all()
        .filter(({ labels }) => labels.verb !== 'WATCH')
        .flatMap((tally) => histogramLines(name, { ...tally.labels }, tally.seconds)),
    )
  }

  #sizes(): MadeMetric {
    const name = 'apiserver_response_sizes'
    return madeMetric({ name, help: 'Bytes of what was read.', type: 'histogram' }, () =>
      this.#all()
        .filter(({ labels }) => labels.verb === 'GET' || labels.verb === 'LIST')
        .flatMap((tally) => histogramLines(name, withoutDryRun(tally.labels), tally.bytes)),
    )
  }

  #deprecated(isDeprecated: (owner: object | undefined) => boolean): MadeMetric {
    const name = 'apiserver_requested_deprecated_apis'
    return madeMetric({ name, help: 'Kinds in use that should not be.', type: 'gauge' }, () =>
      [...this.#byOwner]
        .filter(([owner]) => isDeprecated(owner))
        .flatMap(([, tallies]) => [...tallies.values()].slice(0, 1))
        .map(({ labels: { group, version, resource } }) => ({
          labels: { group, version, resource, subresource: '', removed_release: '' },
          value: 1,
        })),
    )
  }

  #all(): RequestTally[] {
    return [...this.#byOwner.values()].flatMap((tallies) => [...tallies.values()])
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
  // What dry runs and others share would else stand twice.
  return dry_run === '' ? labels : { ...labels, dry_run }
}
