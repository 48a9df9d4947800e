import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import type { Contests } from './contest.ts'
import { comparisons } from './comparisons.ts'
import { listRows } from './listRows.ts'
import type { PeerName } from './peerName.ts'
import {
  factorOf,
  isReached,
  peerTable,
  writePeerDocs,
  type Comparison,
  type PeerRow,
} from './peerRow.ts'
import { throughputRows } from './throughputRows.ts'
import { watchRows } from './watchRows.ts'

const groups: Readonly<Record<string, (contests: Contests) => Promise<PeerRow[]>>> = {
  throughput: throughputRows,
  list: listRows,
  watch: watchRows,
}

const docs = join(import.meta.dirname, '../../../docs/reference/benchmarks.md')

/** Compares the server with a peer. Prints the reason if that is not possible. */
export async function runPeer(bench: Bench, peer: PeerName, machine: () => string): Promise<void> {
  const { tlsTool: tool, options } = bench
  const comparison = comparisons[peer]
  const starts = comparison.starts()
  if (typeof starts === 'string' || tool === undefined) {
    const reason = typeof starts === 'string' ? starts : 'the load generator needs Go'
    return void process.stderr.write(`skipped: ${reason}\n`)
  }
  const rows: PeerRow[] = []
  for (const [name, measure] of Object.entries(groups)) {
    process.stderr.write(`measuring ${name} …\n`)
    rows.push(...(await measure({ bench, tool, starts })))
  }
  process.stdout.write(`${peerTable(rows, comparison)}\n${machine()}\n`)
  if (options.json !== undefined) writeFileSync(options.json, json(rows, comparison, machine()))
  if (options.writeDocs) writePeerDocs(docs, comparison, { rows, machine: machine() })
}

function json(rows: readonly PeerRow[], comparison: Comparison, machine: string): string {
  const shown = rows.map((row) => ({
    ...row,
    factor: factorOf(row),
    reached: isReached(row, comparison),
  }))
  return `${JSON.stringify({ machine, rows: shown }, undefined, 2)}\n`
}
