import { expect } from 'chai'
import {
  GarbageCollector,
  type ObjectChange,
} from '../../apiserver/controllers/garbageCollector.ts'
import {
  groupVersionString,
  type ApiObject,
  type OwnerReference,
} from '../../apiserver/meta/types.ts'
import type { DeleteOptions } from '../../apiserver/registry/write/deleteOptions.ts'
import { decodeObject } from '../../apiserver/registry/objectBytes.ts'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import { openMemory, type Database } from '../../apiserver/storage/level/format/database.ts'
import { clientContext } from '../support/contexts.ts'
import { turns } from '../support/eventually.ts'
import { change, create, openStores, type Stores } from '../support/stores.ts'
import { thing, thingResource, type ThingOptions } from '../support/thing.ts'

const rigs: ResourceDefinition = {
  ...thingResource(),
  plural: 'rigs',
  singular: 'rig',
  kind: 'Rig',
  namespaced: false,
}

const events: ResourceDefinition = {
  ...thingResource(),
  group: '',
  plural: 'events',
  singular: 'event',
  kind: 'Event',
  schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
}

/** Database in memory that is as slow as a disk: a write takes several turns of the event loop. */
async function openSlow(): Promise<Database> {
  const database = await openMemory()
  const write: Database['write'] = async (writes) => {
    await turns(5)
    await database.write(writes)
  }
  return { ...database, write }
}

describe('GarbageCollector', () => {
  let stores: Stores
  let collector: GarbageCollector
  let things: ResourceDefinition
  let reports: unknown[]

  beforeEach(async () => {
    things = thingResource()
    reports = []
    stores = await openStores()
    collector = await start()
  })

  afterEach(async () => {
    collector.stop()
    await stores.close()
    expect(reports).to.deep.equal([])
  })

  const all = () => [things, rigs, events]

  async function start(): Promise<GarbageCollector> {
    const started = new GarbageCollector({
      clock: stores.clock,
      report: (error) => reports.push(error),
      locate: (key) => locate(key),
      storeOf: ({ apiVersion, kind }) => {
        const found = all().find(
          (known) => known.kind === kind && apiVersion === groupVersionString(known),
        )
        return found && stores.storeOf(found)
      },
      follow: (listener) => follow(listener),
    })
    await started.start()
    return started
  }

  function locate(key: string) {
    for (const resource of all()) {
      const store = stores.storeOf(resource)
      if (!key.startsWith(store.keyPrefix)) continue
      const [first = '', second] = key.slice(store.keyPrefix.length).split('/')
      const target =
        second === undefined ? { namespace: '', name: first } : { namespace: first, name: second }
      return { store, target }
    }
    return undefined
  }

  async function follow(listener: (told: ObjectChange) => void): Promise<() => void> {
    const tell = (key: string, value: Buffer | undefined, previous: Buffer | undefined) =>
      listener({
        key,
        isGone: value === undefined,
        mayHaveOwners: true,
        mayBeDeleting: true,
        object: () => value && decodeObject(value),
        previous: () => previous && decodeObject(previous),
      })
    const { items, revision } = await stores.storage.list({ prefix: '/test/' })
    for (const { key, value } of items) tell(key, value, undefined)
    const subscription = await stores.storage.watch('/test/', revision, (changes) => {
      for (const { key, value, previous } of changes) tell(key, value, previous?.value)
    })
    return () => subscription.close()
  }

  const make = (name: string, options: ThingOptions = {}) =>
    create(stores.storeOf(things), thing(name, options))
  const makeRig = (name: string, metadata: ThingOptions = {}) => {
    const { namespace: _, ...rest } = metadata
    return create(stores.storeOf(rigs), {
      kind: 'Rig',
      apiVersion: 'example.dev/v1',
      metadata: { name, ...rest },
      spec: {},
    })
  }

  function ownedBy(owner: ApiObject, blocks = false): OwnerReference {
    const { apiVersion, kind, metadata } = owner
    const blocking = blocks ? { blockOwnerDeletion: true } : {}
    return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', ...blocking }
  }

  const remove = (name: string, options: DeleteOptions = {}, namespace = 'default') =>
    stores.storeOf(things).delete({ namespace, name }, options, clientContext())

  /** Names of the remaining objects once the collector is idle. */
  async function left(resource = things): Promise<string[]> {
    await turns(60)
    const { keyPrefix } = stores.storeOf(resource)
    const { items } = await stores.storage.list({ prefix: keyPrefix })
    return items.map(({ key }) => key.slice(key.lastIndexOf('/') + 1))
  }

  /** Namespace, object, reason and message of each event. */
  async function told(): Promise<unknown[]> {
    const { items } = await stores.storage.list({ prefix: stores.storeOf(events).keyPrefix })
    return items.map(({ value }) => {
      const { metadata, reason, message, ...event } = decodeObject(value)
      const { uid } = event['involvedObject'] as { uid: string }
      return [metadata.namespace, uid, reason, message]
    })
  }

  function invalidOwner({ metadata }: ApiObject, namespace: string): string {
    return `ownerRef [example.dev/v1/Thing, namespace: ${namespace}, name: ${metadata.name}, uid: ${metadata.uid}] does not exist in namespace "${namespace}"`
  }

  const metadataOf = (name: string, namespace = 'default') =>
    stores.storeOf(things).newest({ namespace, name }).object.metadata

  it('background: dependents are deleted after their owner, recursively (reference 3.7, spec meta.ownerReferences)', async () => {
    const owner = await make('owner')
    const child = await make('child', { ownerReferences: [ownedBy(owner)] })
    await make('grandchild', { ownerReferences: [ownedBy(child)] })
    await make('other')
    await remove('owner', { propagationPolicy: 'Background' })
    expect(await left()).to.deep.equal(['other'])
  })

  it('orphan: dependents stay, without the reference (reference 3.7)', async () => {
    const owner = await make('owner')
    await make('child', { ownerReferences: [ownedBy(owner, true)] })
    await remove('owner', { propagationPolicy: 'Orphan' })
    expect(await left()).to.deep.equal(['child'])
    expect(metadataOf('child')).to.not.have.property('ownerReferences')
  })

  it('foreground: the owner stays until blocking dependents are gone (reference 3.7)', async () => {
    const owner = await make('owner')
    const finalizers = ['example.dev/hold']
    await make('child', { ownerReferences: [ownedBy(owner, true)], finalizers })
    await remove('owner', { propagationPolicy: 'Foreground' })
    expect(await left()).to.deep.equal(['child', 'owner'])
    expect(metadataOf('owner').finalizers).to.deep.equal(['foregroundDeletion'])
    expect(metadataOf('child')).to.have.property('deletionTimestamp')
    await change(stores.storeOf(things), { namespace: 'default', name: 'child' }, (object) => {
      delete object.metadata.finalizers
    })
    expect(await left()).to.deep.equal([])
  })

  it('foreground: the owner does not wait for other dependents (reference 3.7)', async () => {
    const owner = await make('owner')
    const finalizers = ['example.dev/hold']
    await make('child', { ownerReferences: [ownedBy(owner)], finalizers })
    await remove('owner', { propagationPolicy: 'Foreground' })
    expect(await left()).to.deep.equal(['child'])
    expect(metadataOf('child')).to.have.property('deletionTimestamp')
  })

  it('foreground: the owner does not wait for a dependent that another owner keeps, or that lets it go', async () => {
    const one = await make('one')
    const two = await make('two')
    await make('child', { ownerReferences: [ownedBy(one, true), ownedBy(two, true)] })
    await remove('one', { propagationPolicy: 'Foreground' })
    expect(await left()).to.deep.equal(['child', 'two'])
    expect(metadataOf('child').ownerReferences?.map(({ name }) => name)).to.deep.equal(['two'])

    const finalizers = ['example.dev/hold']
    await make('held', { ownerReferences: [ownedBy(two, true)], finalizers })
    await remove('two', { propagationPolicy: 'Foreground' })
    expect(await left()).to.deep.equal(['held', 'two'])
    await change(stores.storeOf(things), { namespace: 'default', name: 'held' }, (object) => {
      for (const owner of object.metadata.ownerReferences ?? []) owner.blockOwnerDeletion = false
    })
    expect(await left()).to.deep.equal(['held'])
  })

  it('foreground includes dependents of dependents (reference 3.7)', async () => {
    const owner = await make('owner')
    const child = await make('child', { ownerReferences: [ownedBy(owner, true)] })
    const finalizers = ['example.dev/hold']
    await make('grandchild', { ownerReferences: [ownedBy(child, true)], finalizers })
    await remove('owner', { propagationPolicy: 'Foreground' })
    expect(await left()).to.deep.equal(['child', 'grandchild', 'owner'])
    expect(metadataOf('child').finalizers).to.deep.equal(['foregroundDeletion'])
    await change(stores.storeOf(things), { namespace: 'default', name: 'grandchild' }, (object) => {
      delete object.metadata.finalizers
    })
    expect(await left()).to.deep.equal([])
  })

  it('a cycle of blocking owners is resolved (reference 3.7)', async () => {
    const one = await make('one')
    const two = await make('two', { ownerReferences: [ownedBy(one, true)] })
    await change(stores.storeOf(things), { namespace: 'default', name: 'one' }, (object) => {
      object.metadata.ownerReferences = [ownedBy(two, true)]
    })
    await remove('one', { propagationPolicy: 'Foreground' })
    expect(await left()).to.deep.equal([])
  })

  it('an object that owns itself does not block itself (reference 3.7)', async () => {
    const own = await make('own')
    await change(stores.storeOf(things), { namespace: 'default', name: 'own' }, (object) => {
      object.metadata.ownerReferences = [ownedBy(own, true)]
    })
    await remove('own', { propagationPolicy: 'Foreground' })
    expect(await left()).to.deep.equal([])
  })

  for (const count of [2, 3, 4]) {
    it(`${count} owners in a blocked cycle are resolved, also after a restart (reference 3.7)`, async () => {
      const names = Array.from({ length: count }, (_, at) => `n${at}`)
      const made: ApiObject[] = []
      for (const name of names) made.push(await make(name))
      // An external object waits for one of them, but none waits for it.
      const outside = await make('outside')
      for (const [at, name] of names.entries()) {
        const owners = [made[(at + 1) % count] ?? outside, ...(at === 0 ? [outside] : [])]
        await change(stores.storeOf(things), { namespace: 'default', name }, (object) => {
          object.metadata.ownerReferences = owners.map((owner) => ownedBy(owner, true))
        })
      }
      collector.stop()
      for (const name of [...names, 'outside'])
        await remove(name, { propagationPolicy: 'Foreground' })
      expect(await left()).to.deep.equal([...names, 'outside'])
      collector = await start()
      expect(await left()).to.deep.equal([])
    })
  }

  it('two objects that own each other do not block deletion while their owner is being written (reference 3.7)', async () => {
    collector.stop()
    await stores.close()
    stores = await openStores({ openDatabase: openSlow })
    collector = await start()
    const owner = await make('owner')
    const one = await make('one', { ownerReferences: [ownedBy(owner, true)] })
    const two = await make('two', { ownerReferences: [ownedBy(owner, true), ownedBy(one, true)] })
    await change(stores.storeOf(things), { namespace: 'default', name: 'one' }, (object) => {
      object.metadata.ownerReferences = [ownedBy(owner, true), ownedBy(two, true)]
    })
    const foreground = { propagationPolicy: 'Foreground' } as const
    const first = remove('owner', foreground)
    await turns(1)
    await Promise.all([first, remove('one', foreground), remove('two', foreground)])
    expect(await left()).to.deep.equal([])
  })

  it('an owner that never existed, or has another uid, is absent (reference 3.7)', async () => {
    const owner = await make('owner')
    await make('child', { ownerReferences: [{ ...ownedBy(owner), uid: 'another' }] })
    await make('lost', { ownerReferences: [{ ...ownedBy(owner), name: 'nobody' }] })
    expect(await left()).to.deep.equal(['owner'])
  })

  it('one existing owner keeps an object, and absent owners are removed (reference 3.7, spec meta.ownerReferences)', async () => {
    const [one, two] = [await make('one'), await make('two')]
    await make('child', { ownerReferences: [ownedBy(one), ownedBy(two)] })
    await remove('one')
    expect(await left()).to.deep.equal(['child', 'two'])
    expect(metadataOf('child').ownerReferences).to.deep.equal([ownedBy(two)])
  })

  it('an owner in another namespace is absent (reference 3.7)', async () => {
    const owner = await make('owner', { namespace: 'elsewhere' })
    const child = await make('child', { ownerReferences: [ownedBy(owner)] })
    expect(await left()).to.deep.equal(['owner'])
    expect(await told()).to.deep.equal([
      ['default', child.metadata.uid, 'OwnerRefInvalidNamespace', invalidOwner(owner, 'default')],
    ])
  })

  it('an owner deleted in the meantime is not reported (reference 3.7)', async () => {
    const owner = await make('owner')
    await make('child', { ownerReferences: [ownedBy(owner)] })
    await remove('owner')
    expect(await left()).to.deep.equal([])
    expect(await told()).to.deep.equal([])
  })

  it('a cluster-scoped owner may own namespaced objects (reference 3.7)', async () => {
    const rig = await makeRig('rig')
    await make('child', { ownerReferences: [ownedBy(rig)] })
    expect(await left()).to.deep.equal(['child'])
    await stores.storeOf(rigs).delete({ namespace: '', name: 'rig' }, {}, clientContext())
    expect(await left()).to.deep.equal([])
  })

  it('a cluster-scoped object with a namespaced owner is kept (reference 3.7)', async () => {
    const owner = await make('owner')
    const rig = await makeRig('rig', { ownerReferences: [ownedBy(owner)] })
    await remove('owner')
    expect(await left(rigs)).to.deep.equal(['rig'])
    expect(await told()).to.deep.equal([
      ['default', rig.metadata.uid, 'OwnerRefInvalidNamespace', invalidOwner(owner, '')],
    ])
  })

  it('dependents of an owner of an unknown kind are kept (reference 3.7)', async () => {
    const reference = { apiVersion: 'nothing.dev/v1', kind: 'Nothing', name: 'n', uid: 'u' }
    await make('child', { ownerReferences: [reference] })
    expect(await left()).to.deep.equal(['child'])
  })

  it('foreground: the owner waits for blocking dependents after a restart, too (reference 3.7)', async () => {
    const owner = await make('an-owner')
    const finalizers = ['example.dev/hold']
    await make('child', { ownerReferences: [ownedBy(owner, true)], finalizers })
    await remove('an-owner', { propagationPolicy: 'Foreground' })
    expect(await left()).to.deep.equal(['an-owner', 'child'])
    collector.stop()
    stores = stores.restarted()
    collector = await start()
    expect(await left()).to.deep.equal(['an-owner', 'child'])
    await change(stores.storeOf(things), { namespace: 'default', name: 'child' }, (object) => {
      delete object.metadata.finalizers
    })
    expect(await left()).to.deep.equal([])
  })

  it('orphan: dependents stay after a restart, too (reference 3.7)', async () => {
    const owner = await make('an-owner')
    await make('child', { ownerReferences: [ownedBy(owner)] })
    collector.stop()
    await remove('an-owner', { propagationPolicy: 'Orphan' })
    stores = stores.restarted()
    collector = await start()
    expect(await left()).to.deep.equal(['child'])
    expect(metadataOf('child')).not.to.have.property('ownerReferences')
  })

  it('finishes after a restart what was left (reference 3.7)', async () => {
    const owner = await make('owner')
    await make('child', { ownerReferences: [ownedBy(owner)] })
    collector.stop()
    await remove('owner')
    expect(await left()).to.deep.equal(['child'])
    stores = stores.restarted()
    collector = await start()
    expect(await left()).to.deep.equal([])
  })
})
