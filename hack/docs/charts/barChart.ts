export interface Bar {
  label: string
  value: number
  /** Value as shown after the bar. */
  text: string
}

export interface BarChart {
  title: string
  /** Meaning and direction of the values, below the title. */
  subtitle: string
  bars: readonly Bar[]
  /** Scale; `log` gives factors of ten equal lengths, and bars start at 1. */
  scale: 'linear' | 'log'
  /** Values with a line and a label. */
  marks: readonly { value: number; text: string }[]
}

const labelWidth = 545
const barWidth = 330
const valueWidth = 70
const rowHeight = 22
const headHeight = 78
const width = labelWidth + barWidth + valueWidth

/** Colours follow the reader's theme, even as an image in a page. */
const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .minor { fill: #59636e; font-size: 12px }
  .bar { fill: #2f6fde }
  line { stroke: #d1d9e0 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .minor { fill: #9198a1 }
    .bar { fill: #6ea0ff }
    line { stroke: #3d444d }
  }`

/** Horizontal bars as an SVG file, in the given order. */
export function barChart({ title, subtitle, bars, scale, marks }: BarChart): string {
  const most = Math.max(...bars.map(({ value }) => value), ...marks.map(({ value }) => value))
  const lengthOf = (value: number) => {
    const share = scale === 'log' ? Math.log(Math.max(1, value)) / Math.log(most) : value / most
    return Number((share * barWidth).toFixed(1))
  }
  const height = headHeight + bars.length * rowHeight + 10
  const lines = marks.map(({ value, text }) => markAt(lengthOf(value), text, height))
  const rows = bars.map((bar, row) => barAt(bar, lengthOf(bar.value), row))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${style}
</style>
<text class="title" x="0" y="20">${escaped(title)}</text>
<text class="minor" x="0" y="40">${escaped(subtitle)}</text>
${[...lines, ...rows].join('\n')}
</svg>
`
}

function markAt(length: number, text: string, height: number): string {
  const x = labelWidth + length
  return `<line x1="${x}" x2="${x}" y1="${headHeight - 6}" y2="${height - 10}"/>
<text class="minor" x="${x}" y="${headHeight - 12}" text-anchor="middle">${escaped(text)}</text>`
}

function barAt({ label, text }: Bar, length: number, row: number): string {
  const top = headHeight + row * rowHeight
  return `<text x="${labelWidth - 10}" y="${top + 13}" text-anchor="end">${escaped(label)}</text>
<rect class="bar" x="${labelWidth}" y="${top + 2}" width="${Math.max(1, length)}" height="${rowHeight - 8}" rx="2"/>
<text class="minor" x="${labelWidth + Math.max(1, length) + 6}" y="${top + 13}">${escaped(text)}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
