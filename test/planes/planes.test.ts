import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { namespaceResource } from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import type { PlaneEntry } from '../../apiserver/planes/planeEntry.ts'
import { eventually, turns } from '../support/eventually.ts'
import { openPlanes, type OpenPlanes } from '../support/planes.ts'
import { openStores, type Stores } from '../support/stores.ts'

describe('Planes', () => {
  let stores: Stores
  let open: OpenPlanes

  beforeEach(async () => {
    stores = await openStores()
    open = await openPlanes({ ...stores, limits: { idleMs: 60_000, maxOpen: 3 } })
  })

  afterEach(async () => {
    open.close()
    await stores.close()
  })

  const stored = async () => (await stores.storage.list({ prefix: '/planes/' })).items.length

  async function makeNamespace(planeEntry: PlaneEntry, name: string): Promise<void> {
    const { plane } = await planeEntry.opened()
    const object = { kind: 'Namespace', apiVersion: 'v1', metadata: { name } }
    await plane.storeOf(namespaceResource).create(object, systemContext())
  }

  const hasNamespace = async (planeEntry: PlaneEntry, name: string) => {
    const store = (await planeEntry.opened()).plane.storeOf(namespaceResource)
    return stores.storage.newest(store.keyOf({ namespace: '', name })) !== undefined
  }

  it('creates nothing of a plane before its first request', async () => {
    await open.makeCluster('one')
    expect([open.planes.openCount, await stored(), open.planeEntry('one').isOpen]).to.deep.equal([
      0,
      0,
      false,
    ])
  })

  it('writes the first objects in one commit, once', async () => {
    await open.makeCluster('one')
    const batches: number[] = []
    await stores.storage.watch('/planes/', stores.storage.revision, (changes) => {
      batches.push(changes.length)
    })
    await open.planeEntry('one').opened()
    expect(batches.length).to.equal(1)
    // Namespaces, cluster roles and their bindings.
    expect(batches[0]).to.equal(4 + 12 + 8)
  })

  it('opens a plane once for concurrent requests', async () => {
    await open.makeCluster('one')
    const [a, b] = await Promise.all([
      open.planeEntry('one').opened(),
      open.planeEntry('one').opened(),
    ])
    expect(a).to.equal(b)
    expect(open.planes.openCount).to.equal(1)
  })

  it('closes a plane unused for a minute; the next request finds everything unchanged', async () => {
    await open.makeCluster('one')
    const planeEntry = open.planeEntry('one')
    await makeNamespace(planeEntry, 'kept')
    stores.clock.advance(70_000)
    expect([planeEntry.isOpen, open.planes.openCount]).to.deep.equal([false, 0])
    expect(await hasNamespace(planeEntry, 'kept')).to.equal(true)
  })

  it('keeps no timer of a closed plane', async () => {
    await open.makeCluster('one')
    stores.clock.advance(5_000)
    await turns(20)
    const before = stores.clock.timers
    await open.planeEntry('one').opened()
    stores.clock.advance(70_000)
    await turns(20)
    expect(stores.clock.timers).to.equal(before)
  })

  it('closes the least recently used planes if too many are open', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) {
      await open.makeCluster(name)
      await open.planeEntry(name).opened()
      stores.clock.advance(2_000)
    }
    expect(open.planes.openCount).to.equal(3)
    expect(open.planeEntry('e').isOpen).to.equal(true)
  })

  it('removes what is stored of a deleted plane, and nothing of another', async () => {
    for (const name of ['one', 'two']) {
      await open.makeCluster(name)
      await makeNamespace(open.planeEntry(name), 'own')
    }
    const both = await stored()
    await open.deleteCluster('one')
    await open.planes.removed()
    expect(await stored()).to.equal(both / 2)
    expect(await hasNamespace(open.planeEntry('two'), 'own')).to.equal(true)
  })

  it('a plane created again under a name is empty at once', async () => {
    await open.makeCluster('one')
    const old = open.planeEntry('one')
    await makeNamespace(old, 'own')
    await open.deleteCluster('one')
    await open.makeCluster('one')
    expect(open.planeEntry('one')).not.to.equal(old)
    expect(await hasNamespace(open.planeEntry('one'), 'own')).to.equal(false)
  })

  it('a closed plane refuses writes', async () => {
    await open.makeCluster('one')
    const { plane } = await open.planeEntry('one').opened()
    await open.deleteCluster('one')
    const object = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'late' } }
    const late = await plane
      .storeOf(namespaceResource)
      .create(object, systemContext())
      .catch((error: unknown) => String(error))
    expect(late).to.include('the server could not find the requested resource')
    await open.planes.removed()
    expect(await stored()).to.equal(0)
  })

  it('removes after a restart what a crash left over', async () => {
    for (const name of ['one', 'two']) {
      await open.makeCluster(name)
      await makeNamespace(open.planeEntry(name), 'own')
    }
    const both = await stored()
    open.planes.close()
    await open.deleteCluster('one')
    expect(await stored()).to.equal(both)
    open.close()
    open = await openPlanes(stores)
    stores.clock.advance(2_000)
    await open.planes.removed()
    expect(await stored()).to.equal(both / 2)
    expect(await hasNamespace(open.planeEntry('two'), 'own')).to.equal(true)
  })

  it('continues emptying a namespace after its plane was closed', async () => {
    await open.makeCluster('one')
    const planeEntry = open.planeEntry('one')
    await makeNamespace(planeEntry, 'going')
    const { plane } = await planeEntry.opened()
    await plane
      .storeOf(namespaceResource)
      .delete({ namespace: '', name: 'going' }, {}, systemContext())
    planeEntry.drop()
    await planeEntry.opened()
    const key = plane.storeOf(namespaceResource).keyOf({ namespace: '', name: 'going' })
    await eventually(stores.clock, () => stores.storage.newest(key) === undefined)
  })

  it('100 idle planes take little memory each, and stored objects are released', async function () {
    this.timeout(30_000)
    const folder = await mkdtemp(join(tmpdir(), 'planes-'))
    const onDisk = await openStores({ location: folder })
    const many = await openPlanes(onDisk)
    const { clock, storage } = onDisk
    const objects = async () => (await storage.list({ prefix: '/planes/' })).items
    /** The first part of a key after the prefix identifies its plane. */
    const planesWithObjects = async () =>
      new Set((await objects()).map(({ key }) => key.split('/')[2]))
    const openedAndDropped = async (names: readonly string[]) => {
      for (const name of names) {
        await many.makeCluster(name)
        await many.planeEntry(name).opened()
      }
      // Objects created after the first response.
      clock.advance(1)
      const wanted = (await objects()).length + 34 * names.length
      while ((await objects()).length < wanted) await turns()
      clock.advance(70_000)
      expect(many.planes.openCount).to.equal(0)
      await turns()
    }
    try {
      // Code compiled and cached once for all planes is not counted.
      const first = Array.from({ length: 50 }, (_, at) => `warm${at}`)
      await openedAndDropped(first)
      const planesBefore = await planesWithObjects()
      const before = await usedBytes()
      const names = Array.from({ length: 100 }, (_, at) => `c${at}`)
      await openedAndDropped(names)
      // The benchmark limits 2,000 planes to 50 KB each; with 100 planes, other memory of the
      // process has more weight.
      expect(((await usedBytes()) - before) / names.length).to.be.lessThan(90_000)
      await Promise.all(names.map((name) => many.deleteCluster(name)))
      await many.planes.removed()
      expect(await planesWithObjects()).to.deep.equal(planesBefore)
    } finally {
      many.close()
      await onDisk.close()
      await rm(folder, { recursive: true })
    }
  })
})

/** After several garbage collections, since one may allow the next to free more. */
async function usedBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 4; round++) {
    collect()
    await turns(20)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
