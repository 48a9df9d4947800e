import { expect } from 'chai'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { PlaneAccess } from '../../apiserver/apis/planeAccess.ts'
import { ownedAccessKeyResource } from '../../apiserver/apis/management/accessKeys/ownedAccessKey.ts'
import { namespaceResource } from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import { dryRun, warned } from '../support/contexts.ts'
import { FakeRandom } from '../support/fakes/fakeRandom.ts'
import { failure, refusal } from '../support/refusal.ts'
import { canonical, change, create, nameOf, put, shown, type Stores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'
import { useThings } from '../support/useThings.ts'

const target = { namespace: 'default', name: 'a' }
const details = { name: 'a', group: 'example.dev', kind: 'things' }
const modified =
  'the object has been modified; please apply your changes to the latest version and try again'

describe('Store.update', () => {
  const { current, follow } = useThings()
  let stores: Stores
  let store: Store

  beforeEach(() => {
    ;({ stores, store } = current())
  })

  it('replaces the object at a new revision and keeps fields set by the server (reference 3.3, spec meta.uid, meta.resourceVersion)', async () => {
    const old = await create(store, thing('a', { spec: { size: 1 }, labels: { x: 'y' } }))
    stores.clock.advance(60_000)
    const next = await put(store, thing('a', { spec: { size: 2 } }))
    expect(next).to.deep.equal({
      kind: 'Thing',
      apiVersion: 'example.dev/v1',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid: old.metadata.uid,
        resourceVersion: '2',
        generation: 2,
        creationTimestamp: '2030-01-01T00:00:00Z',
      },
      spec: { size: 2 },
      status: {},
    })
  })

  describe('a no-op (reference 3.3)', () => {
    const access = new PlaneAccess()
    const keyResource = ownedAccessKeyResource(defaultNames, new FakeRandom(), access, () => ({}))
    beforeEach(() => {
      access.bind({
        resources: new ResourceSet([keyResource]),
        storeOf: (resource) => stores.storeOf(resource),
        authorize: () => ({ allowed: true, reason: '' }),
      })
    })
    const kinds = [
      { name: 'a thing with everything', resource: thingResource(), object: full() },
      { name: 'a thing without spec', resource: thingResource(), object: bare() },
      {
        name: 'a namespace',
        resource: namespaceResource,
        object: clusterObject('Namespace', 'v1'),
      },
      {
        name: 'an access key',
        resource: keyResource,
        object: {
          ...clusterObject('OwnedAccessKey', 'management.platform/v1'),
          spec: { user: 'u', ttl: 5, type: 'User', displayName: 'd' },
        },
      },
    ]
    for (const { name, resource, object } of kinds) {
      it(`of ${name}, sent unchanged: same revision, no event`, async () => {
        const own = stores.storeOf(resource)
        await create(own, object)
        const { object: read, stored } = own.newest(nameOf(object))
        const changes = await follow()
        expect(await put(own, read)).to.deep.equal(read)
        expect(own.newest(nameOf(object)).stored).to.deep.equal(stored)
        expect(changes).to.deep.equal([])
      })
      it(`of ${name}, after a change: same revision, no event`, async () => {
        const own = stores.storeOf(resource)
        await create(own, object)
        const read = await change(own, nameOf(object), ({ metadata }) => {
          metadata.annotations = { b: '2', a: '1' }
        })
        const changes = await follow()
        expect(await put(own, read)).to.deep.equal(read)
        expect(changes).to.deep.equal([])
      })
    }

    it('compared with a pending write: waits for it, then returns it', async () => {
      await create(store, thing('a', { spec: { size: 1 } }))
      const write = put(store, thing('a', { spec: { size: 2 } }))
      const noOp = put(store, thing('a', { spec: { size: 2 } }))
      const [first, second] = await Promise.all([write, noOp])
      expect(second).to.deep.equal(first)
      expect(stores.storage.revision).to.equal(2)
    })

    it('in a dry run: nothing is written', async () => {
      const old = await create(store, thing('a', { spec: { size: 1 } }))
      expect(await put(store, old, dryRun)).to.deep.equal(old)
      expect(stores.storage.revision).to.equal(1)
    })
  })

  it('a dry run returns the result at the live revision and writes nothing (reference 1.14)', async () => {
    await create(store, thing('a'))
    const next = await put(store, thing('a', { spec: { size: 3 } }), dryRun)
    expect([next.metadata.resourceVersion, next.metadata.generation]).to.deep.equal(['1', 2])
    expect(store.newest(target).object['spec']).to.deep.equal({})
    expect(stores.storage.revision).to.equal(1)
  })

  it('a missing object: 404 NotFound (reference 3.3)', async () => {
    expect(await refusal(put(store, thing('a')))).to.deep.equal(
      failure(404, 'NotFound', 'things.example.dev "a" not found', details),
    )
  })

  describe('preconditions (reference 3.3)', () => {
    let uid: string | undefined

    beforeEach(async () => {
      uid = (await create(store, thing('a'))).metadata.uid
    })

    it('another UID: 409 Conflict with both UIDs', async () => {
      expect(await refusal(put(store, thing('a', { uid: 'other' })))).to.deep.equal(
        failure(
          409,
          'Conflict',
          `Operation cannot be fulfilled on things.example.dev "a": StorageError: invalid object, Code: 4, Key: /registry/things/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
          details,
        ),
      )
    })
    it('another revision: 409 Conflict without a retry (spec error.409.conflict, meta.resourceVersion, version.resourceVersion)', async () => {
      let calls = 0
      const transform = (): ApiObject => {
        calls++
        return canonical(thing('a', { resourceVersion: '7' }), store.resource)
      }
      expect(await refusal(store.update(target, { transform }, systemContext()))).to.deep.equal(
        failure(
          409,
          'Conflict',
          `Operation cannot be fulfilled on things.example.dev "a": ${modified}`,
          details,
        ),
      )
      expect(calls).to.equal(1)
    })
    it('a stale revision of the writer: 409 Conflict, before any other step', async () => {
      const transform = (): ApiObject => {
        throw new Error('not to be asked')
      }
      const update = store.update(target, { transform, resourceVersion: '7' }, systemContext())
      expect(await refusal(update)).to.deep.equal(
        failure(
          409,
          'Conflict',
          `Operation cannot be fulfilled on things.example.dev "a": ${modified}`,
          details,
        ),
      )
    })
    it('the revision before a pending write: 409 Conflict', async () => {
      const write = put(store, thing('a', { spec: { size: 2 } }))
      const late = refusal(put(store, thing('a', { spec: { size: 3 }, resourceVersion: '1' })))
      await write
      expect((await late).reason).to.equal('Conflict')
    })
    const unreadable = [
      { version: 'abc', why: 'invalid syntax' },
      { version: '-1', why: 'invalid syntax' },
      { version: '99999999999999999999', why: 'value out of range' },
    ]
    for (const { version, why } of unreadable) {
      it(`the revision ${version}: 500 without a reason, ${why}`, async () => {
        const message = `strconv.ParseUint: parsing "${version}": ${why}`
        expect(await refusal(put(store, thing('a', { resourceVersion: version })))).to.deep.equal(
          failure(500, '', message),
        )
      })
    }
    for (const resourceVersion of [undefined, '', '0']) {
      it(`the revision ${JSON.stringify(resourceVersion)}: the newest state is updated`, async () => {
        const object = thing('a', { spec: { size: 4 } })
        if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion
        expect((await put(store, object)).metadata.resourceVersion).to.equal('2')
      })
      it(`the revision ${JSON.stringify(resourceVersion)} where one is required: 422 with the resource as kind`, async () => {
        const strict = stores.storeOf(thingResource({ allowUnconditionalUpdate: false }))
        const object = thing('a')
        if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion
        const message = 'Invalid value: 0: must be specified for an update'
        const field = 'metadata.resourceVersion'
        expect(await refusal(put(strict, object))).to.deep.equal(
          failure(422, 'Invalid', `things.example.dev "a" is invalid: ${field}: ${message}`, {
            ...details,
            causes: [{ reason: 'FieldValueInvalid', message, field }],
          }),
        )
      })
    }
  })

  it('a hundred writers without a revision all succeed, one after another (reference 3.3)', async () => {
    await create(store, thing('a', { spec: { size: 0 } }))
    const addOne = (): Promise<ApiObject> =>
      change(store, target, (object) => {
        // By the schema, spec is an object with a size.
        const { size = 0 } = object['spec'] as { size?: number }
        object['spec'] = { size: size + 1 }
      })
    await Promise.all(Array.from({ length: 100 }, addOne))
    const { object } = store.newest(target)
    expect([object['spec'], object.metadata.generation]).to.deep.equal([{ size: 100 }, 101])
  })

  describe('create on update (reference 3.3)', () => {
    const request = (size: number) => ({
      transform: () => canonical(thing('a', { spec: { size } }), store.resource),
      createMissing: () => canonical(thing('a', { spec: { size } }), store.resource),
    })

    it('creates a missing object', async () => {
      const written = await store.update(target, request(1), systemContext())
      expect(written.created).to.equal(true)
      expect(shown(written).metadata).to.deep.include({ name: 'a', generation: 1 })
    })
    it('with a UID: 409 Conflict', async () => {
      expect(
        await refusal(store.update(target, { ...request(1), uid: 'u' }, systemContext())),
      ).to.deep.equal(
        failure(
          409,
          'Conflict',
          'Operation cannot be fulfilled on things.example.dev "a": StorageError: invalid object, Code: 4, Key: /registry/things/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: ',
          details,
        ),
      )
    })
    it('of two concurrent updates one creates and the other updates', async () => {
      const [first, second] = await Promise.all([
        store.update(target, request(1), systemContext()),
        store.update(target, request(2), systemContext()),
      ])
      expect([first.created, second.created]).to.deep.equal([true, false])
      expect(store.newest(target).object['spec']).to.deep.equal({ size: 2 })
    })
  })

  it('a status sent through the main resource is ignored (reference 3.3)', async () => {
    await create(store, thing('a'))
    const next = await put(store, { ...thing('a'), status: { phase: 'Done' } })
    expect([next['status'], next.metadata.resourceVersion]).to.deep.equal([{}, '1'])
  })

  it('repeated owners are dropped with a warning (reference 3.3)', async () => {
    await create(store, thing('a'))
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }
    const { context, warnings } = warned()
    const next = await put(store, thing('a', { ownerReferences: [owner, owner] }), context)
    expect(next.metadata.ownerReferences).to.deep.equal([owner])
    expect(warnings).to.deep.equal([
      '.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u',
    ])
  })

  it('calls the hooks in order, with old unchanged, and warns (reference 10.3)', async () => {
    const calls: string[] = []
    const note = (name: string) => () => {
      calls.push(name)
      return []
    }
    const own = stores.storeOf(
      thingResource({
        prepareForUpdate: note('prepareForUpdate'),
        validateUpdate: note('validateUpdate'),
        warningsOnUpdate: () => ['careful'],
        canonicalize: note('canonicalize'),
      }),
    )
    await create(own, thing('a'))
    calls.length = 0
    const { context, warnings } = warned()
    await put(own, thing('a', { spec: { size: 1 } }), context)
    expect(calls).to.deep.equal(['prepareForUpdate', 'validateUpdate', 'canonicalize'])
    expect(warnings).to.deep.equal(['careful'])
  })

  it('metadata and spec are in wire order for any input order (reference 1.10)', async () => {
    const own = stores.storeOf(
      thingResource({
        prepareForUpdate: (next) => {
          next['spec'] = { parts: { z: '1', a: '2' }, size: 1 }
        },
      }),
    )
    await create(own, thing('a', { labels: { b: '1' } }))
    const { bytes } = await own.update(target, { transform: (old) => old }, systemContext())
    const { uid } = own.newest(target).object.metadata
    expect(bytes.toString()).to.equal(
      `{"kind":"Thing","apiVersion":"example.dev/v1","metadata":{"name":"a","namespace":"default","uid":"${uid}","resourceVersion":"2","generation":2,"creationTimestamp":"2030-01-01T00:00:00Z","labels":{"b":"1"}},"spec":{"size":1,"parts":{"a":"2","z":"1"}},"status":{}}\n`,
    )
  })
})

function full(): ApiObject {
  return thing('a', {
    spec: { size: 1, color: 'red', parts: { b: '1', a: '2' } },
    labels: { z: '1', a: '2' },
    annotations: { n: 'o' },
    finalizers: ['x/one'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }],
    generateName: 'a-',
  })
}

function bare(): ApiObject {
  const { spec: _, ...rest } = thing('a')
  return rest
}

function clusterObject(kind: string, apiVersion: string): ApiObject {
  return { kind, apiVersion, metadata: { name: 'a', labels: { zz: '1', a: '2' } } }
}
