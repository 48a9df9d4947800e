import { expect } from 'chai'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { DeleteOptions } from '../../apiserver/registry/write/deleteOptions.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import type { Deleted } from '../../apiserver/registry/storeTypes.ts'
import type { Strategy } from '../../apiserver/registry/strategy.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { dryRun } from '../support/contexts.ts'
import { failure, refusal } from '../support/refusal.ts'
import { change, create, openStores, shown, type Stores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'

const target = { namespace: 'default', name: 'a' }

describe('Store.delete', () => {
  let stores: Stores
  let store: Store

  beforeEach(async () => {
    stores = await openStores()
    store = stores.storeOf(thingResource())
  })

  afterEach(() => stores.close())

  const remove = (options: DeleteOptions = {}, from = store): Promise<Deleted> =>
    from.delete(target, options, systemContext())

  const stored = (from = store): ApiObject => from.newest(target).object

  async function isGone(): Promise<boolean> {
    return (await stores.storage.get(store.keyOf(target))) === undefined
  }

  it('removes an object without finalizers, and returns its last state (reference 3.5)', async () => {
    const object = await create(store, thing('a'))
    const deleted = await remove()
    expect({ ...deleted, bytes: shown(deleted) }).to.deep.equal({
      object,
      bytes: object,
      isGone: true,
    })
    expect(await isGone()).to.equal(true)
    expect(stores.storage.revision).to.equal(2)
  })

  it('a missing object: 404 NotFound (reference 3.5)', async () => {
    expect(await refusal(remove())).to.deep.equal(
      failure(404, 'NotFound', 'things.example.dev "a" not found', {
        name: 'a',
        group: 'example.dev',
        kind: 'things',
      }),
    )
  })

  it('of two concurrent deletes one finds nothing (reference 3.5)', async () => {
    await create(store, thing('a'))
    const [first, second] = await Promise.allSettled([remove(), remove()])
    expect([first.status, second.status]).to.deep.equal(['fulfilled', 'rejected'])
  })

  describe('finalizers (reference 3.5)', () => {
    beforeEach(async () => {
      await create(store, thing('a', { finalizers: ['x/one'] }))
      stores.clock.advance(1_500)
    })

    it('mark the object: deletionTimestamp, grace 0, generation one more (spec meta.deletionTimestamp, meta.deletionGracePeriodSeconds)', async () => {
      const deleted = await remove()
      expect(deleted.isGone).to.equal(false)
      expect(shown(deleted).metadata).to.deep.include({
        deletionTimestamp: '2030-01-01T00:00:01Z',
        deletionGracePeriodSeconds: 0,
        generation: 2,
        resourceVersion: '2',
        finalizers: ['x/one'],
      })
      expect(stored()).to.deep.equal(shown(deleted))
    })
    it('a second delete changes nothing: 200 with the object, no event', async () => {
      const first = shown(await remove())
      stores.clock.advance(5_000)
      const second = await remove()
      expect([shown(second), second.isGone]).to.deep.equal([first, false])
      expect(stores.storage.revision).to.equal(2)
    })
    it('a second delete waits until the first is durable', async () => {
      const settled: string[] = []
      await Promise.all([
        remove().then(() => settled.push('first')),
        remove().then(() => settled.push('second')),
      ])
      expect(settled).to.deep.equal(['first', 'second'])
    })
    it('in a dry run: returned as marked, not stored', async () => {
      const deleted = await store.delete(target, {}, dryRun)
      expect(shown(deleted).metadata).to.deep.include({ generation: 2, resourceVersion: '1' })
      expect(stored().metadata).to.not.have.property('deletionTimestamp')
    })
    it('a kind without generations gets none', async () => {
      const own = stores.storeOf(thingResource({ generation: 'none' }))
      await change(own, target, ({ metadata }) => void delete metadata.generation)
      expect(shown(await remove({}, own)).metadata).to.have.property('deletionTimestamp')
    })
  })

  it('a dry run of a removal: reports success, and the object stays (reference 3.5)', async () => {
    const object = await create(store, thing('a'))
    expect((await store.delete(target, {}, dryRun)).isGone).to.equal(true)
    expect(stored()).to.deep.equal(object)
  })

  describe('preconditions (reference 3.5)', () => {
    const details = { name: 'a', group: 'example.dev', kind: 'Thing' }
    let uid: string

    beforeEach(async () => {
      uid = (await create(store, thing('a'))).metadata.uid ?? ''
    })

    it('another UID: 409 Conflict that names the kind', async () => {
      expect(await refusal(remove({ preconditions: { uid: 'other' } }))).to.deep.equal(
        failure(
          409,
          'Conflict',
          `Operation cannot be fulfilled on Thing.example.dev "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
          details,
        ),
      )
    })
    it('another revision: 409 Conflict that names the kind', async () => {
      expect(await refusal(remove({ preconditions: { resourceVersion: '9' } }))).to.deep.equal(
        failure(
          409,
          'Conflict',
          'Operation cannot be fulfilled on Thing.example.dev "a": the ResourceVersion in the precondition (9) does not match the ResourceVersion in record (1). The object might have been modified',
          details,
        ),
      )
    })
    it('both match: deleted', async () => {
      await remove({ preconditions: { uid, resourceVersion: '1' } })
      expect(await isGone()).to.equal(true)
    })
  })

  describe('options (reference 1.15)', () => {
    const cases: { name: string; options: DeleteOptions; field: string; message: string }[] = [
      {
        name: 'both policies',
        options: { propagationPolicy: 'Orphan', orphanDependents: true },
        field: 'propagationPolicy',
        message:
          'Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
      },
      {
        name: 'an unknown policy',
        options: { propagationPolicy: 'x' },
        field: 'propagationPolicy',
        message:
          'Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil"',
      },
      {
        name: 'an unknown dryRun',
        options: { dryRun: ['x'] },
        field: 'dryRun',
        message: 'Unsupported value: ["x"]: supported values: "All"',
      },
    ]
    for (const { name, options, field, message } of cases) {
      it(`${name}: 422 Invalid, before the object is read`, async () => {
        const reason = message.startsWith('Unsupported')
          ? 'FieldValueNotSupported'
          : 'FieldValueInvalid'
        expect(await refusal(remove(options))).to.deep.equal(
          failure(422, 'Invalid', `DeleteOptions.meta.k8s.io "" is invalid: ${field}: ${message}`, {
            group: 'meta.k8s.io',
            kind: 'DeleteOptions',
            causes: [{ reason, message, field }],
          }),
        )
      })
    }
  })

  describe('a kind with a grace period of thirty seconds (reference 3.5)', () => {
    const graceful: Strategy = { deletion: { graceSeconds: (_object, seconds) => seconds ?? 30 } }
    const start = Date.UTC(2030, 0, 1)
    let pods: Store

    const at = (seconds: number): string =>
      `${new Date(start + seconds * 1000).toISOString().slice(0, 19)}Z`

    beforeEach(async () => {
      pods = stores.storeOf(thingResource(graceful))
      await create(pods, thing('a'))
    })

    it('is marked with its deletion time, and one more generation', async () => {
      const deleted = await remove({}, pods)
      expect(deleted.isGone).to.equal(false)
      expect(shown(deleted).metadata).to.deep.include({
        deletionTimestamp: at(30),
        deletionGracePeriodSeconds: 30,
        generation: 2,
      })
    })
    it('is removed at once with a grace of 0', async () => {
      expect((await remove({ gracePeriodSeconds: 0 }, pods)).isGone).to.equal(true)
    })
    it('a negative grace means one second', async () => {
      const { metadata } = shown(await remove({ gracePeriodSeconds: -5 }, pods))
      expect(metadata.deletionGracePeriodSeconds).to.equal(1)
    })
    const again: {
      name: string
      first?: number
      afterSeconds: number
      grace?: number
      want: 'gone' | 'unchanged' | [number, number]
    }[] = [
      { name: 'no grace', first: 60, afterSeconds: 5, want: 'unchanged' },
      { name: 'the same grace', afterSeconds: 5, grace: 30, want: 'unchanged' },
      { name: 'a longer grace', afterSeconds: 5, grace: 90, want: 'unchanged' },
      { name: 'a shorter grace', afterSeconds: 5, grace: 10, want: [10, 10] },
      { name: 'an expired grace period', afterSeconds: 20, grace: 10, want: [20, 1] },
      { name: 'a grace of 0', afterSeconds: 5, grace: 0, want: 'gone' },
    ]
    for (const { name, first, afterSeconds, grace, want } of again) {
      it(`a second delete with ${name}: ${want.toString()} (spec meta.deletionGracePeriodSeconds, limit.deletionGracePeriodSeconds)`, async () => {
        const marked = shown(
          await remove(first === undefined ? {} : { gracePeriodSeconds: first }, pods),
        )
        stores.clock.advance(afterSeconds * 1000)
        const deleted = await remove(grace === undefined ? {} : { gracePeriodSeconds: grace }, pods)
        if (want === 'gone') expect(deleted.isGone).to.equal(true)
        else if (want === 'unchanged') expect(shown(deleted)).to.deep.equal(marked)
        else {
          expect(shown(deleted).metadata).to.deep.include({
            deletionTimestamp: at(want[0]),
            deletionGracePeriodSeconds: want[1],
            generation: 2,
          })
        }
      })
    }
    it('an update that removes the last finalizer keeps it until its grace period is over', async () => {
      await change(pods, target, ({ metadata }) => void (metadata.finalizers = ['x/one']))
      await remove({}, pods)
      await change(pods, target, ({ metadata }) => void delete metadata.finalizers)
      expect(stored(pods).metadata.deletionGracePeriodSeconds).to.equal(30)
    })
  })

  it('a kind may refuse, have its own finalizers, and change a marked object (reference 10.3)', async () => {
    const own = stores.storeOf(
      thingResource({
        deletion: {
          isHeld: (object) => object.metadata.labels?.['held'] === 'yes',
          mark: (object) => {
            object['status'] = { phase: 'Going' }
          },
        },
      }),
    )
    await create(own, thing('a', { labels: { held: 'yes' } }))
    expect(shown(await remove({}, own))['status']).to.deep.equal({ phase: 'Going' })
    await change(own, target, ({ metadata }) => void delete metadata.labels)
    expect(await isGone()).to.equal(true)
  })
})
