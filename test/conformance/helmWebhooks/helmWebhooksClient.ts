import { join } from 'node:path'
import { expect } from 'chai'
import { GoModule } from '../go/goModule.ts'
import { helmProgram, helmVersion } from '../helm/helmProgram.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import { client, missingClient, type Client, type Scenario } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { OperatorContext, type HookCommand } from './operatorContext.ts'
import { group } from './operatorChart.ts'

const orders = (version: string) => `/apis/${group}/${version}/namespaces/releases/orders`
const order = (name: string) => ({
  apiVersion: `${group}/v1`,
  kind: 'Order',
  metadata: { name },
  spec: { size: 3 },
})

/** Cluster-scoped objects of the chart. */
const wide = [
  `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/orders.${group}`,
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/one',
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/one',
  `/apis/apiregistration.k8s.io/v1/apiservices/v1.stock.${group}`,
  '/apis/node.k8s.io/v1/runtimeclasses/one',
  '/apis/scheduling.k8s.io/v1/priorityclasses/one',
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/one',
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/one',
]

const scenarios: readonly Scenario<OperatorContext>[] = [
  {
    name: 'installs a chart with webhooks, a group of its own and classes',
    run: async ({ helm, values, api }) => {
      const told = await helm.ok(`install one operator ${values} --wait --timeout 60s`)
      expect(told).to.match(/^STATUS: deployed$/m)
      for (const path of wide) expect((await api.request('GET', path)).status, path).to.equal(200)
    },
  },
  {
    name: 'objects are changed and converted by its program',
    run: async ({ api }) => {
      const made = await api.create(orders('v1'), order('a'))
      expect([made.metadata.labels, made.spec]).to.deep.equal([{ reviewed: 'yes' }, { size: 3 }])
      const read = await api.get(`${orders('v2')}/a`)
      expect([read.apiVersion, read.spec]).to.deep.equal([`${group}/v2`, { count: 3 }])
      const patched = await api.mergePatch(`${orders('v2')}/a`, { spec: { count: 4 } })
      expect(patched.spec).to.deep.equal({ count: 4 })
      expect((await api.get(`${orders('v1')}/a`)).spec).to.deep.equal({ size: 4 })
    },
  },
  {
    name: 'objects are refused by its program',
    run: async ({ api }) => {
      const body = order('denied')
      const { status, text } = await api.request('POST', orders('v1'), { body })
      const { message } = JSON.parse(text) as { message: string }
      expect([status, message]).to.deep.equal([
        403,
        `admission webhook "validate.${group}" denied the request: not wanted`,
      ])
    },
  },
  {
    name: 'its program serves its group',
    run: async ({ api }) => {
      const list = await api.list(`/apis/stock.${group}/v1/items`)
      expect(list.items.map(({ metadata }) => metadata.name)).to.deep.equal(['bolt'])
    },
  },
  {
    name: 'is upgraded, and removed with everything that it brought',
    run: async ({ helm, values, api }) => {
      await helm.ok(`upgrade one operator ${values} --set priority=1000 --wait`)
      expect(await helm.ok('uninstall one --wait')).to.equal('release "one" uninstalled\n')
      for (const path of wide) expect((await api.request('GET', path)).status, path).to.equal(404)
    },
  },
]

/**
 * The package manager with a chart whose webhooks are served by a program in Node, and by one in
 * Go.
 */
export function helmWebhooksClients(around: Surroundings): Client[] {
  const node = [process.execPath, '--import=tsx', join(import.meta.dirname, 'nodeHook.ts')]
  return [
    hookClient(around, 'Node', () => Promise.resolve(node)),
    hookClient(around, 'Go', () => goHook(around)),
  ]
}

/** @throws Error with the reason why it is unavailable. */
async function goHook({ workspace }: Surroundings): Promise<HookCommand> {
  const go = findOnPath('go')
  if (go === undefined) throw new Error('no go on PATH')
  const folder = join(import.meta.dirname, 'goHook')
  return [await new GoModule(workspace, go, { folder, file: 'go.mod' }).build()]
}

function hookClient(
  around: Surroundings,
  language: string,
  command: () => Promise<HookCommand>,
): Client {
  const name = `helm ${helmVersion} with webhooks in ${language}`
  return {
    name,
    run: async (report, wanted) => {
      if (!scenarios.some((scenario) => wanted.isWanted(`${name}: ${scenario.name}`))) return
      let found: { program: string; hook: HookCommand }
      try {
        found = { program: await helmProgram(around.workspace), hook: await command() }
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return missingClient(name, `it cannot be had: ${why}`).run(report, wanted)
      }
      await client({
        name,
        scenarios,
        open: () => OperatorContext.open(around, found.program, found.hook),
        close: (context) => context.close(),
      }).run(report, wanted)
    },
  }
}
