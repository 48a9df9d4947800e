import { expect } from 'chai'
import { namespaceResource } from '../../../../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import type { ApiObject } from '../../../../../apiserver/meta/types.ts'
import { subresourceStrategy } from '../../../../../apiserver/registry/resource.ts'
import type { Store } from '../../../../../apiserver/registry/store.ts'
import { systemContext } from '../../../../../apiserver/registry/systemContext.ts'
import { tableRow } from '../../../../../apiserver/registry/table.ts'
import { failure, refusal } from '../../../../support/refusal.ts'
import {
  canonical,
  create,
  openStores,
  put,
  shown,
  type Stores,
} from '../../../../support/stores.ts'

const target = { namespace: '', name: 'a' }

function namespace(name: string, rest: Record<string, unknown> = {}): ApiObject {
  return { kind: 'Namespace', apiVersion: 'v1', metadata: { name }, ...rest }
}

describe('namespaces', () => {
  let stores: Stores
  let store: Store

  beforeEach(async () => {
    stores = await openStores()
    store = stores.storeOf(namespaceResource)
  })

  afterEach(() => stores.close())

  const remove = (name = 'a') => store.delete({ namespace: '', name }, {}, systemContext())

  const through = (name: string, transform: (old: ApiObject) => ApiObject) => {
    const strategy = subresourceStrategy(namespaceResource, name)
    if (strategy === undefined) throw new Error(`there is no subresource ${name}`)
    return store.update(target, { transform, strategy }, systemContext())
  }

  it('are created Active, with finalizer and name label, and without a generation', async () => {
    const made = await create(store, namespace('a', { status: { phase: 'Terminating' } }))
    expect(made).to.deep.equal({
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: {
        name: 'a',
        uid: made.metadata.uid,
        resourceVersion: '1',
        creationTimestamp: '2030-01-01T00:00:00Z',
        labels: { 'kubernetes.io/metadata.name': 'a' },
      },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
  })

  it('keep the finalizers that they are created with', async () => {
    const made = await create(store, namespace('a', { spec: { finalizers: ['x/one'] } }))
    expect(made['spec']).to.deep.equal({ finalizers: ['x/one', 'kubernetes'] })
  })

  it('a finalizer without a domain is refused (reference 2.5)', async () => {
    const { details } = await refusal(
      create(store, namespace('a', { spec: { finalizers: ['x'] } })),
    )
    expect(details?.causes).to.deep.equal([
      {
        reason: 'FieldValueInvalid',
        field: 'spec.finalizers',
        message:
          'Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
      },
    ])
  })

  it('keep spec and name label when replaced', async () => {
    await create(store, namespace('a'))
    const next = await put(store, namespace('a', { spec: { finalizers: ['x/one'] } }))
    expect([next['spec'], next.metadata.labels, next.metadata.resourceVersion]).to.deep.equal([
      { finalizers: ['kubernetes'] },
      { 'kubernetes.io/metadata.name': 'a' },
      '1',
    ])
  })

  for (const spec of ['text', { finalizers: 'text' }, { finalizers: 5 }]) {
    it(`with the spec ${JSON.stringify(spec)}: 422 Invalid`, async () => {
      const refused = await refusal(create(store, namespace('a', { spec })))
      expect([refused.code, refused.reason]).to.deep.equal([422, 'Invalid'])
    })
  }

  it('a name with dots is refused with 422 Invalid (reference 3.10)', async () => {
    expect((await refusal(create(store, namespace('a.b')))).details?.causes).to.deep.equal([
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "a.b": must not contain dots',
        field: 'metadata.name',
      },
    ])
  })

  describe('deletion (reference 3.5)', () => {
    beforeEach(() => create(store, namespace('a')))

    it('marks them Terminating, without a generation', async () => {
      const deleted = await remove()
      expect(deleted.isGone).to.equal(false)
      const { metadata, status } = shown(deleted)
      expect(status).to.deep.equal({ phase: 'Terminating' })
      expect(metadata).to.deep.include({ deletionTimestamp: '2030-01-01T00:00:00Z' })
      expect(metadata).to.not.have.property('generation')
    })
    it('returns the unchanged object the second time', async () => {
      const first = shown(await remove())
      const second = await remove()
      expect([shown(second), second.isGone]).to.deep.equal([first, false])
    })
    for (const name of ['default', 'kube-system', 'kube-public']) {
      it(`of ${name}: 403 Forbidden`, async () => {
        await create(store, namespace(name))
        expect(await refusal(remove(name))).to.deep.equal(
          failure(
            403,
            'Forbidden',
            `namespaces "${name}" is forbidden: this namespace may not be deleted`,
            { name, kind: 'namespaces' },
          ),
        )
      })
    }
    it('ends when the finalize subresource takes the last finalizer', async () => {
      await remove()
      await through('finalize', (old) => ({ ...old, spec: {} }))
      expect((await refusal(() => store.newest(target))).reason).to.equal('NotFound')
    })
    it('waits for finalizers in metadata too', async () => {
      await put(store, { ...namespace('a'), metadata: { name: 'a', finalizers: ['x/one'] } })
      await remove()
      await through('finalize', (old) => ({ ...old, spec: {} }))
      expect(store.newest(target).object.metadata.finalizers).to.deep.equal(['x/one'])
      const transform = (old: ApiObject) =>
        canonical({ ...old, metadata: { ...old.metadata, finalizers: [] } }, namespaceResource)
      await store.update(target, { transform }, systemContext())
      expect((await refusal(() => store.newest(target))).reason).to.equal('NotFound')
    })
  })

  it('the status subresource changes only the status, and defaults the phase', async () => {
    await create(store, namespace('a'))
    const conditions = [{ type: 'Kept', status: 'True' }]
    const written = await through('status', (old) => ({
      ...old,
      spec: { finalizers: [] },
      status: { conditions },
    }))
    const { spec, status } = shown(written)
    expect([spec, status]).to.deep.equal([
      { finalizers: ['kubernetes'] },
      { phase: 'Active', conditions: [{ ...conditions[0], lastTransitionTime: null }] },
    ])
  })

  for (const { isDeleting, phase, allowed } of [
    { isDeleting: false, phase: 'Weird', allowed: "'Active' if `deletionTimestamp` is empty" },
    {
      isDeleting: false,
      phase: 'Terminating',
      allowed: "'Active' if `deletionTimestamp` is empty",
    },
    {
      isDeleting: true,
      phase: 'Active',
      allowed: "'Terminating' if `deletionTimestamp` is not empty",
    },
    {
      isDeleting: true,
      phase: 'Weird',
      allowed: "'Terminating' if `deletionTimestamp` is not empty",
    },
  ]) {
    it(`the status subresource refuses the phase ${phase} of a namespace that is ${isDeleting ? 'being deleted' : 'active'}`, async () => {
      await create(store, namespace('a'))
      if (isDeleting) await remove()
      const write = through('status', (old) => ({ ...old, status: { phase } }))
      const { details } = await refusal(write)
      expect(details?.causes).to.deep.equal([
        {
          reason: 'FieldValueInvalid',
          message: `Invalid value: "${phase}": may only be ${allowed}`,
          field: 'status.Phase',
        },
      ])
    })
  }

  it('the finalize subresource does not change the status', async () => {
    await create(store, namespace('a'))
    const written = await through('finalize', (old) => ({
      ...old,
      spec: { finalizers: ['kubernetes', 'x/one'] },
      status: { phase: 'Odd' },
    }))
    const { spec, status } = shown(written)
    expect([spec, status]).to.deep.equal([
      { finalizers: ['kubernetes', 'x/one'] },
      { phase: 'Active' },
    ])
  })

  it('the table shows name, status and age (reference 8.1)', async () => {
    const made = await create(store, namespace('a'))
    const { cells } = tableRow(made, namespaceResource, {
      include: 'None',
      nowMs: stores.clock.now() + 5_000,
    })
    expect(cells).to.deep.equal(['a', 'Active', '5s'])
  })

  it('can be selected by phase, but not by unrelated fields', async () => {
    const made = await create(store, namespace('a'))
    expect(store.fieldsOf(made)).to.deep.equal({ 'status.phase': 'Active' })
  })
})
