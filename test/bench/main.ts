/** `make bench`: compares the built server with the raw limits of this machine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildOf } from './against/buildOf.ts'
import { runAgainst } from './against/runAgainst.ts'
import { copyBuild } from './apiServer.ts'
import { Bench } from './bench.ts'
import { LoadTool, loadProgram, tlsLoadProgram } from './loadTool.ts'
import { benchOptions, usage, type BenchOptions, type Group } from './options.ts'
import { textTable, writeDocs } from './report.ts'
import { isReached, ratioOf, type Row } from './row.ts'
import { backupRows } from './rows/backupRows.ts'
import { clientRows } from './rows/clientRows.ts'
import { commitRows } from './rows/commitRows.ts'
import { createRows } from './rows/createRows.ts'
import { getRows } from './rows/getRows.ts'
import { largeRows } from './rows/largeRows.ts'
import { listRows } from './rows/listRows.ts'
import { loginRows } from './rows/loginRows.ts'
import { pageRows } from './rows/pageRows.ts'
import { planeRows } from './rows/planeRows.ts'
import { replicaRows } from './rows/replicaRows.ts'
import { rightsRows } from './rows/rightsRows.ts'
import { runPeer } from './peer/runPeer.ts'
import { startRows } from './rows/startRows.ts'
import { syncRows } from './rows/syncRows.ts'
import { tlsWatchRows } from './rows/tlsWatchRows.ts'
import { watchRows } from './rows/watchRows.ts'

const measures: Readonly<Record<Group, (bench: Bench) => Promise<Row[]>>> = {
  start: startRows,
  cli: clientRows,
  get: getRows,
  rights: rightsRows,
  create: createRows,
  commit: commitRows,
  list: async (bench) => [...(await listRows(bench)), ...(await pageRows(bench))],
  watch: watchRows,
  tls: tlsWatchRows,
  large: largeRows,
  planes: planeRows,
  sync: syncRows,
  logins: loginRows,
  replicas: replicaRows,
  backup: backupRows,
}

const root = join(import.meta.dirname, '../..')

async function run(options: BenchOptions): Promise<void> {
  const began = performance.now()
  const [load = 0] = loadavg()
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const main = copyBuild(root, join(folder, 'build'))
  const tool = new LoadTool(folder, loadProgram(folder, import.meta.dirname, options.generator))
  const tls =
    options.peer !== undefined || options.only.includes('tls')
      ? tlsLoadProgram(folder, import.meta.dirname)
      : undefined
  const bench = new Bench(
    options,
    { tool, tlsTool: tls && new LoadTool(folder, tls) },
    { folder, main },
  )
  const machine = (generator: LoadTool) =>
    `${machineText(generator, load)}; ${options.rounds} rounds, ${seconds(began)} s in all.`
  if (options.peer !== undefined)
    return runPeer(bench, options.peer, () => machine(bench.tlsTool ?? tool))
  if (options.against !== undefined) {
    const mains = { ours: main, theirs: buildOf(root, options.against) }
    return runAgainst(bench, mains, () => machine(tool))
  }
  const rows: Row[] = []
  for (const group of options.only) {
    process.stderr.write(`measuring ${group} …\n`)
    rows.push(...(await measures[group](bench)))
  }
  const text = machine(tool)
  process.stdout.write(`${textTable(rows)}\n${text}\n`)
  if (options.json !== undefined) writeFileSync(options.json, json(rows, text))
  if (options.writeDocs) writeDocs(join(root, 'docs/reference/benchmarks.md'), rows, text)
}

function machineText(tool: LoadTool, load: number): string {
  const date = new Date().toISOString().slice(0, 10)
  const processors = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
  const before = `load of the machine before ${load.toFixed(1)}`
  return `${date}, ${processors}, ${before}, Node ${process.versions.node}; load by ${tool.description}`
}

function seconds(began: number): number {
  return Math.round((performance.now() - began) / 1000)
}

function json(rows: readonly Row[], machine: string): string {
  const shown = rows.map((row) => ({ ...row, ratio: ratioOf(row), reached: isReached(row) }))
  return `${JSON.stringify({ machine, rows: shown }, undefined, 2)}\n`
}

try {
  await run(benchOptions(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n${usage}`)
  process.exitCode = 1
}
