import { oneServer } from '../support/servers/oneServer.ts'
import { expect } from 'chai'
import {
  openManagementPlane,
  type ManagementPlane,
} from '../../apiserver/platform/managementPlane.ts'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import { serverOptions } from '../../apiserver/runtime/options/serverOptions.ts'
import { FakeRandom } from '../support/fakes/fakeRandom.ts'
import { openStores, type Stores } from '../support/stores.ts'
import { bareDefinitions } from '../support/kinds/bareDefinitions.ts'

/** Reports whether the schema still has to be created. */
function isUnmade(resource: ResourceDefinition): boolean {
  return Object.getOwnPropertyDescriptor(resource, 'schema')?.get !== undefined
}

describe('a started management plane', () => {
  let stores: Stores
  let management: ManagementPlane

  beforeEach(async () => {
    stores = await openStores()
    management = await openManagementPlane({
      options: serverOptions({ storage: 'memory' }),
      storage: stores.storage,
      ...oneServer,
      clock: stores.clock,
      random: new FakeRandom(),
      report: (error) => {
        throw error
      },
      documents: {
        build: {
          serverVersion: '0.0.0',
          gitCommit: '',
          buildDate: '1970-01-01T00:00:00Z',
          platform: 'linux/amd64',
          runtime: 'v20.0.0',
        },
        definitions: bareDefinitions,
        serveServerPath: () => Promise.resolve(false),
        serverPaths: [],
      },
    })
  })

  afterEach(async () => {
    management.close()
    await stores.close()
  })

  it('has compiled no schema of a built-in kind', () => {
    const unmade = management.plane.resources.all().filter(isUnmade)
    expect(unmade.map(({ kind }) => kind)).to.include.members(['Pod', 'Deployment', 'Lease'])
    expect(unmade.length).to.equal(59)
  })

  it('compiles the schemas in use', () => {
    const { resources } = management.plane
    const lease = resources.get({ group: 'coordination.k8s.io', version: 'v1' }, 'leases')
    expect(lease?.schema.definition).to.equal('io.k8s.api.coordination.v1.Lease')
    expect(lease && isUnmade(lease)).to.equal(false)
  })
})
