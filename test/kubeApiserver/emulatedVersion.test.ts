import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { ClusterHarness } from './clusterHarness.ts'

/**
 * Kinds and their subresources: all of the oldest version, and those that each later version adds.
 */
const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/emulatedKinds.json', import.meta.url), 'utf8'),
) as Record<'1.35' | '1.36' | '1.37', string[]>

interface Discovery {
  items: {
    metadata: { name?: string }
    versions: { version: string; resources: { resource: string; subresources?: Named[] }[] }[]
  }[]
}

/** Proxies of nodes, pods and services are the same in all versions, and not served everywhere. */
function withoutProxies(names: readonly string[]): string[] {
  return names.filter((name) => !name.endsWith('/proxy')).toSorted()
}

interface Named {
  subresource: string
}

const set = {
  metadata: { name: 's' },
  spec: {
    serviceName: 's',
    selector: { matchLabels: { a: 'b' } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
  },
}

const taintedSlice = {
  metadata: { name: 's' },
  spec: {
    ...{ driver: 'd.example.com', nodeName: 'n' },
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    devices: [{ name: 'x', taints: [{ key: 'k', effect: 'NoSchedule' }] }],
  },
}

/** Source: seen on kube-apiserver 1.37.2 with the same flag. */
describe('--emulated-version', function () {
  this.timeout(60_000)
  let harness: ClusterHarness
  before(async () => {
    harness = await ClusterHarness.open()
  })
  after(() => harness.close())
  afterEach(() => harness.stop())

  async function kinds(): Promise<string[]> {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    const given = { certificate: harness.admin, headers: { accept } }
    const found: string[] = []
    for (const path of ['/api', '/apis']) {
      const { text } = await harness.request(path, given)
      for (const { metadata, versions } of (JSON.parse(text) as Discovery).items) {
        for (const { version, resources } of versions) {
          const group = metadata.name ?? 'core'
          for (const { resource, subresources = [] } of resources) {
            const names = [resource, ...subresources.map((one) => `${resource}/${one.subresource}`)]
            found.push(...names.map((name) => `${group}/${version} ${name}`))
          }
        }
      }
    }
    return withoutProxies(found)
  }

  for (const { flag, minor, served, maxUnavailable } of [
    { flag: '--emulated-version=1.35', minor: '35', served: recorded['1.35'] },
    {
      flag: '--emulated-version=kube=v1.36',
      minor: '36',
      served: [...recorded['1.35'], ...recorded['1.36']],
    },
    {
      flag: '--v=0',
      minor: '37',
      served: Object.values(recorded).flat(),
      maxUnavailable: 2,
    },
  ] as { flag: string; minor: string; served: string[]; maxUnavailable?: number }[]) {
    it(`serves the kinds and fields of 1.${minor}, and says so`, async () => {
      await harness.start([flag])
      const version = await harness.get('/version')
      expect([
        version.field('minor'),
        version.field('emulationMinor'),
        version.field('minCompatibilityMinor'),
      ]).to.deep.equal(['37', minor, String(Number(minor) - 1)])
      expect(await kinds()).to.deep.equal(withoutProxies(served))
      const path = '/apis/apps/v1/namespaces/default/statefulsets?dryRun=All'
      const made = await harness.create(path, set)
      expect([
        made.status,
        made.field('spec.updateStrategy.rollingUpdate.maxUnavailable'),
      ]).to.deep.equal([201, maxUnavailable])
      const slices = '/apis/resource.k8s.io/v1/resourceslices?dryRun=All'
      const slice = await harness.create(slices, taintedSlice)
      const taints = slice.field('spec.devices.0.taints') as { timeAdded?: string }[] | undefined
      expect([slice.status, typeof taints?.[0]?.timeAdded]).to.deep.equal([
        201,
        minor === '35' ? 'undefined' : 'string',
      ])
      const mutating = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies'
      const { status } = await harness.request(mutating)
      expect(status).to.equal(minor === '35' ? 404 : 200)
    })
  }
})
