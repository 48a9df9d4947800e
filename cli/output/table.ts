import { listAt, textAt } from '../base/apiObject.ts'
import { shownLine } from '../base/shownText.ts'

/** Columns, and rows with as many cells. */
export interface PlainTable {
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

/**
 * Lines of a table in kubectl's format: upper-case headings, columns three spaces apart. A cell is on one line, without
 * characters that control the terminal.
 */
export function tableText({ columns, rows }: PlainTable): string {
  const lines = [columns.map((column) => column.toUpperCase()), ...rows].map((line) =>
    line.map(shownLine),
  )
  const widths = columns.map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, widthOf(line[index])), 0),
  )
  return lines
    .map((line) => line.map((cell, index) => cell + gap(cell, widths[index] ?? 0)).join(''))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

function widthOf(cell = ''): number {
  return [...cell].length
}

function gap(cell: string, width: number): string {
  return ' '.repeat(width - widthOf(cell) + 3)
}

/** The server's table as plain strings. `isWide` adds columns of lower priority. */
export function serverTable(table: unknown, isWide: boolean): PlainTable {
  const definitions = listAt(table, 'columnDefinitions').map((definition, index) => ({
    index,
    name: textAt(definition, 'name') ?? '',
    // Sound: a number by the API; absent counts as 0.
    priority: Number((definition as { priority?: number }).priority ?? 0),
  }))
  const shown = definitions.filter(({ priority }) => isWide || priority === 0)
  return {
    columns: shown.map(({ name }) => name),
    rows: listAt(table, 'rows').map((row) => {
      const cells = listAt(row, 'cells')
      return shown.map(({ index }) => cellText(cells[index]))
    }),
  }
}

function cellText(cell: unknown): string {
  return cell === null || cell === undefined || cell === '' ? '<none>' : plain(cell)
}

function plain(cell: unknown): string {
  return typeof cell === 'string' ? cell : JSON.stringify(cell)
}
