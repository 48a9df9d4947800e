import { expect } from 'chai'
import { DiscoveryDocuments } from '../../../../apiserver/discovery/discoveryDocuments.ts'
import { ResourceSet } from '../../../../apiserver/registry/resourceSet.ts'
import { BuiltInKinds, oneTemplate, selector } from '../../../support/builtInKinds.ts'

describe('schemas of built-in kinds', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  it('are not compiled by definitions, stores, caches and discovery', async () => {
    const discovery = new DiscoveryDocuments(new ResourceSet(kinds.resources))
    discovery.api('localhost')
    discovery.apis()
    discovery.aggregated('apis', 'v2')
    for (const resource of kinds.resources) {
      discovery.groupVersion(resource)
      await kinds.stores.storeOf(resource).cache.warm()
    }
    expect(kinds.types.size).to.equal(0)
  })

  it('are compiled when the first object arrives', async () => {
    await kinds.create('Lease', {})
    expect(kinds.types.size).to.equal(2)
    await kinds.create('Deployment', { spec: { selector, template: oneTemplate } })
    expect(kinds.types.size).to.be.greaterThan(100)
  })

  it('are one object for each kind', () => {
    const pod = kinds.resource('Pod')
    expect(pod.schema).to.equal(pod.schema)
  })

  it('share common parts', () => {
    const spec = (kind: string) => kinds.resource(kind).schema.properties?.['spec']
    const template = (kind: string) => spec(kind)?.properties?.['template']
    expect(template('Deployment')?.properties).to.equal(template('DaemonSet')?.properties)
  })

  it('have the list types and merge keys of the published types', () => {
    const ports =
      kinds.resource('Pod').schema.properties?.['spec']?.properties?.['containers']?.items
        ?.properties?.['ports']
    expect({ ...ports, items: undefined }).to.deep.equal({
      type: 'array',
      items: undefined,
      omitEmpty: true,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'containerPort',
    })
  })
})
