/**
 * Runs the public conformance suite on this server or the real one, each with the real controller
 * manager, scheduler and kwok: `npx tsx test/conformance/e2e/main.ts --target ours|real [--focus …]
 * [--skip …] [--record]`. With `--record`, the names of the tests that passed on the real server
 * become the list for this server.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runToEnd } from '../support/command.ts'
import { copyProgram } from '../support/program.ts'
import { Workspace } from '../support/workspace.ts'
import { ControlPlane } from './controlPlane.ts'
import { controlPlanePrograms } from './controlPlanePrograms.ts'
import { runPublicSuite } from './publicSuite.ts'
import { listFile, listedTests, needContainers } from './testList.ts'

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'ours' },
    focus: { type: 'string', default: '\\[Conformance\\]' },
    skip: { type: 'string', default: needContainers.join('|') },
    processes: { type: 'string', default: '6' },
    wait: { type: 'string', default: '1m' },
    minutes: { type: 'string', default: '45' },
    folder: { type: 'string' },
    output: { type: 'string' },
    // Only the tests in the list.
    listed: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})
const workspace = new Workspace()
process.once('exit', () => workspace.close())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const write = (text: string) => process.stdout.write(`${text}\n`)

const programs = await controlPlanePrograms(workspace)
if (typeof programs === 'string') {
  write(`skipped: ${programs}`)
  process.exit(0)
}
const assets = workspace.folder('assets')
await runToEnd(workspace, [process.execPath, copyProgram(workspace), 'envtest', assets])
const own = { apiServer: `${assets}/kube-apiserver`, etcd: `${assets}/etcd` }
const pair = values.target === 'real' ? programs : own
const folder = values.folder ?? workspace.folder('plane')
const plane = await ControlPlane.start(folder, pair, programs)
try {
  const results = await runPublicSuite(
    workspace,
    { plane, programs },
    {
      ...{
        focus: values.listed ? listedTests() : values.focus,
        skip: values.skip,
        longestWait: values.wait,
      },
      ...{ processes: Number(values.processes), timeoutSeconds: Number(values.minutes) * 60 },
    },
  )
  const passed = results.filter(({ state }) => state === 'passed').map(({ name }) => name)
  for (const { name, state, seconds, message } of results) {
    const why = state === 'passed' ? '' : ` ${message.slice(0, 300).replaceAll('\n', ' ')}`
    write(`${state} ${seconds.toFixed(1)} s: ${name}${why}`)
  }
  write(`${passed.length} of ${results.length} passed over ${values.target}`)
  if (values.output !== undefined)
    writeFileSync(values.output, JSON.stringify(results, undefined, 1))
  if (values.record) writeFileSync(listFile, `${passed.toSorted().join('\n')}\n`)
} finally {
  await plane.stop()
}
process.exit(0)
