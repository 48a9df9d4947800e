import { EtcdServer, findEtcd } from '../support/etcd/etcdServer.ts'
import { ConsoleReport } from './support/consoleReport.ts'
import { parseOptions, usage, type ConformanceOptions } from './support/options.ts'
import { copyProgram } from './support/program.ts'
import { runClients } from './support/runClients.ts'
import { Workspace } from './support/workspace.ts'
import { allClients } from './clients.ts'

/** Exit code of the process. */
async function run(options: ConformanceOptions, workspace: Workspace): Promise<number> {
  const report = new ConsoleReport((text) => process.stdout.write(text))
  const etcd = await wantedEtcd(process.env)
  try {
    const around = { workspace, program: copyProgram(workspace), etcd: etcd?.endpoint }
    const clients = await allClients(around, options)
    await runClients(clients, options, report)
    return report.finish() ? 0 : 1
  } finally {
    await etcd?.remove()
  }
}

/** Starts an etcd for the servers if STORAGE=etcd. */
async function wantedEtcd({
  STORAGE: storage,
}: NodeJS.ProcessEnv): Promise<EtcdServer | undefined> {
  if (storage !== 'etcd') return undefined
  const found = findEtcd()
  if (found === undefined) throw new Error('STORAGE=etcd: etcd not found')
  return EtcdServer.start(found)
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2), process.env)
  if (options === undefined) return void process.stdout.write(usage)
  const workspace = new Workspace()
  process.once('exit', () => workspace.close())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  process.exit(await run(options, workspace))
}

await main()
