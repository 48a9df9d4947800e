import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peerPrograms } from '../../peer/peerPrograms.ts'
import type { Bench } from '../bench.ts'
import type { Contests } from './contest.ts'
import { listRows } from './listRows.ts'
import { factorOf, isReached, peerTable, writePeerDocs, type PeerRow } from './peerRow.ts'
import { throughputRows } from './throughputRows.ts'
import { watchRows } from './watchRows.ts'

const groups: Readonly<Record<string, (contests: Contests) => Promise<PeerRow[]>>> = {
  throughput: throughputRows,
  list: listRows,
  watch: watchRows,
}

const docs = join(import.meta.dirname, '../../../docs/benchmarks.md')

/** Measures the server beside the real library. Prints why, where that cannot be had. */
export async function runPeer(bench: Bench, machine: () => string): Promise<void> {
  const { tlsTool: tool, options } = bench
  const programs = peerPrograms()
  if (typeof programs === 'string' || tool === undefined) {
    const reason = typeof programs === 'string' ? programs : 'the load generator needs Go'
    return void process.stderr.write(`skipped: ${reason}\n`)
  }
  const rows: PeerRow[] = []
  for (const [name, measure] of Object.entries(groups)) {
    process.stderr.write(`measuring ${name} …\n`)
    rows.push(...(await measure({ bench, tool, programs })))
  }
  process.stdout.write(`${peerTable(rows)}\n${machine()}\n`)
  if (options.json !== undefined) writeFileSync(options.json, json(rows, machine()))
  if (options.writeDocs) writePeerDocs(docs, rows, machine())
}

function json(rows: readonly PeerRow[], machine: string): string {
  const shown = rows.map((row) => ({ ...row, factor: factorOf(row), reached: isReached(row) }))
  return `${JSON.stringify({ machine, rows: shown }, undefined, 2)}\n`
}
