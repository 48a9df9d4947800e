import { expect } from 'chai'
import { namespaceResource } from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { ProjectNamespaces } from '../../apiserver/controllers/projectNamespace.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { eventually, turns } from '../support/eventually.ts'
import { create, openStores, type Stores } from '../support/stores.ts'

const projectKind: ResourceDefinition = {
  group: 'management.platform',
  version: 'v1',
  plural: 'projects',
  singular: 'project',
  kind: 'Project',
  namespaced: false,
  verbs: ['create', 'delete'],
  schema: { type: 'object', properties: { spec: { type: 'object' } } },
  strategy: {},
}

describe('ProjectNamespaces', () => {
  let stores: Stores
  let projects: Store
  let namespaces: Store
  let controller: ProjectNamespaces
  let reported: unknown[]
  let prefix: string

  beforeEach(async () => {
    stores = await openStores()
    projects = stores.storeOf(projectKind)
    namespaces = stores.storeOf(namespaceResource)
    reported = []
    prefix = 'p-'
    controller = made()
  })
  afterEach(async () => {
    controller.stop()
    await stores.close()
    expect(reported).to.deep.equal([])
  })

  function made(): ProjectNamespaces {
    return new ProjectNamespaces({
      projects,
      namespaces,
      clock: stores.clock,
      prefix: () => prefix,
      label: 'platform/project',
      report: (error) => reported.push(error),
    })
  }

  function project(name: string): Promise<ApiObject> {
    return create(projects, {
      kind: 'Project',
      apiVersion: 'management.platform/v1',
      metadata: { name },
    })
  }

  function namespace(name: string): ApiObject | undefined {
    return namespaces.cache.get(namespaces.keyOf({ namespace: '', name }))?.object()
  }

  async function untilThere(name: string): Promise<ApiObject> {
    await eventually(stores.clock, () => namespace(name) !== undefined)
    return namespace(name) ?? expect.fail(`${name} is gone again`)
  }

  it('creates a namespace with the prefix, labelled and owned (facts 1.0, spec config.projectNamespacePrefix)', async () => {
    await controller.start()
    const { metadata } = await project('foo')
    const { labels, ownerReferences } = (await untilThere('p-foo')).metadata
    expect({ labels, ownerReferences }).to.deep.equal({
      labels: { 'kubernetes.io/metadata.name': 'p-foo', 'platform/project': 'foo' },
      ownerReferences: [
        {
          apiVersion: 'management.platform/v1',
          kind: 'Project',
          name: 'foo',
          uid: metadata.uid,
          controller: true,
        },
      ],
    })
  })

  it('creates it in the turn in which the project is acknowledged', async () => {
    await controller.start()
    await project('foo')
    expect(namespaces.newest({ namespace: '', name: 'p-foo' }).object.kind).to.equal('Namespace')
  })

  it('creates those of existing projects at start', async () => {
    await project('foo')
    await controller.start()
    await untilThere('p-foo')
  })

  it('uses the current prefix', async () => {
    await controller.start()
    prefix = 'team-'
    await project('foo')
    await untilThere('team-foo')
    expect(namespace('p-foo')).to.equal(undefined)
  })

  it('creates a second namespace when the prefix changes, and keeps the first', async () => {
    await controller.start()
    await project('foo')
    await untilThere('p-foo')
    prefix = 'team-'
    controller.ensureAll()
    await untilThere('team-foo')
    expect(namespace('p-foo')?.kind).to.equal('Namespace')
  })

  it('labels an existing namespace without owning it', async () => {
    await create(namespaces, {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name: 'p-foo', labels: { mine: 'yes' } },
    })
    await controller.ensure(await project('foo'))
    const { object } = namespaces.newest({ namespace: '', name: 'p-foo' })
    const { labels, ownerReferences } = object.metadata
    expect({ labels, ownerReferences }).to.deep.equal({
      labels: {
        'kubernetes.io/metadata.name': 'p-foo',
        mine: 'yes',
        'platform/project': 'foo',
      },
      ownerReferences: undefined,
    })
  })

  it('writes nothing if all is in order', async () => {
    await controller.start()
    const object = await project('foo')
    const before = (await untilThere('p-foo')).metadata.resourceVersion
    await controller.ensure(object)
    expect(namespace('p-foo')?.metadata.resourceVersion).to.equal(before)
  })

  it('creates the namespace again if it is deleted while the project exists', async () => {
    await controller.start()
    await project('foo')
    const first = (await untilThere('p-foo')).metadata.uid
    await letGo('p-foo')
    await eventually(stores.clock, () => {
      const uid = namespace('p-foo')?.metadata.uid
      return uid !== undefined && uid !== first
    })
  })

  it('leaves the namespace of a deleted project to the garbage collector', async () => {
    await controller.start()
    await project('foo')
    await untilThere('p-foo')
    await projects.delete({ namespace: '', name: 'foo' }, {}, systemContext())
    await letGo('p-foo')
    await turns(20)
    expect(namespace('p-foo')).to.equal(undefined)
  })

  async function letGo(name: string): Promise<void> {
    const target = { namespace: '', name }
    await namespaces.delete(target, {}, systemContext())
    const finalize = namespaceResource.subresources?.find((sub) => sub.name === 'finalize')
    if (finalize === undefined || 'resource' in finalize) return expect.fail('no finalize')
    const transform = (old: ApiObject): ApiObject => ({ ...old, spec: {} })
    await namespaces.update(target, { transform, strategy: finalize.strategy }, systemContext())
  }
})
