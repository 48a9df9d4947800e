import { readFileSync, writeFileSync } from 'node:fs'
import { isReached, ratioOf, type Row } from './row.ts'

const heads = ['what', 'ours', 'raw limit', 'ratio', 'aim', '', 'more', 'the raw limit is']

function cells(row: Row): string[] {
  const ratio = ratioOf(row)
  return [
    row.what,
    `${amount(row.ours)} ${row.unit}`,
    row.raw === undefined ? '' : `${amount(row.raw.value)} ${row.unit}`,
    ratio === undefined ? '' : ratio.toFixed(2),
    aimText(row),
    verdict(row),
    [row.detail, row.fault].filter((text) => text !== undefined).join('; '),
    row.raw?.what ?? '',
  ]
}

function aimText({ aim, unit }: Row): string {
  if (aim === undefined) return ''
  if ('most' in aim) return `≤ ${amount(aim.most)} ${unit}`
  return 'least' in aim ? `≥ ${amount(aim.least)} ${unit}` : `ratio ≥ ${aim.ratio}`
}

function verdict(row: Row): string {
  const reached = isReached(row)
  if (reached === undefined) return ''
  return reached ? 'reached' : 'MISSED'
}

export function amount(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}

/** Table with aligned columns. */
export function textTable(rows: readonly Row[]): string {
  return alignedTable([heads, ...rows.map(cells)])
}

/** Rows; the first one is the header. */
export function alignedTable(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_head, column) =>
    Math.max(...lines.map((line) => width(line[column]))),
  )
  return lines
    .map((line) => line.map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - width(cell))))
    .map((line) => `${line.join('  ').trimEnd()}\n`)
    .join('')
}

function width(cell = ''): number {
  return [...cell].length
}

/** Rows; the first one is the header. */
export function markdownTable([first = [], ...others]: readonly string[][]): string {
  const lines = [first, first.map(() => '---'), ...others]
  return lines.map((line) => `| ${line.join(' | ')} |\n`).join('')
}

const begin = '<!-- table: begin; written by make bench ARGS=--write-docs -->'
const end = '<!-- table: end -->'

/** Puts the table between its markers in `file`. */
export function writeDocs(file: string, rows: readonly Row[], machine: string): void {
  const text = readFileSync(file, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} has no markers for the table`)
  const table = `${begin}\n\n${machine}\n\n${markdownTable([heads, ...rows.map(cells)])}\n`
  writeFileSync(file, text.slice(0, from) + table + text.slice(to))
}
