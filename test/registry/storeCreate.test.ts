import { expect } from 'chai'
import { invalidField } from '../../apiserver/meta/fieldErrors.ts'
import { forbidden } from '../../apiserver/meta/statusErrors.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import type { Strategy } from '../../apiserver/registry/strategy.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { dryRun, warned } from '../support/contexts.ts'
import { FakeRandom } from '../support/fakes/fakeRandom.ts'
import { failure, refusal } from '../support/refusal.ts'
import { canonical, create, openStores, put, type Stores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'

const details = { name: 'a', group: 'example.dev', kind: 'things' }

/** Makes every generated name end in `bbbbb`, until `bytesLeft` bytes are used. */
class ZeroRandom extends FakeRandom {
  bytesTaken = 0
  #bytesLeft: number

  constructor(bytesLeft = Infinity) {
    super()
    this.#bytesLeft = bytesLeft
  }

  override bytes(count: number): Buffer {
    this.bytesTaken += count
    this.#bytesLeft -= count
    return this.#bytesLeft >= 0 ? Buffer.alloc(count) : super.bytes(count)
  }

  override uuid(): string {
    return '00000000-0000-4000-8000-000000000000'
  }
}

describe('Store.create', () => {
  let stores: Stores
  let store: Store

  beforeEach(async () => {
    stores = await openStores()
    store = stores.storeOf(thingResource())
  })

  afterEach(() => stores.close())

  it('uses the key prefix, group, resource, namespace and name (reference 10.4)', async () => {
    const cluster = stores.storeOf({ ...thingResource(), group: '', namespaced: false })
    await create(store, thing('a'))
    await create(cluster, { ...thing('b'), apiVersion: 'v1', metadata: { name: 'b' } })
    const { items } = await stores.storage.list({ prefix: '/test/' })
    expect(items.map(({ key }) => key)).to.deep.equal([
      '/test/core/things/b',
      '/test/example.dev/things/default/a',
    ])
  })

  it('fills the system metadata and resets the status (reference 3.1, spec meta.uid, meta.creationTimestamp)', async () => {
    const created = await create(store, {
      ...thing('a', { generation: 7, labels: { x: 'y' }, finalizers: ['x/one'] }),
      status: { phase: 'Done' },
    })
    const { uid } = created.metadata
    expect(uid).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    expect(created).to.deep.equal({
      kind: 'Thing',
      apiVersion: 'example.dev/v1',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid,
        resourceVersion: '1',
        generation: 1,
        creationTimestamp: '2030-01-01T00:00:00Z',
        labels: { x: 'y' },
        finalizers: ['x/one'],
      },
      spec: {},
      status: {},
    })
  })

  it('returns the stored bytes with a trailing line feed (reference 1.10)', async () => {
    const { bytes, created } = await store.create(
      canonical(thing('a'), store.resource),
      systemContext(),
    )
    const { stored, object } = store.newest({ namespace: 'default', name: 'a' })
    expect([bytes.equals(stored.value), created]).to.deep.equal([true, true])
    expect(bytes.toString()).to.equal(`${JSON.stringify(object)}\n`)
  })

  it('keeps the sent generation for a kind without generations (reference 3.4)', async () => {
    const created = await create(
      stores.storeOf(thingResource({ generation: 'none' })),
      thing('a', { generation: 3 }),
    )
    expect(created.metadata.generation).to.equal(3)
  })

  it('uses one counter for creations, updates and deletions of every kind (reference 4.7)', async () => {
    const revisions = [
      (await create(store, thing('a'))).metadata.resourceVersion,
      (await put(store, thing('a', { spec: { size: 1 } }))).metadata.resourceVersion,
      (await create(store, thing('b'))).metadata.resourceVersion,
    ]
    await store.delete({ namespace: 'default', name: 'a' }, {}, systemContext())
    revisions.push((await create(store, thing('a'))).metadata.resourceVersion)
    expect(revisions).to.deep.equal(['1', '2', '3', '5'])
  })

  describe('an existing name (reference 3.1)', () => {
    const message = 'things.example.dev "a" already exists'

    it('409 AlreadyExists (spec meta.name)', async () => {
      await create(store, thing('a'))
      expect(await refusal(create(store, thing('a')))).to.deep.equal(
        failure(409, 'AlreadyExists', message, details),
      )
    })
    it('of a pending create: 409 AlreadyExists', async () => {
      const first = create(store, thing('a'))
      expect((await refusal(create(store, thing('a')))).message).to.equal(message)
      await first
    })
    it('in a dry run: 409 AlreadyExists', async () => {
      await create(store, thing('a'))
      expect(await refusal(create(store, thing('a'), dryRun))).to.deep.equal(
        failure(409, 'AlreadyExists', message, details),
      )
    })
    it('of an object being deleted: the message says so', async () => {
      await create(store, thing('a', { finalizers: ['x/one'] }))
      await store.delete({ namespace: 'default', name: 'a' }, {}, systemContext())
      expect(await refusal(create(store, thing('a')))).to.deep.equal(
        failure(409, 'AlreadyExists', `object is being deleted: ${message}`, details),
      )
    })
    it('in another namespace is free (spec meta.name)', async () => {
      await create(store, thing('a'))
      const other = await create(store, thing('a', { namespace: 'other' }))
      expect(other.metadata.namespace).to.equal('other')
    })
  })

  describe('generateName (reference 3.2)', () => {
    const unique = 'the server was not able to generate a unique name for the object'

    it('appends five characters and is kept (spec meta.generateName)', async () => {
      const { metadata } = await create(store, thing('', { generateName: 'web-' }))
      expect(metadata.name).to.match(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
      expect(metadata.generateName).to.equal('web-')
    })
    it('truncates a prefix of sixty characters to 58 (spec meta.generateName.truncated)', async () => {
      const { metadata } = await create(store, thing('', { generateName: 'a'.repeat(60) }))
      expect(metadata.name).to.match(/^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    })
    it('is ignored if there is a name (spec meta.generateName)', async () => {
      const { metadata } = await create(store, thing('a', { generateName: 'web-' }))
      expect(metadata.name).to.equal('a')
    })
    it('retries when the name exists', async () => {
      // Ten bytes per name: the first name is that of `web-bbbbb`, the second a different one.
      const own = await openStores({ random: new ZeroRandom(10) })
      const things = own.storeOf(thingResource())
      await create(things, thing('web-bbbbb'))
      const { metadata } = await create(things, thing('', { generateName: 'web-' }))
      expect(metadata.name).to.match(/^web-(?!bbbbb)/)
      await own.close()
    })
    it('after eight existing names: 409 AlreadyExists, to be retried in a second (spec error.409)', async () => {
      const random = new ZeroRandom()
      const own = await openStores({ random })
      const things = own.storeOf(thingResource())
      await create(things, thing('web-bbbbb'))
      const before = random.bytesTaken
      expect(await refusal(create(things, thing('', { generateName: 'web-' })))).to.deep.equal(
        failure(409, 'AlreadyExists', `things.example.dev "web-bbbbb" already exists, ${unique}`, {
          ...details,
          name: 'web-bbbbb',
          retryAfterSeconds: 1,
        }),
      )
      // Ten per name.
      expect(random.bytesTaken - before).to.equal(80)
      await own.close()
    })
    it('with an existing name: the same message', async () => {
      await create(store, thing('a'))
      expect(await refusal(create(store, thing('a', { generateName: 'web-' })))).to.deep.equal(
        failure(409, 'AlreadyExists', `things.example.dev "a" already exists, ${unique}`, {
          ...details,
          retryAfterSeconds: 1,
        }),
      )
    })
    it('with the name of an object being deleted: the message says both', async () => {
      await create(store, thing('a', { finalizers: ['x/one'] }))
      await store.delete({ namespace: 'default', name: 'a' }, {}, systemContext())
      const { message } = await refusal(create(store, thing('a', { generateName: 'web-' })))
      expect(message).to.equal(
        `object is being deleted: things.example.dev "a" already exists, ${unique}`,
      )
    })
    it('neither name nor prefix: 422 Invalid (spec meta.name, object.required)', async () => {
      const message = 'Required value: name or generateName is required'
      expect(await refusal(create(store, thing('')))).to.deep.equal(
        failure(422, 'Invalid', `Thing.example.dev "" is invalid: metadata.name: ${message}`, {
          group: 'example.dev',
          kind: 'Thing',
          causes: [{ reason: 'FieldValueRequired', message, field: 'metadata.name' }],
        }),
      )
    })
    it('two hundred concurrent creates get two hundred names', async () => {
      const all = await Promise.all(
        Array.from({ length: 200 }, () => create(store, thing('', { generateName: 'web-' }))),
      )
      expect(new Set(all.map(({ metadata }) => metadata.name)).size).to.equal(200)
    })
  })

  describe('BeforeCreate (reference 3.1)', () => {
    const kindOf = (strategy: Strategy): Store => stores.storeOf(thingResource(strategy))

    it('calls the hooks in order (reference 10.3)', async () => {
      const calls: string[] = []
      const note = (name: string) => () => {
        calls.push(name)
        return []
      }
      const { context, warnings } = warned()
      const own = kindOf({
        prepareForCreate: note('prepareForCreate'),
        validate: note('validate'),
        warningsOnCreate: () => ['careful'],
        canonicalize: note('canonicalize'),
      })
      await create(own, thing('a'), context)
      expect(calls).to.deep.equal(['prepareForCreate', 'validate', 'canonicalize'])
      expect(warnings).to.deep.equal(['careful'])
    })
    it('validates common metadata only if the kind reported nothing', async () => {
      const validate = (object: ApiObject) =>
        object['spec'] === undefined ? [] : [invalidField('spec', 1, 'no')]
      const { details: found } = await refusal(create(kindOf({ validate }), thing('A')))
      expect(found?.causes?.map(({ field }) => field)).to.deep.equal(['spec'])
    })
    it('a value of the wrong type: 422 Invalid, before hooks that rely on types', async () => {
      const prepareForCreate = (object: ApiObject): void => {
        // By the schema, spec is an object.
        const spec = object['spec'] as { color?: string }
        spec.color = spec.color?.toUpperCase() ?? ''
      }
      const own = kindOf({ prepareForCreate })
      for (const spec of ['text', 5, true, { color: 5 }]) {
        const refused = await refusal(create(own, { ...thing('a'), spec }))
        expect([refused.code, refused.reason]).to.deep.equal([422, 'Invalid'])
      }
    })
    it('a name that is too long: 422 Invalid', async () => {
      const message =
        'Invalid value: "' + 'a'.repeat(254) + '": must be no more than 253 characters'
      const refused = await refusal(create(store, thing('a'.repeat(254))))
      expect(refused.details?.causes).to.deep.equal([
        { reason: 'FieldValueInvalid', message, field: 'metadata.name' },
      ])
    })
  })

  it('a dry run returns the object without a revision and writes nothing (reference 1.14)', async () => {
    const created = await create(store, thing('a'), dryRun)
    expect(created.metadata).to.deep.equal({
      name: 'a',
      namespace: 'default',
      uid: created.metadata.uid,
      generation: 1,
      creationTimestamp: '2030-01-01T00:00:00Z',
    })
    expect(stores.storage.revision).to.equal(0)
  })

  it('admission runs in the turn of the write, and its refusal precedes validation errors (reference 3.1)', async () => {
    const refused = forbidden({ group: '', resource: 'things' }, 'a', 'not now')
    const own = await openStores({
      admit: () => {
        throw refused
      },
    })
    const things = own.storeOf(thingResource())
    expect(await refusal(create(things, thing('a')))).to.deep.equal(refused.toStatus())
    expect(await refusal(create(things, thing('A', { spec: { size: 'big' } })))).to.deep.equal(
      refused.toStatus(),
    )
    await own.close()
  })

  it('what is shown to the creator is not stored (reference 10.3)', async () => {
    const own = stores.storeOf(
      thingResource({
        revealToCreator: (created) => {
          created['secret'] = 'once'
        },
      }),
    )
    expect(await create(own, thing('a'))).to.have.property('secret', 'once')
    expect(own.newest({ namespace: 'default', name: 'a' }).object).to.not.have.property('secret')
  })
})
