import { join } from 'node:path'
import { etcdProgram } from '../../peer/peerPrograms.ts'
import { GoModule } from '../go/goModule.ts'
import { runToEnd } from '../support/command.ts'
import { client, missingClient, type Client } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { AggregatedWorld } from './aggregatedWorld.ts'
import type { AggregatorPrograms } from './aggregatorProcess.ts'
import { aggregatorScenarios } from './aggregatorScenarios.ts'

const sources = { folder: join(import.meta.dirname, '../aggregatorProgram'), file: 'go.mod' }

/** kubectl through the real aggregator, on this server as its core and before this server as an extension. */
export function aggregatorClient(around: Surroundings): Client {
  const name = 'kubectl through kube-aggregator 0.35.2'
  return {
    name,
    run: async (report, wanted) => {
      if (!aggregatorScenarios.some((one) => wanted.isWanted(`${name}: ${one.name}`))) return
      const programs = await findPrograms(around)
      if (typeof programs === 'string') {
        return missingClient(name, programs).run(report, wanted)
      }
      await client<AggregatedWorld>({
        name,
        scenarios: aggregatorScenarios,
        open: () => AggregatedWorld.open(around, programs),
        close: (world) => world.close(),
      }).run(report, wanted)
    },
  }
}

/** Reason why it cannot run: the missing program. */
async function findPrograms({ workspace }: Surroundings): Promise<AggregatorPrograms | string> {
  const etcd = etcdProgram()
  if ('missing' in etcd) return etcd.missing
  for (const [program, ...args] of [
    ['kubectl', 'version', '--client'],
    ['go', 'version'],
  ]) {
    const found = await runToEnd(workspace, [program ?? '', ...args]).catch(() => undefined)
    if (found?.code !== 0) return `no ${program} on PATH`
  }
  const module = new GoModule(workspace, 'go', sources)
  return (await module.unavailable()) ?? { aggregator: await module.build(), etcd: etcd.program }
}
