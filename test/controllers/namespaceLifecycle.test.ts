import { expect } from 'chai'
import {
  contentFinalizer,
  namespaceResource,
} from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { namespaceAdmission } from '../../apiserver/apis/kubernetes/core/namespace/namespaceAdmission.ts'
import { NamespaceLifecycle } from '../../apiserver/controllers/namespaceLifecycle.ts'
import { StatusError } from '../../apiserver/meta/status.ts'
import { decodeObject } from '../../apiserver/registry/objectBytes.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import type { ObjectName } from '../../apiserver/registry/storeTypes.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { eventually, turns } from '../support/eventually.ts'
import { refusal } from '../support/refusal.ts'
import { change, create, openStores, type Stores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'

describe('NamespaceLifecycle', () => {
  let things = thingResource()
  const gadgets = { ...thingResource(), plural: 'gadgets', kind: 'Gadget' }
  let stores: Stores
  let lifecycle: NamespaceLifecycle
  let reports: unknown[]

  beforeEach(async () => {
    things = thingResource()
    reports = []
    stores = await openStores({
      admit: namespaceAdmission((target) => newest(target)),
    })
    for (const name of ['a', 'b']) await make(name)
    lifecycle = await start()
  })

  afterEach(async () => {
    lifecycle.stop()
    await stores.close()
  })

  function newest(target: ObjectName) {
    const stored = stores.storage.newest(stores.storeOf(namespaceResource).keyOf(target))
    return stored && decodeObject(stored.value)
  }

  async function start(): Promise<NamespaceLifecycle> {
    const started = new NamespaceLifecycle({
      namespaces: stores.storeOf(namespaceResource),
      resources: new ResourceSet([namespaceResource, things, gadgets]),
      storeOf: (resource) => stores.storeOf(resource),
      clock: stores.clock,
      finalizer: contentFinalizer,
      report: (error) => reports.push(error),
    })
    await started.start()
    return started
  }

  const make = (name: string) =>
    create(stores.storeOf(namespaceResource), {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name },
    })
  const remove = (name: string) =>
    stores.storeOf(namespaceResource).delete({ namespace: '', name }, {}, systemContext())
  const isThere = (name: string) => newest({ namespace: '', name }) !== undefined
  const isGone = (name: string) => eventually(stores.clock, () => !isThere(name))

  async function keys(store: Store): Promise<string[]> {
    const { items } = await stores.storage.list({ prefix: store.keyPrefix })
    return items.map(({ key }) => key.slice(store.keyPrefix.length))
  }

  it('removes an empty namespace', async () => {
    await remove('a')
    await isGone('a')
    expect(isThere('b')).to.equal(true)
  })

  it('removes the content of every kind first, and touches no other namespace', async () => {
    for (const namespace of ['a', 'b']) {
      await create(stores.storeOf(things), thing('x', { namespace }))
      await create(stores.storeOf(gadgets), { ...thing('y', { namespace }), kind: 'Gadget' })
    }
    await remove('a')
    await isGone('a')
    expect([await keys(stores.storeOf(things)), await keys(stores.storeOf(gadgets))]).to.deep.equal(
      [['b/x'], ['b/y']],
    )
  })

  it('removes a thousand objects', async () => {
    const store = stores.storeOf(things)
    await Promise.all(
      Array.from({ length: 1_000 }, (_, at) => create(store, thing(`t${at}`, { namespace: 'a' }))),
    )
    await remove('a')
    await isGone('a')
    expect(await keys(store)).to.deep.equal([])
  })

  it('stays Terminating and refuses new content while a finalizer holds its content', async () => {
    const store = stores.storeOf(things)
    await create(store, thing('x', { namespace: 'a', finalizers: ['x/one'] }))
    await remove('a')
    await turns(20)
    const status = newest({ namespace: '', name: 'a' })?.['status']
    expect(status).to.deep.include({ phase: 'Terminating' })
    const held = store.newest({ namespace: 'a', name: 'x' }).object
    expect(held.metadata).to.have.property('deletionTimestamp')
    const { code, reason, details } = await refusal(create(store, thing('y', { namespace: 'a' })))
    expect([code, reason, details?.causes?.[0]?.reason]).to.deep.equal([
      403,
      'Forbidden',
      'NamespaceTerminating',
    ])
  })

  it('reports the remaining content and its finalizers in its status', async () => {
    const store = stores.storeOf(things)
    for (const [name, finalizers] of [
      ['x', ['x/one']],
      ['y', ['x/one', 'x/two']],
    ] as const) {
      await create(store, thing(name, { namespace: 'a', finalizers: [...finalizers] }))
    }
    await remove('a')
    await turns(30)
    const told = () => {
      // Only the lifecycle controller has written this.
      const { conditions = [] } = newest({ namespace: '', name: 'a' })?.['status'] as {
        conditions?: Record<string, string>[]
      }
      return conditions
    }
    expect(told().map(({ type, status, message }) => `${type} ${status} ${message}`)).to.deep.equal(
      [
        'NamespaceDeletionDiscoveryFailure False All resources successfully discovered',
        'NamespaceDeletionGroupVersionParsingFailure False All legacy kube types successfully parsed',
        'NamespaceDeletionContentFailure False All content successfully deleted, may be waiting on finalization',
        'NamespaceContentRemaining True Some resources are remaining: things.example.dev has 2 resource instances',
        'NamespaceFinalizersRemaining True Some content in the namespace has finalizers remaining: x/one in 2 resource instances, x/two in 1 resource instances',
      ],
    )
    const revision = stores.storage.revision
    stores.clock.advance(1_000)
    await turns(30)
    expect(stores.storage.revision).to.equal(revision)
  })

  it('retries every second until the finalizers are gone', async () => {
    const store = stores.storeOf(things)
    await create(store, thing('x', { namespace: 'a', finalizers: ['x/one'] }))
    await remove('a')
    for (let second = 0; second < 5; second++) {
      await turns(10)
      stores.clock.advance(1_000)
    }
    await turns(10)
    expect(isThere('a')).to.equal(true)
    await change(store, { namespace: 'a', name: 'x' }, ({ metadata }) => {
      delete metadata.finalizers
    })
    expect(await keys(store)).to.deep.equal([])
    await turns(10)
    expect(isThere('a')).to.equal(true)
    stores.clock.advance(1_000)
    await isGone('a')
    expect(reports).to.deep.equal([])
  })

  it('continues after a restart', async () => {
    const store = stores.storeOf(things)
    lifecycle.stop()
    await create(store, thing('x', { namespace: 'a' }))
    await remove('a')
    await turns(10)
    expect(isThere('a')).to.equal(true)
    stores = stores.restarted()
    lifecycle = await start()
    await isGone('a')
    expect(await keys(stores.storeOf(things))).to.deep.equal([])
  })

  it('removes content that was being written when the namespace was deleted', async () => {
    const store = stores.storeOf(things)
    // The first one compiles the schema; some of the others come before the deletion, some after
    // it.
    await create(store, thing('first', { namespace: 'a' }))
    const creations = Array.from({ length: 50 }, async (_, at) => {
      for (let turn = 0; turn < at % 20; turn++) await Promise.resolve()
      await create(store, thing(`t${at}`, { namespace: 'a' }))
    })
    for (let turn = 0; turn < 12; turn++) await Promise.resolve()
    const [, ...results] = await Promise.allSettled([remove('a'), ...creations])
    expect(new Set(results.map(({ status }) => status)).size).to.equal(2)
    await isGone('a')
    expect(await keys(store)).to.deep.equal([])
  })

  it('does not touch a namespace created again', async () => {
    await remove('a')
    await isGone('a')
    await make('a')
    await create(stores.storeOf(things), thing('x', { namespace: 'a' }))
    stores.clock.advance(5_000)
    await turns(20)
    expect([isThere('a'), await keys(stores.storeOf(things))]).to.deep.equal([true, ['a/x']])
  })

  it('reports failures, and retries', async () => {
    lifecycle.stop()
    let failures = 2
    things = thingResource({
      deletion: {
        validate: () => {
          if (failures-- > 0) throw new StatusError(503, 'ServiceUnavailable', 'not now')
        },
      },
    })
    await create(stores.storeOf(things), thing('x', { namespace: 'a' }))
    lifecycle = await start()
    await remove('a')
    for (let second = 0; second < 3; second++) {
      await turns(10)
      stores.clock.advance(1_000)
    }
    await isGone('a')
    expect(reports.map(String)).to.deep.equal(Array(2).fill('StatusError: not now'))
  })

  it('leaves no timer behind when stopped', async () => {
    await create(stores.storeOf(things), thing('x', { namespace: 'a', finalizers: ['x/one'] }))
    const before = stores.clock.timers
    await remove('a')
    await turns(20)
    expect(stores.clock.timers).to.equal(before + 1)
    lifecycle.stop()
    expect(stores.clock.timers).to.equal(before)
  })
})
