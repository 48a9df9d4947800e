import { expect } from 'chai'
import { addressesOfService } from '../../apiserver/apis/kubernetes/core/service/serviceAllocations.ts'
import { ServiceAddresses } from '../../apiserver/controllers/serviceAddresses.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { BuiltInKinds } from '../support/builtInKinds.ts'
import { waitUntil } from '../support/waitUntil.ts'

describe('ServiceAddresses', () => {
  let kinds: BuiltInKinds
  let addresses: Store
  let keeper: ServiceAddresses
  const create = (store: Store, object: ApiObject) => store.create(object, systemContext())
  const reported: unknown[] = []

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
    addresses = kinds.store('IPAddress')
    reported.length = 0
    keeper = new ServiceAddresses({
      ...{ services: kinds.store('Service'), addresses, addressesOf: addressesOfService, create },
      clock: kinds.stores.clock,
      report: (error) => reported.push(error),
    })
  })

  afterEach(async () => {
    keeper.stop()
    await kinds.stores.close()
    expect(reported).to.deep.equal([])
  })

  const makeService = (name: string, clusterIP: string) =>
    kinds.create('Service', { metadata: { name }, spec: { clusterIP, ports: [{ port: 80 }] } })
  const removeService = (name: string) =>
    kinds.store('Service').delete({ namespace: 'default', name }, {}, systemContext())
  const stored = (name: string) =>
    addresses.cache.get(addresses.keyOf({ namespace: '', name }))?.object()
  const isThere = (name: string) => () => stored(name) !== undefined
  const isGone = (name: string) => () => stored(name) === undefined

  it('reserves the addresses of existing and new services', async () => {
    await makeService('old', '10.96.1.1')
    await keeper.start()
    await waitUntil(isThere('10.96.1.1'))
    await makeService('new', '10.96.1.2')
    await waitUntil(isThere('10.96.1.2'))
    const made = stored('10.96.1.2')
    expect([made?.metadata.labels, made?.['spec']]).to.deep.equal([
      {
        'ipaddress.kubernetes.io/ip-family': 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
      { parentRef: { resource: 'services', namespace: 'default', name: 'new' } },
    ])
  })

  it('releases the address of a deleted service, also one deleted while it was stopped', async () => {
    await makeService('a', '10.96.1.1')
    await makeService('b', '10.96.1.2')
    await keeper.start()
    await waitUntil(isThere('10.96.1.1'))
    await waitUntil(isThere('10.96.1.2'))
    await removeService('a')
    await waitUntil(isGone('10.96.1.1'))
    keeper.stop()
    await removeService('b')
    keeper = new ServiceAddresses({
      ...{ services: kinds.store('Service'), addresses, addressesOf: addressesOfService, create },
      clock: kinds.stores.clock,
      report: (error) => reported.push(error),
    })
    await keeper.start()
    await waitUntil(isGone('10.96.1.2'))
  })

  it('reserves an address again that a client released, and leaves other addresses alone', async () => {
    const parentRef = { group: 'example.com', resource: 'gateways', name: 'g' }
    await kinds.create('IPAddress', { metadata: { name: '10.1.1.1' }, spec: { parentRef } })
    await makeService('a', '10.96.1.1')
    await keeper.start()
    await waitUntil(isThere('10.96.1.1'))
    const { uid } = stored('10.96.1.1')?.metadata ?? {}
    await addresses.delete({ namespace: '', name: '10.96.1.1' }, {}, systemContext())
    await waitUntil(() => ![undefined, uid].includes(stored('10.96.1.1')?.metadata.uid))
    expect(stored('10.1.1.1')?.['spec']).to.deep.equal({ parentRef })
  })

  it('reserves nothing for a service without an address', async () => {
    await makeService('headless', 'None')
    await makeService('a', '10.96.1.1')
    await keeper.start()
    await waitUntil(isThere('10.96.1.1'))
    expect([...addresses.cache.all()].length).to.equal(1)
  })
})
