import { expect } from 'chai'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import type { Change } from '../../apiserver/storage/storage.ts'
import { PlaneAccess } from '../../apiserver/apis/planeAccess.ts'
import { ownedAccessKeyResource } from '../../apiserver/apis/management/accessKeys/ownedAccessKey.ts'
import { namespaceResource } from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import { dryRun, warned } from '../support/contexts.ts'
import { FakeRandom } from '../support/fakes/fakeRandom.ts'
import { failure, refusal } from '../support/refusal.ts'
import {
  canonical,
  change,
  create,
  nameOf,
  openStores,
  put,
  shown,
  type Stores,
} from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'

const target = { namespace: 'default', name: 'a' }
const details = { name: 'a', group: 'example.dev', kind: 'things' }
const modified =
  'the object has been modified; please apply your changes to the latest version and try again'

describe('Store.update', () => {
  let stores: Stores
  let store: Store

  beforeEach(async () => {
    stores = await openStores()
    store = stores.storeOf(thingResource())
  })

  afterEach(() => stores.close())

  /** All later changes of the storage. */
  async function follow(): Promise<Change[]> {
    const changes: Change[] = []
    await stores.storage.watch('', stores.storage.revision, (some) => changes.push(...some))
    return changes
  }

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

  describe('generation (reference 3.4)', () => {
    const cases = [
      { name: 'spec', generation: 'spec', edit: setSize, want: 2 },
      { name: 'labels', generation: 'spec', edit: setLabel, want: 1 },
      { name: 'annotations', generation: 'spec', edit: setAnnotation, want: 1 },
      { name: 'what a client sends', generation: 'spec', edit: setGeneration, want: 1 },
      {
        name: 'annotations of a kind that counts them',
        generation: 'specAndAnnotations',
        edit: setAnnotation,
        want: 2,
      },
      { name: 'spec of a kind without', generation: 'none', edit: setSize, want: undefined },
    ] as const
    for (const { name, generation, edit, want } of cases) {
      it(`after a change of ${name}: ${want} (spec meta.generation, version.generation)`, async () => {
        const own = stores.storeOf(thingResource({ generation }))
        await create(own, thing('a'))
        expect((await change(own, target, edit)).metadata.generation).to.equal(want)
      })
    }
  })

  it('a status sent through the main resource is ignored (reference 3.3)', async () => {
    await create(store, thing('a'))
    const next = await put(store, { ...thing('a'), status: { phase: 'Done' } })
    expect([next['status'], next.metadata.resourceVersion]).to.deep.equal([{}, '1'])
  })

  describe('immutable metadata (reference 3.10)', () => {
    const cases = [
      // A refusal names the object as it was sent.
      {
        field: 'name',
        value: 'b',
        name: 'b',
        edit: (o: ApiObject) => void (o.metadata.name = 'b'),
      },
      { field: 'uid', value: 'x', edit: (o: ApiObject) => void (o.metadata.uid = 'x') },
      {
        field: 'deletionTimestamp',
        value: '2030-01-01T00:00:00Z',
        edit: (o: ApiObject) => void (o.metadata.deletionTimestamp = '2030-01-01T00:00:00Z'),
      },
      {
        field: 'deletionGracePeriodSeconds',
        value: 5,
        edit: (o: ApiObject) => void (o.metadata.deletionGracePeriodSeconds = 5),
      },
    ]
    for (const { field, value, edit, name = 'a' } of cases) {
      it(`${field}: 422 Invalid (spec meta.deletionTimestamp, meta.deletionGracePeriodSeconds)`, async () => {
        await create(store, thing('a'))
        const message = `Invalid value: ${JSON.stringify(value)}: field is immutable`
        const path = `metadata.${field}`
        expect(await refusal(change(store, target, edit))).to.deep.equal(
          failure(422, 'Invalid', `Thing.example.dev "${name}" is invalid: ${path}: ${message}`, {
            name,
            group: 'example.dev',
            kind: 'Thing',
            causes: [{ reason: 'FieldValueInvalid', message, field: path }],
          }),
        )
      })
    }
    it('a value from the client is ignored (spec meta.creationTimestamp)', async () => {
      await create(store, thing('a'))
      const next = await put(store, thing('a', { creationTimestamp: '2000-01-01T00:00:00Z' }))
      expect(next.metadata.creationTimestamp).to.equal('2030-01-01T00:00:00Z')
    })
    it('the namespace of another request: 400 BadRequest (reference 1.16, spec meta.namespace)', async () => {
      await create(store, thing('a'))
      const transform = () => canonical(thing('a', { namespace: 'b' }), store.resource)
      expect(await refusal(store.update(target, { transform }, systemContext()))).to.deep.equal(
        failure(
          400,
          'BadRequest',
          'the namespace of the provided object does not match the namespace sent on the request',
        ),
      )
    })
  })

  describe('while the object is being deleted (reference 3.5)', () => {
    beforeEach(async () => {
      await create(store, thing('a', { finalizers: ['x/one', 'x/two'] }))
      await store.delete(target, {}, systemContext())
    })

    it('a new finalizer: 422 Invalid, Forbidden (spec meta.finalizers.deleting)', async () => {
      const message =
        'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/a", "x/z"}'
      const edit = ({ metadata }: ApiObject) => {
        metadata.finalizers = ['x/one', 'x/z', 'x/a', 'x/z']
      }
      expect(await refusal(change(store, target, edit))).to.deep.equal(
        failure(
          422,
          'Invalid',
          `Thing.example.dev "a" is invalid: metadata.finalizers: ${message}`,
          {
            name: 'a',
            group: 'example.dev',
            kind: 'Thing',
            causes: [{ reason: 'FieldValueForbidden', message, field: 'metadata.finalizers' }],
          },
        ),
      )
    })
    it('other changes are allowed', async () => {
      const next = await change(store, target, setSize)
      expect(next.metadata).to.deep.include({ generation: 3, resourceVersion: '3' })
    })
    it('a client cannot undo the deletion (spec meta.deletionTimestamp)', async () => {
      const next = await change(store, target, ({ metadata }) => {
        delete metadata.deletionTimestamp
        delete metadata.deletionGracePeriodSeconds
        metadata.labels = { kept: 'yes' }
      })
      expect(next.metadata).to.deep.include({
        deletionTimestamp: '2030-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 0,
      })
    })
    it('one finalizer less: still exists', async () => {
      const next = await change(store, target, ({ metadata }) => {
        metadata.finalizers = ['x/two']
      })
      expect(next.metadata.finalizers).to.deep.equal(['x/two'])
      expect(store.newest(target).object).to.deep.equal(next)
    })
    it('the last finalizer: the object as submitted, then DELETED without MODIFIED (spec meta.finalizers, meta.deletionTimestamp.finalizers)', async () => {
      const changes = await follow()
      const next = await change(store, target, ({ metadata }) => {
        delete metadata.finalizers
      })
      expect(next.metadata.finalizers).to.equal(undefined)
      expect(next.metadata.resourceVersion).to.equal('2')
      expect(changes.map(({ revision, value }) => ({ revision, value }))).to.deep.equal([
        { revision: 3, value: undefined },
      ])
      expect((await refusal(() => store.newest(target))).reason).to.equal('NotFound')
    })
    it('the last finalizer in a dry run: still exists', async () => {
      const transform = (old: ApiObject): ApiObject => {
        delete old.metadata.finalizers
        return old
      }
      await store.update(target, { transform }, dryRun)
      expect(store.newest(target).object.metadata.finalizers).to.deep.equal(['x/one', 'x/two'])
    })
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

function setSize(object: ApiObject): void {
  object['spec'] = { size: 9 }
}

function setLabel({ metadata }: ApiObject): void {
  metadata.labels = { changed: 'yes' }
}

function setAnnotation({ metadata }: ApiObject): void {
  metadata.annotations = { changed: 'yes' }
}

function setGeneration({ metadata }: ApiObject): void {
  metadata.generation = 40
}

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
