import { expect } from 'chai'
import { configMapResource } from '../../apiserver/apis/kubernetes/core/configMap.ts'
import {
  contentFinalizer,
  namespaceResource,
} from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { NamespaceObjects } from '../../apiserver/controllers/namespaceObjects.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { change, create, openStores, type Stores } from '../support/stores.ts'
import { waitUntil } from '../support/waitUntil.ts'

describe('NamespaceObjects', () => {
  let stores: Stores
  let namespaces: Store
  let configMaps: Store
  let objects: NamespaceObjects
  const reported: unknown[] = []

  beforeEach(async () => {
    stores = await openStores()
    namespaces = stores.storeOf(namespaceResource)
    configMaps = stores.storeOf(configMapResource)
    reported.length = 0
    objects = new NamespaceObjects({
      namespaces,
      objects: [{ store: configMaps, name: 'every', content: { data: { a: 'b' } } }],
      clock: stores.clock,
      report: (error) => reported.push(error),
    })
  })

  afterEach(async () => {
    objects.stop()
    await stores.close()
    expect(reported).to.deep.equal([])
  })

  const makeNamespace = (name: string) =>
    create(namespaces, { kind: 'Namespace', apiVersion: 'v1', metadata: { name } })
  const target = (namespace: string) => ({ namespace, name: 'every' })
  const dataIn = (namespace: string) =>
    configMaps.cache.get(configMaps.keyOf(target(namespace)))?.object()['data']
  const isRight = (namespace: string) => () => JSON.stringify(dataIn(namespace)) === '{"a":"b"}'

  it('creates its objects in existing and new namespaces', async () => {
    await makeNamespace('old')
    await objects.start()
    await waitUntil(isRight('old'))
    await makeNamespace('new')
    await waitUntil(isRight('new'))
  })

  it('creates them again when they are deleted or changed', async () => {
    await makeNamespace('a')
    await objects.start()
    await waitUntil(isRight('a'))
    await configMaps.delete(target('a'), {}, systemContext())
    await waitUntil(isRight('a'))
    await change(configMaps, target('a'), (object) => {
      object['data'] = { a: 'c' }
    })
    await waitUntil(isRight('a'))
  })

  it('skips a namespace that is being deleted', async () => {
    const made = await makeNamespace('a')
    expect(made['spec']).to.deep.equal({ finalizers: [contentFinalizer] })
    await namespaces.delete({ namespace: '', name: 'a' }, {}, systemContext())
    await makeNamespace('b')
    await objects.start()
    await waitUntil(isRight('b'))
    expect(dataIn('a')).to.equal(undefined)
  })
})
