import { expect } from 'chai'
import { client, missingClient, type Client, type Scenario } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { HelmContext } from './helmContext.ts'
import { helmProgram, helmVersion } from './helmProgram.ts'

const inNamespace = '/namespaces/releases/'
const mapPath = `/api/v1${inNamespace}configmaps/one`
const deploymentPath = `/apis/apps/v1${inNamespace}deployments/one`
const gadgetPath = `/apis/charts.test.example/v1${inNamespace}gadgets/one`

/** State of the release's objects. */
async function shown({ api }: HelmContext) {
  const [map, deployment, gadget] = await Promise.all(
    [mapPath, deploymentPath, gadgetPath].map((path) => api.get(path)),
  )
  return {
    map: (map as { data?: Record<string, string> } | undefined)?.data?.['text'],
    replicas: deployment?.spec?.['replicas'],
    gadget: gadget?.spec?.['text'],
  }
}

const scenarios: readonly Scenario<HelmContext>[] = [
  {
    name: 'installs a chart with a custom resource definition and an object of it',
    run: async (context) => {
      expect(await context.ok('install one small')).to.match(/^STATUS: deployed$/m)
      expect(await shown(context)).to.deep.equal({ map: 'first', replicas: 1, gadget: 'first' })
    },
  },
  {
    name: 'upgrades it, and again without a change',
    run: async (context) => {
      await context.ok('upgrade one small --set text=second --set replicas=3')
      expect(await shown(context)).to.deep.equal({ map: 'second', replicas: 3, gadget: 'second' })
      const { metadata } = await context.api.get(deploymentPath)
      await context.ok('upgrade one small --set text=second --set replicas=3')
      const again = await context.api.get(deploymentPath)
      expect(again.metadata.resourceVersion).to.equal(metadata.resourceVersion)
    },
  },
  {
    name: 'refuses an upgrade that the server refuses, and keeps its release',
    run: async (context) => {
      const { code, stderr } = await context.run('upgrade one small --set replicas=-1')
      expect(code).to.equal(1)
      expect(stderr).to.contain('must be greater than or equal to 0')
      expect((await shown(context)).replicas).to.equal(3)
    },
  },
  {
    name: 'rolls back to its first revision, and tells its history',
    run: async (context) => {
      await context.ok('rollback one 1')
      expect(await shown(context)).to.deep.equal({ map: 'first', replicas: 1, gadget: 'first' })
      const history = JSON.parse(await context.ok('history one -o json')) as { status: string }[]
      expect(history.map(({ status }) => status)).to.deep.equal([
        'superseded',
        'superseded',
        'superseded',
        'failed',
        'deployed',
      ])
    },
  },
  {
    name: 'removes it; the definition stays',
    run: async (context) => {
      expect(await context.ok('list -q')).to.equal('one\n')
      expect(await context.ok('uninstall one')).to.equal('release "one" uninstalled\n')
      for (const path of [mapPath, deploymentPath, gadgetPath]) {
        expect((await context.api.request('GET', path)).status, path).to.equal(404)
      }
      const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets'
      const { status } = await context.api.request('GET', `${definition}.charts.test.example`)
      expect(status).to.equal(200)
      expect(await context.ok('list -q')).to.equal('')
    },
  },
]

/** The package manager; its scenarios follow each other on one release. */
export function helmClient(around: Surroundings): Client {
  const name = `helm ${helmVersion}`
  return {
    name,
    run: async (report, isWanted) => {
      if (!scenarios.some((scenario) => isWanted(`${name}: ${scenario.name}`))) return
      let program: string
      try {
        program = await helmProgram(around.workspace)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return missingClient(name, `it cannot be had: ${why}`).run(report, isWanted)
      }
      await client({
        name,
        scenarios,
        open: () => HelmContext.open(around, program),
        close: (context) => context.close(),
      }).run(report, isWanted)
    },
  }
}
