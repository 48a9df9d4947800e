import { join } from 'node:path'
import { expect } from 'chai'
import { client, missingClient, type Client, type Scenario } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { HelmContext } from './helmContext.ts'
import { helmProgram, helmVersion } from './helmProgram.ts'

const inNamespace = '/namespaces/releases/'
const mapPath = `/api/v1${inNamespace}configmaps/one`
const deploymentPath = `/apis/apps/v1${inNamespace}deployments/one`
const gadgetPath = `/apis/charts.test.example/v1${inNamespace}gadgets/one`

/** State of the objects of a release. */
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

/** Chart of this project. */
const ownChart = join(import.meta.dirname, '../../../deploy/chart')
const ownKinds = [
  ['api/v1', 'configmaps', 'own'],
  ['api/v1', 'serviceaccounts', 'own'],
  ['api/v1', 'services', 'own'],
  ['api/v1', 'persistentvolumeclaims', 'own-data'],
  ['apis/apps/v1', 'deployments', 'own'],
  ['apis/networking.k8s.io/v1', 'networkpolicies', 'own'],
  ['apis/monitoring.coreos.com/v1', 'podmonitors', 'own'],
] as const
const ownRegistration = '/apis/apiregistration.k8s.io/v1/apiservices/v1.management.charts.example'

/** Status codes of reading each object of the project's chart. */
async function ownCodes({ api }: HelmContext): Promise<number[]> {
  const paths = ownKinds.map(([base, plural, name]) => `/${base}${inNamespace}${plural}/${name}`)
  const answers = await Promise.all(
    [...paths, ownRegistration].map((path) => api.request('GET', path)),
  )
  return answers.map(({ status }) => status)
}

/** Kind of a Prometheus operator, without its schema. */
const podMonitors = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'podmonitors.monitoring.coreos.com' },
  spec: {
    group: 'monitoring.coreos.com',
    scope: 'Namespaced',
    names: { plural: 'podmonitors', singular: 'podmonitor', kind: 'PodMonitor' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
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
    name: "installs the server's own chart with every option, upgrades and removes it; the volume stays",
    run: async (context) => {
      await context.api.create(
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        podMonitors,
      )
      const flags = [
        ...['mode=aggregated', 'aggregated.group=management.charts.example'],
        ...['podMonitor.enabled=true', 'podMonitor.accessKeySecret=metrics'],
        ...['networkPolicy.enabled=true', 'existingSecrets.tls=tls'],
        ...['existingSecrets.adminAccessKey=admin', 'existingSecrets.adminPassword=admin'],
      ].map((flag) => `--set ${flag}`)
      const told = await context.ok(`install own ${ownChart} ${flags.join(' ')}`)
      expect(told).to.match(/^STATUS: deployed$/m)
      expect(new Set(await ownCodes(context))).to.deep.equal(new Set([200]))
      await context.ok(`upgrade own ${ownChart} --reset-values`)
      expect(await ownCodes(context)).to.deep.equal([200, 200, 200, 200, 200, 404, 404, 404])
      const { stderr } = await context.run(`upgrade own ${ownChart} --set mode=other`)
      expect(stderr).to.contain('mode must be standalone or aggregated')
      await context.ok('uninstall own')
      expect(await ownCodes(context)).to.deep.equal([404, 404, 404, 200, 404, 404, 404, 404])
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

/** The package manager; its scenarios build on each other with one release. */
export function helmClient(around: Surroundings): Client {
  const name = `helm ${helmVersion}`
  return {
    name,
    run: async (report, wanted) => {
      if (!scenarios.some((scenario) => wanted.isWanted(`${name}: ${scenario.name}`))) return
      let program: string
      try {
        program = await helmProgram(around.workspace)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return missingClient(name, `it cannot be had: ${why}`).run(report, wanted)
      }
      await client({
        name,
        scenarios,
        open: () => HelmContext.open(around, program),
        close: (context) => context.close(),
      }).run(report, wanted)
    },
  }
}
