import { expect } from 'chai'
import { configMapResource } from '../../apiserver/apis/kubernetes/core/configMap.ts'
import { namespaceResource } from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import type { ApiObject, ObjectMeta } from '../../apiserver/meta/types.ts'
import { HostCopies } from '../../apiserver/planes/hostCopies.ts'
import { planeKeyPrefix } from '../../apiserver/planes/planeRemoval.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { openPlanes, type OpenPlanes } from '../support/planes.ts'
import { openStores, type Stores } from '../support/stores.ts'

const uid = 'uid-of-web'
const mark = (name: string) => `vcluster.platform/${name}`

interface Copy {
  name: string
  namespace: string
  managedBy?: string
  /** Markers of the virtual object; empty: none. */
  virtual?: string
  objectUid?: string
}

describe('HostCopies', () => {
  let stores: Stores
  let open: OpenPlanes
  let copies: HostCopies
  let configMaps: Store

  beforeEach(async () => {
    stores = await openStores()
    open = await openPlanes(stores)
    await open.makeCluster('one')
    const planeEntry = open.planeEntry('one')
    const { plane } = await planeEntry.opened()
    configMaps = plane.storeOf(configMapResource)
    for (const name of ['team', 'shared']) {
      const object = { kind: 'Namespace', apiVersion: 'v1', metadata: { name } }
      await plane.storeOf(namespaceResource).create(object, systemContext())
    }
    const host = { plane, keyPrefix: planeKeyPrefix(planeEntry.uid ?? '') }
    copies = new HostCopies({
      storage: stores.storage,
      domain: 'platform',
      hostPlane: (cluster) => Promise.resolve(cluster === 'one' ? host : undefined),
    })
  })

  afterEach(async () => {
    open.close()
    await stores.close()
  })

  const place = { cluster: 'one', namespace: 'team', name: 'web' }
  const notes = async () =>
    (await stores.storage.list({ prefix: `${planeKeyPrefix(uid)}hosts/` })).items.map(({ key }) =>
      key.slice(planeKeyPrefix(uid).length),
    )

  async function makeCopy({ name, namespace, ...of }: Copy): Promise<void> {
    const { managedBy = 'web', virtual = '', objectUid = '' } = of
    const annotations: Record<string, string> = {
      [mark('object-name')]: virtual,
      [mark('object-namespace')]: 'default',
      [mark('object-uid')]: objectUid,
      [mark('object-kind')]: '/v1, Kind=ConfigMap',
      [mark('object-host-name')]: name,
      [mark('object-host-namespace')]: namespace,
    }
    const metadata: ObjectMeta = {
      ...{ name, namespace, labels: { [mark('managed-by')]: managedBy } },
      ...(virtual === '' ? {} : { annotations }),
    }
    const object: ApiObject = { kind: 'ConfigMap', apiVersion: 'v1', metadata }
    await configMaps.create(object, systemContext())
  }

  const { signal } = new AbortController()
  const left = () =>
    [...configMaps.cache.all()]
      .map((entry) => entry.object().metadata)
      .filter(({ namespace }) => namespace === 'team' || namespace === 'shared')
      .map(({ name, namespace }) => `${namespace}/${name}`)
      .filter((name) => !name.endsWith('kube-root-ca.crt'))
      .sort()

  it('records its sync target once', async () => {
    await copies.move(uid, place, signal)
    await copies.move(uid, place, signal)
    expect(await notes()).to.deep.equal(['hosts/one/team'])
  })

  it('removes copies from a former target, and nothing else', async () => {
    await configMaps.cache.warm()
    await copies.move(uid, place, signal)
    await makeCopy({ name: 'a-x', namespace: 'team', virtual: 'a' })
    await makeCopy({ name: 'labelled', namespace: 'team' })
    await makeCopy({ name: 'b-x', namespace: 'team', virtual: 'b', managedBy: 'db' })
    await copies.move(uid, undefined, signal)
    expect(left()).to.deep.equal(['team/b-x', 'team/labelled'])
    expect(await notes()).to.deep.equal([])
  })

  it('removes only its own copies from mapped namespaces', async () => {
    await configMaps.cache.warm()
    await copies.move(uid, place, signal)
    const own = { metadata: { name: 'a', namespace: 'default', uid: 'uid-of-a' } }
    const key = `${planeKeyPrefix(uid)}core/configmaps/default/a`
    await stores.storage.create(key, {
      before: '{"metadata":{"resourceVersion":"',
      after: `",${JSON.stringify(own.metadata).slice(1)}}`,
    })
    const shared = { namespace: 'shared', virtual: 'a' }
    await makeCopy({ ...shared, name: 'a', objectUid: 'uid-of-a' })
    await makeCopy({ ...shared, name: 'b', objectUid: 'uid-of-another' })
    await copies.move(uid, undefined, signal)
    expect(left()).to.deep.equal(['shared/b'])
  })

  it('removes the copies of the former namespace after a move', async () => {
    await configMaps.cache.warm()
    await copies.move(uid, place, signal)
    await makeCopy({ name: 'a-x', namespace: 'team', virtual: 'a' })
    await copies.move(uid, { ...place, namespace: 'other' }, signal)
    expect(left()).to.deep.equal([])
    expect(await notes()).to.deep.equal(['hosts/one/other'])
  })

  it('removes nothing from a deleted cluster', async () => {
    await copies.move(uid, { ...place, cluster: 'gone' }, signal)
    await copies.move(uid, undefined, signal)
    expect(await notes()).to.deep.equal([])
  })
})
