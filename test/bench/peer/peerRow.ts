import { readFileSync, writeFileSync } from 'node:fs'
import { amount, alignedTable, markdownTable } from '../report.ts'

/** Line of the comparison. */
export interface PeerRow {
  /** Stays the same, so that later runs can be compared. */
  id: string
  what: string
  unit: string
  ours: number
  peer: number
  /** `times`: ours is at least so many times the peer's; `timesLess`: the peer's is at least so many times ours;
   *  `most`: ours is at most this. */
  aim: { times: number } | { timesLess: number } | { most: number }
  /** More numbers of the same measurement. */
  detail?: string
  /** Something that must hold of ours whatever the speed did not: then the aim is missed. */
  fault?: string
}

/** Ratio by which our server is better. */
export function factorOf({ ours, peer, aim }: PeerRow): number {
  return 'times' in aim ? ours / peer : peer / ours
}

export function isReached(row: PeerRow): boolean {
  const { aim, ours, fault } = row
  if (fault !== undefined) return false
  if ('most' in aim) return ours <= aim.most
  return factorOf(row) >= ('times' in aim ? aim.times : aim.timesLess)
}

const heads = ['what', 'ours', 'library + etcd', 'times better', 'aim', '', 'more']

function cells(row: PeerRow): string[] {
  const { what, unit, ours, peer, detail, fault } = row
  return [
    what,
    `${amount(ours)} ${unit}`,
    `${amount(peer)} ${unit}`,
    Number.isFinite(factorOf(row)) ? factorOf(row).toFixed(1) : '',
    aimText(row),
    isReached(row) ? 'reached' : 'MISSED',
    [detail, fault].filter((text) => text !== undefined).join('; '),
  ]
}

function aimText({ aim, unit }: PeerRow): string {
  if ('most' in aim) return `≤ ${amount(aim.most)} ${unit}`
  return `≥ ${'times' in aim ? aim.times : aim.timesLess}`
}

export function peerTable(rows: readonly PeerRow[]): string {
  return alignedTable([heads, ...rows.map(cells)])
}

const begin = '<!-- peer: begin; written by make bench PEER=1 ARGS=--write-docs -->'
const end = '<!-- peer: end -->'

/** Puts the table between its markers in `file`. */
export function writePeerDocs(file: string, rows: readonly PeerRow[], machine: string): void {
  const text = readFileSync(file, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} has no markers for the comparison`)
  const table = `${begin}\n\n${machine}\n\n${markdownTable([heads, ...rows.map(cells)])}\n`
  writeFileSync(file, text.slice(0, from) + table + text.slice(to))
}
