import { useEffect, useState } from 'react'
import { ErrorNote, Missing } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { Chart, type Point } from './Chart.tsx'
import { Samples } from './metricsText.ts'
import { Quotas } from './Quotas.tsx'

const readMs = 5_000
/** Number of readings kept: ten minutes. */
const maxReadings = 120

interface Reading {
  at: number
  samples: Samples
}

interface ChartSpec {
  title: string
  value: (samples: Samples) => number | undefined
  /** True to show the change per second, as for counters. Default false. */
  isRate?: boolean
  format: (value: number) => string
}

const count = (value: number) => Math.round(value).toLocaleString('en')
const rate = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)}/s`
const mebibytes = (value: number) => `${(value / 2 ** 20).toFixed(0)} MiB`

const charts: readonly ChartSpec[] = [
  {
    title: 'Requests',
    value: (samples) => samples.sum('apiserver_request_total'),
    isRate: true,
    format: rate,
  },
  {
    title: 'Open watches',
    value: (samples) => samples.sum('apiserver_longrunning_requests') ?? 0,
    format: count,
  },
  {
    title: 'Watch events',
    value: (samples) => samples.sum('apiserver_watch_events_total') ?? 0,
    isRate: true,
    format: rate,
  },
  {
    title: 'Revision',
    value: (samples) => samples.sum('apiserver_storage_revision', { kind: 'current' }),
    format: count,
  },
  {
    title: 'Stored objects',
    value: (samples) => samples.sum('apiserver_storage_objects'),
    format: count,
  },
  {
    title: 'Memory',
    value: (samples) => samples.sum('process_resident_memory_bytes'),
    format: mebibytes,
  },
  {
    title: 'Processor',
    value: (samples) => samples.sum('process_cpu_seconds_total'),
    isRate: true,
    format: (value) => `${(value * 100).toFixed(0)} %`,
  },
]

/** Page with charts of the server's metrics, from the moment it is opened. */
export default function MetricsPage() {
  const { everywhere } = useConsole()
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <h1>Metrics</h1>
          <p className="crumbs">
            <span>Read every {readMs / 1000} seconds while this page is shown.</span>
          </p>
        </div>
      </div>
      {everywhere.allowPath('get', '/metrics') ? <Charts /> : <Missing what="read metrics" />}
      <Quotas />
    </main>
  )
}

function Charts() {
  const { client } = useConsole()
  const [isPaused, setPaused] = useState(false)
  const [readings, setReadings] = useState<readonly Reading[]>([])
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const stop = new AbortController()
    const read = async () => {
      if (document.hidden || isPaused) return
      try {
        const options = { accept: 'text/plain', signal: stop.signal }
        const text = await (await client.response('/metrics', options)).text()
        const reading = { at: Date.now(), samples: new Samples(text) }
        setReadings((old) => [...old.slice(1 - maxReadings), reading])
        setError(undefined)
      } catch (failure) {
        if (!stop.signal.aborted) setError(failure)
      }
    }
    void read()
    const timer = setInterval(() => void read(), readMs)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [client, isPaused])
  return (
    <>
      {error === undefined ? null : <ErrorNote error={error} />}
      <div>
        <button
          type="button"
          className="button"
          aria-pressed={isPaused}
          onClick={() => setPaused(!isPaused)}
        >
          Pause
        </button>
      </div>
      <div className="tiles">
        {charts.map((chart) => (
          <Chart
            key={chart.title}
            title={chart.title}
            points={pointsOf(chart, readings)}
            format={chart.format}
          />
        ))}
      </div>
    </>
  )
}

function pointsOf({ value, isRate = false }: ChartSpec, readings: readonly Reading[]): Point[] {
  const points = readings.flatMap(({ at, samples }) => {
    const found = value(samples)
    return found === undefined ? [] : [{ at, value: found }]
  })
  if (!isRate) return points
  return points.slice(1).map(({ at, value: now }, index) => {
    const before = points[index] ?? { at, value: now }
    // A counter that decreased was reset by a restart of the server.
    const grown = Math.max(0, now - before.value)
    return { at, value: (grown * 1000) / Math.max(1, at - before.at) }
  })
}
