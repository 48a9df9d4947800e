/**
 * Runs the suites of controller-runtime that start servers on this server and on the real pair in
 * turn, and writes the table of docs/develop/envtest.md: `npx tsx test/conformance/envtest/main.ts
 * [--rounds 3] [--only PATTERN] [--record]`. With a pattern, `--record` keeps the rows of other suites.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { realPrograms } from '../../differential/realServer/servers/programs.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import { copyProgram } from '../support/program.ts'
import { Workspace } from '../support/workspace.ts'
import { EnvtestContext } from './envtestContext.ts'
import { realAssets } from './realAssets.ts'
import { serverSuites } from './suites.ts'
import { runSuite, type SuiteRun } from './suiteRun.ts'
import { suiteRow, tableText } from './suiteTable.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
  },
})
const page = join(import.meta.dirname, '../../../docs/develop/envtest.md')
const workspace = new Workspace()
process.once('exit', () => workspace.close())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const write = (text: string) => process.stdout.write(`${text}\n`)

const go = findOnPath('go')
const programs = realPrograms()
if (go === undefined || typeof programs === 'string') {
  write(`skipped: ${typeof programs === 'string' ? programs : 'no go on PATH'}`)
  process.exit(0)
}
const context = await EnvtestContext.open({ workspace, program: copyProgram(workspace) }, go)
const missing = await context.unavailable()
if (missing !== undefined) throw new Error(missing)
const assets = { ours: context.assets, real: realAssets(workspace, programs) }
const only = new RegExp(values.only)
const suites = serverSuites.filter((name) => only.test(name))
const runs = new Map<string, { ours: SuiteRun[]; real: SuiteRun[] }>()
for (const suite of suites) {
  runs.set(suite, { ours: [], real: [] })
  await context.compile(suite)
}
for (let round = 1; round <= Number(values.rounds); round++) {
  for (const [suite, found] of runs) {
    // The runs alternate, and so does the order, so that neither benefits from a warmer machine.
    const order = round % 2 === 1 ? (['ours', 'real'] as const) : (['real', 'ours'] as const)
    for (const side of order) {
      const ran = await runSuite(workspace, await context.compile(suite), assets[side])
      found[side].push(ran)
      const told = ran.failed.length === 0 ? '' : `\n  ${ran.failed.join('\n  ')}`
      write(`${round} ${suite} ${side}: ${ran.tests} tests, ${ran.seconds.toFixed(1)} s${told}`)
    }
  }
}
const rows = [...runs].map(([suite, found]) => suiteRow(suite, found))
write(tableText(rows))
if (values.record) {
  const text = readFileSync(page, 'utf8')
  const block = /(<!-- suites -->\n)([^]*?)(<!-- \/suites -->)/
  writeFileSync(
    page,
    text.replace(
      block,
      (_all, from: string, earlier: string, to: string) => from + tableText(rows, earlier) + to,
    ),
  )
}
process.exit(
  [...runs.values()].some(({ ours }) => ours.some((ran) => ran.failed.length > 0)) ? 1 : 0,
)
