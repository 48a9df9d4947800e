import type { Histogram } from '../meta/collections/histogram.ts'

/** A line of a metric in prom-client's output, one per value. */
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

/** Metric with lines that are computed at each scrape, from numbers kept without the library. */
export interface ComputedMetric extends Described {
  get(): Promise<Described & { values: Line[]; aggregator: 'sum' }>
}

export function computedMetric(described: Described, lines: () => Iterable<Line>): ComputedMetric {
  const get = () =>
    Promise.resolve({ ...described, values: [...lines()], aggregator: 'sum' as const })
  return { ...described, get }
}

/** Metric with lines that may take a while to compute. */
export function lazyMetric(
  described: Described,
  lines: () => Line[] | Promise<Line[]>,
): ComputedMetric {
  const get = async () => ({
    ...described,
    values: await lines(),
    aggregator: 'sum' as const,
  })
  return { ...described, get }
}

/** A counter without labels. */
export function computedCounter(name: string, help: string, value: () => number): ComputedMetric {
  return computedMetric({ name, help, type: 'counter' }, () => [{ labels: {}, value: value() }])
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
