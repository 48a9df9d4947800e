import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import type { KubectlBinary } from '../support/kubectlBinaries.ts'
import type { Client, Report } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { makeVirtualCluster } from './lifeFlows.ts'
import { SyncContext } from './syncContext.ts'
import { endpoints, firstPatches, hostNamespace, service } from './virtualCluster.ts'

const name = 'bulk sync'
const count = 1_000
const scenario = `${count} Endpoints, and SIGKILL in the middle: all are on the host after the restart`

/** Number of pairs at a time: kubectl slows itself down after 300 requests. */
const pairsAtOnce = 125

/** Many objects at a time, and a crash during their creation. */
export function bulkClient(around: Surroundings, binary: KubectlBinary): Client {
  return {
    name,
    run: async (report, wanted) => {
      if (wanted.isWanted(`${name}: ${scenario}`)) await run(around, binary, report)
    },
  }
}

async function run(around: Surroundings, binary: KubectlBinary, report: Report): Promise<void> {
  const started = Date.now()
  try {
    const context = await SyncContext.open(around, binary)
    try {
      await makeVirtualCluster(context, firstPatches)
      const sums = await crashInTheMiddle(context)
      report.passed(name, `${scenario}: ${sums}`, Date.now() - started)
    } finally {
      await context.close()
    }
  } catch (error) {
    report.failed(name, scenario, error)
  }
}

/** Describes the result for people. */
async function crashInTheMiddle(context: SyncContext): Promise<string> {
  const { server } = context
  const files = writeFiles(context)
  const creating = createAll(context, files)
  await eventually(async () => {
    if ((await copies(context)) < count / 4) throw new Error('there are too few copies to crash')
  }, 60)
  await server.kill()
  await creating
  const serving = performance.now()
  await server.start()
  const before = await copies(context)
  // Existing objects are refused, and missing ones are created.
  await createAll(context, files)
  const made = performance.now()
  await eventually(async () => {
    const now = await copies(context)
    if (now !== count) throw new Error(`${now} of ${count} are on the host`)
  }, 60)
  const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)
  await nothingTwice(context)
  return (
    `${before} were there at the restart; all were ${seconds(serving)} s after it began, ` +
    `${seconds(made)} s after the last was made`
  )
}

function writeFiles({ file }: SyncContext): string[] {
  return Array.from({ length: count / pairsAtOnce }, (_, part) => {
    const numbers = Array.from({ length: pairsAtOnce }, (_, at) => part * pairsAtOnce + at)
    const items = numbers.flatMap((number) => {
      const ip = `10.1.${Math.floor(number / 250)}.${(number % 250) + 1}`
      const annotations = { team: `t${number}` }
      return [service(`many-${number}`), endpoints(`many-${number}`, ip, { annotations })]
    })
    const path = `many-${part}.json`
    file(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
    return path
  })
}

/** Creates all objects and ignores failures. */
async function createAll({ virtual }: SyncContext, files: readonly string[]): Promise<void> {
  const options = { timeoutSeconds: 60 }
  await Promise.all(files.map((path) => virtual.run(`create -f ${path}`, options)))
}

async function copies(context: SyncContext): Promise<number> {
  return (await names(context)).length
}

async function names({ host }: SyncContext): Promise<string[]> {
  const { code, stdout } = await host.run(`get endpoints -n ${hostNamespace} -o name`)
  return code === 0 ? stdout.split('\n').filter((line) => line.includes('/many-')) : []
}

/** @throws Error if the copies do not settle, or if there are too many. */
async function nothingTwice(context: SyncContext): Promise<void> {
  await delay(300)
  const found = new Set(await names(context))
  if (found.size !== count) throw new Error(`${found.size} copies of ${count} Endpoints`)
}
