import type { Histogram } from '../meta/histogram.ts'

/** What prom-client prints of a metric: one line a value. */
export interface Line {
  labels: Record<string, string | number>
  value: number
  metricName?: string
}

interface Described {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
}

/** A metric whose lines are made when a registry asks for them, of numbers that were kept without the library. */
export interface MadeMetric extends Described {
  get(): Promise<Described & { values: Line[]; aggregator: 'sum' }>
}

export function madeMetric(described: Described, lines: () => Iterable<Line>): MadeMetric {
  const get = () =>
    Promise.resolve({ ...described, values: [...lines()], aggregator: 'sum' as const })
  return { ...described, get }
}

/** A counter without labels. */
export function madeCounter(name: string, help: string, value: () => number): MadeMetric {
  return madeMetric({ name, help, type: 'counter' }, () => [{ labels: {}, value: value() }])
}

export function histogramLines(
  name: string,
  given: Line['labels'],
  { bounds, counts, sum }: Histogram,
): Line[] {
  const labels = { ...given }
  let total = 0
  const lines: Line[] = counts.map((count, at) => {
    total += count
    const le = bounds[at] ?? '+Inf'
    return { labels: { le, ...labels }, value: total, metricName: `${name}_bucket` }
  })
  lines.push({ labels, value: sum, metricName: `${name}_sum` })
  lines.push({ labels, value: total, metricName: `${name}_count` })
  return lines
}
