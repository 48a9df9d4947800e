import { expect } from 'chai'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { dryRun } from '../support/contexts.ts'
import { failure, refusal } from '../support/refusal.ts'
import { canonical, change, create, put, type Stores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'
import { useThings } from '../support/useThings.ts'

const target = { namespace: 'default', name: 'a' }

describe('Store.update and metadata', () => {
  const { current, follow } = useThings()
  let stores: Stores
  let store: Store

  beforeEach(() => {
    ;({ stores, store } = current())
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
