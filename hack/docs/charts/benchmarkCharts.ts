import { barChart, type Bar } from './barChart.ts'

/** Charts of the tables in `docs/reference/benchmarks.md`, by file name. */
export function benchmarkCharts(page: string): Record<string, string> {
  const raw = rowsBetween(page, 'table')
  const peer = rowsBetween(page, 'peer')
  return {
    'raw-limit.svg': barChart({
      title: 'Rates beside a bare Node server or a bare LevelDB on the same machine',
      subtitle: `Share of the raw limit; longer is better. ${measuredOn(page, 'table')}`,
      bars: raw
        .filter(({ ours = '' }) => ours.endsWith('/s'))
        .flatMap((row) => barOf(row, 'ratio')),
      scale: 'linear',
      marks: [
        { value: 0.5, text: '50 %' },
        { value: 1, text: '100 %' },
      ],
    }),
    'library.svg': barChart({
      title: 'Beside the API server library of Kubernetes with etcd',
      subtitle: `How many times better, on a logarithmic scale; longer is better. ${measuredOn(page, 'peer')}`,
      bars: peer.flatMap((row) => barOf(row, 'times better')),
      scale: 'log',
      marks: [1, 10, 100].map((value) => ({ value, text: `${value} ×` })),
    }),
  }
}

type Row = Record<string, string>

function barOf(row: Row, column: string): Bar[] {
  const value = Number(row[column])
  if (row[column] === '' || !Number.isFinite(value)) return []
  const text = column === 'ratio' ? `${Math.round(value * 100)} %` : `${row[column]} ×`
  return [{ label: row['what'] ?? '', value, text }]
}

/** Rows of the table between two comments, by column name. */
function rowsBetween(page: string, name: string): Row[] {
  const lines = section(page, name).filter((line) => line.startsWith('|'))
  const [names = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return rows.map((cells) =>
    Object.fromEntries(cells.map((cell, at) => [names[at] ?? '', cell] as const)),
  )
}

/** Date of the measurement, at the start of the line before the table. */
function measuredOn(page: string, name: string): string {
  const found = section(page, name).find((line) => /^\d{4}-\d\d-\d\d/.test(line))
  return found === undefined ? '' : `Measured ${found.slice(0, 10)}.`
}

function section(page: string, name: string): string[] {
  const [, text = ''] = page.split(new RegExp(`<!-- ${name}: (?:begin|end)[^>]*-->`))
  return text.split('\n')
}
