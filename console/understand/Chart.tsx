/** A value at a moment, in milliseconds since 1970. */
export interface Point {
  at: number
  value: number
}

interface ChartProps {
  title: string
  points: readonly Point[]
  format: (value: number) => string
}

const [width, height] = [300, 80]

/** Line chart of the last minutes, with the newest, lowest and highest value as text. */
export function Chart({ title, points, format }: ChartProps) {
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const last = values.at(-1)
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        <strong className="numbers">{last === undefined ? '–' : format(last)}</strong>
      </header>
      <div className="inside">
        <svg
          className="chart"
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={
            last === undefined
              ? `${title}: no values yet`
              : `${title}: now ${format(last)}, from ${format(low)} to ${format(high)}`
          }
        >
          <path d={lineOf(points, low, high)} />
        </svg>
        <p className="hint numbers">
          {last === undefined ? 'Two readings are needed.' : `${format(low)} – ${format(high)}`}
        </p>
      </div>
    </section>
  )
}

function lineOf(points: readonly Point[], low: number, high: number): string {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  const span = Math.max(1, last - first)
  const range = high - low
  // A single value is drawn as a level line.
  if (points.length === 1) return `M0 ${height / 2}L${width} ${height / 2}`
  return points
    .map(({ at, value }, index) => {
      const x = ((at - first) / span) * width
      const y = range === 0 ? height / 2 : height - 4 - ((value - low) / range) * (height - 8)
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
