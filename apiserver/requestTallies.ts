export interface RequestLabels {
  verb: string
  group: string
  version: string
  resource: string
  subresource: string
  scope: string
  component: string
  dry_run: string
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** The requests that have the same labels. */
export class RequestTally {
  readonly labels: RequestLabels
  /** Answers by status code. */
  readonly codes = new Map<number, number>()
  /** How many took at most as long as each bound, and longer than the one before; the last: longer than all. */
  readonly buckets = new Array<number>(seconds.length + 1).fill(0)
  sumSeconds = 0

  constructor(labels: RequestLabels) {
    this.labels = labels
  }

  add(code: number, took: number): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1)
    let at = 0
    while (at < seconds.length && took > (seconds[at] ?? Infinity)) at++
    this.buckets[at] = (this.buckets[at] ?? 0) + 1
    this.sumSeconds += took
  }
}

/** What prom-client prints of a metric: one line a value. */
interface Line {
  labels: Record<string, string | number>
  value: number
  metricName?: string
}

/** Counts of requests, kept as plain numbers because every request adds to them; the library is handed lines at the
 *  scrape. Watches have no duration. Source: reference 6.8. */
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

  totals(): MadeMetric {
    const name = 'apiserver_request_total'
    const help = 'Requests answered, by verb, resource and status code.'
    return madeMetric({ name, help, type: 'counter' }, () => this.#all().flatMap(totalLines))
  }

  durations(): MadeMetric {
    const name = 'apiserver_request_duration_seconds'
    const help = 'Time from a request to the end of its answer, watches left out.'
    return madeMetric({ name, help, type: 'histogram' }, () =>
      this.#all()
        .filter(({ labels }) => labels.verb !== 'WATCH')
        .flatMap((tally) => durationLines(name, tally)),
    )
  }

  #all(): RequestTally[] {
    return [...this.#byOwner.values()].flatMap((tallies) => [...tallies.values()])
  }
}

function totalLines({ labels, codes }: RequestTally): Line[] {
  return [...codes].map(([code, value]) => ({ labels: { ...labels, code }, value }))
}

function durationLines(name: string, { labels, buckets, sumSeconds }: RequestTally): Line[] {
  let count = 0
  const lines: Line[] = buckets.map((inBucket, at) => {
    count += inBucket
    const le = seconds[at] ?? '+Inf'
    return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` }
  })
  const all = { ...labels }
  lines.push({ labels: all, value: sumSeconds, metricName: `${name}_sum` })
  lines.push({ labels: all, value: count, metricName: `${name}_count` })
  return lines
}

interface Described {
  name: string
  help: string
  type: 'counter' | 'histogram'
}

/** A metric whose lines are made when a registry asks for them. */
export interface MadeMetric extends Described {
  get(): Promise<Described & { values: Line[]; aggregator: 'sum' }>
}

function madeMetric(described: Described, lines: () => Line[]): MadeMetric {
  const get = () => Promise.resolve({ ...described, values: lines(), aggregator: 'sum' as const })
  return { ...described, get }
}
