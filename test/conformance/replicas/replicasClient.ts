import { join } from 'node:path'
import { findEtcd } from '../../support/etcd/etcdServer.ts'
import { chromiumProgram } from '../browser/devTools.ts'
import { GoContext } from '../go/goContext.ts'
import { GoModule } from '../go/goModule.ts'
import { listScenarios } from '../go/goProgram.ts'
import { findKubectls, findOnPath } from '../support/kubectlBinaries.ts'
import { client, missingClient, type Client, type Scenario } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { consoleGoesOn } from './consoleGoesOn.ts'
import { kubectlGoesOn } from './kubectlGoesOn.ts'
import { ReplicatedServer } from './replicatedServer.ts'

const name = 'replicas'
const goPrefix = 'client-go, informer of '

interface Context {
  server: ReplicatedServer
  /** Created by the first scenario that needs it. */
  go?: GoContext
}

/** Clients of three replicas behind a plain TCP balancer, while replicas are killed in turn. */
export function replicasClient(around: Surroundings): Client {
  const etcd = findEtcd()
  if (etcd === undefined) return missingClient(name, 'etcd not found')
  return {
    name,
    run: async (report, wanted) => {
      // The program is built only if one of its scenarios may be selected.
      const informers = wanted.isWanted(`${name}: ${goPrefix}`)
        ? await informerScenarios(around)
        : []
      const scenarios = [...(await ownScenarios(around)), ...informers]
      await client<Context>({
        name,
        scenarios,
        open: async () => ({ server: await ReplicatedServer.open(around, etcd) }),
        close: ({ server }) => server.close(),
      }).run(report, wanted)
    },
  }
}

async function ownScenarios(around: Surroundings): Promise<Scenario<Context>[]> {
  const [kubectl] = (await findKubectls(around.workspace)).slice(-1)
  const chromium = chromiumProgram()
  return [
    {
      name: 'kubectl applies, reads, patches, waits and deletes while replicas are killed in turn',
      skip: () => (kubectl === undefined ? 'no kubectl on PATH' : undefined),
      run: async ({ server }) => {
        if (kubectl !== undefined) await kubectlGoesOn(around, kubectl, server)
      },
    },
    {
      name: 'a page of the console shows every change while replicas are killed in turn',
      skip: () => (chromium === undefined ? 'no chromium on PATH' : undefined),
      run: async ({ server }) => {
        if (chromium !== undefined) await consoleGoesOn(around, chromium, server)
      },
    },
  ]
}

/**
 * Scenarios of client-go's informers that restart the server: here, one replica after the other.
 */
async function informerScenarios(around: Surroundings): Promise<Scenario<Context>[]> {
  const go = findOnPath('go')
  const missing = (reason: string): Scenario<Context>[] => [
    { name: 'informers of client-go', skip: () => reason, run: () => Promise.resolve() },
  ]
  if (go === undefined) return missing('no go on PATH')
  const sources = { folder: join(import.meta.dirname, '../goProgram'), file: 'go.mod' }
  const module = new GoModule(around.workspace, go, sources)
  const reason = await module.unavailable()
  if (reason !== undefined) return missing(reason)
  const program = await module.build()
  const listed = await listScenarios(around.workspace, program)
  return listed
    .filter((scenario) => /^informer of .*survives restarts/.test(scenario.name))
    .map((scenario) => ({
      name: `client-go, ${scenario.name}`,
      run: async (context) => {
        context.go ??= GoContext.over(context.server, { around, program })
        await (await context.go.next()).run(scenario)
      },
    }))
}
