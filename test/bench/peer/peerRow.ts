import { readFileSync, writeFileSync } from 'node:fs'
import { amount, alignedTable, markdownTable } from '../report.ts'

/** Line of the comparison. */
export interface PeerRow {
  /** Stable identifier, so that later runs can be compared. */
  id: string
  what: string
  /** Unit; higher is better for rates (`/s`), lower for all others. */
  unit: string
  ours: number
  peer: number
  /** Additional numbers of the same measurement. */
  detail?: string
  /** Violation that counts as a missed goal, whatever the speed. */
  fault?: string
}

/**
 * Goal; `times`: ours is at least this many times better than the peer; `most`: ours is at most
 * this.
 */
export type Aim = { times: number } | { most: number }

/** Names and goals of a comparison. */
export interface Comparison {
  /** Name of the table's markers in the docs: `<!-- NAME: begin … -->`. */
  name: string
  /** Names of both sides at the top of the table. */
  heads: readonly [ours: string, peer: string]
  /** Goals by row id; a row without a goal is only shown. */
  aims: Readonly<Record<string, Aim>>
}

/** Factor by which our server is better. */
export function factorOf({ ours, peer, unit }: PeerRow): number {
  return unit === '/s' ? ours / peer : peer / ours
}

/** Goal; undefined: none. */
export function isReached(row: PeerRow, { aims }: Comparison): boolean | undefined {
  const aim = aims[row.id]
  if (row.fault !== undefined) return false
  if (aim === undefined) return undefined
  return 'most' in aim ? row.ours <= aim.most : factorOf(row) >= aim.times
}

function headsOf({ heads }: Comparison): string[] {
  return ['what', ...heads, 'times better', 'aim', '', 'more']
}

function cells(row: PeerRow, comparison: Comparison): string[] {
  const { what, unit, ours, peer, detail, fault } = row
  const reached = isReached(row, comparison)
  return [
    what,
    `${amount(ours)} ${unit}`,
    `${amount(peer)} ${unit}`,
    Number.isFinite(factorOf(row)) ? factorOf(row).toFixed(1) : '',
    aimText(row, comparison),
    reached === undefined ? '' : reached ? 'reached' : 'MISSED',
    [detail, fault].filter((text) => text !== undefined).join('; '),
  ]
}

function aimText({ id, unit }: PeerRow, { aims }: Comparison): string {
  const aim = aims[id]
  if (aim === undefined) return ''
  return 'most' in aim ? `≤ ${amount(aim.most)} ${unit}` : `≥ ${aim.times}`
}

export function peerTable(rows: readonly PeerRow[], comparison: Comparison): string {
  return alignedTable(tableOf(rows, comparison))
}

function tableOf(rows: readonly PeerRow[], comparison: Comparison): string[][] {
  return [headsOf(comparison), ...rows.map((row) => cells(row, comparison))]
}

/** Puts the table between the markers of its name in `file`. */
export function writePeerDocs(
  file: string,
  comparison: Comparison,
  { rows, machine }: { rows: readonly PeerRow[]; machine: string },
): void {
  const text = readFileSync(file, 'utf8')
  const [begin, end] = [`<!-- ${comparison.name}: begin`, `<!-- ${comparison.name}: end -->`]
  const from = text.indexOf('\n', text.indexOf(begin)) + 1
  const to = text.indexOf(end)
  if (!text.includes(begin) || to < from) throw new Error(`${file} has no markers for ${begin}`)
  const table = `\n${machine}\n\n${markdownTable(tableOf(rows, comparison))}\n`
  writeFileSync(file, text.slice(0, from) + table + text.slice(to))
}
