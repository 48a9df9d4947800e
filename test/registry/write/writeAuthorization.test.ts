import { expect } from 'chai'
import { forbidden } from '../../../apiserver/meta/statusErrors.ts'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import { clientContext, dryRun } from '../../support/contexts.ts'
import { refusal } from '../../support/refusal.ts'
import { create, openStores, put, shown, type Stores } from '../../support/stores.ts'
import { thing, thingResource } from '../../support/thing.ts'

const sizeOf = (object: ApiObject | undefined) =>
  (object?.['spec'] as { size?: number } | undefined)?.size

describe('Strategy.authorizeWrite', () => {
  let stores: Stores
  let asked: unknown[]
  let meanwhile: () => Promise<unknown>

  const things = thingResource({
    authorizeWrite: async (next, old) => {
      asked.push([sizeOf(old), sizeOf(next)])
      const first = meanwhile
      meanwhile = () => Promise.resolve()
      await first()
      if (sizeOf(next) === 13) throw forbidden({ group: '', resource: 'things' }, 'a', 'not 13')
    },
  })
  const store = () => stores.storeOf(things)

  beforeEach(async () => {
    asked = []
    meanwhile = () => Promise.resolve()
    stores = await openStores()
  })

  afterEach(() => stores.close())

  it('is called before a create and an update, and may refuse both', async () => {
    expect((await refusal(create(store(), thing('a', { spec: { size: 13 } })))).code).to.equal(403)
    await create(store(), thing('a', { spec: { size: 1 } }))
    expect((await refusal(put(store(), thing('a', { spec: { size: 13 } })))).code).to.equal(403)
    expect(asked).to.deep.equal([
      [undefined, 13],
      [undefined, 1],
      [1, 13],
    ])
  })

  it('is called for a dry run too', async () => {
    const call = create(store(), thing('a', { spec: { size: 13 } }), dryRun)
    expect((await refusal(call)).code).to.equal(403)
  })

  it("is not called for the server's own writes", async () => {
    await create(store(), thing('a', { spec: { size: 13 } }), systemContext())
    expect(asked).to.deep.equal([])
  })

  it('is called again after a concurrent write: the stored state was authorized', async () => {
    await create(store(), thing('a', { spec: { size: 1 } }))
    meanwhile = () => put(store(), thing('a', { spec: { size: 12 } }))
    const raise = (old: ApiObject): ApiObject => ({
      ...old,
      spec: { size: (sizeOf(old) ?? 0) + 1 },
    })
    const target = { namespace: 'default', name: 'a' }
    const raised = store().update(target, { transform: raise }, clientContext())
    expect((await refusal(raised)).message).to.equal('things "a" is forbidden: not 13')
    expect(asked).to.deep.equal([
      [undefined, 1],
      [1, 2],
      [1, 12],
      [12, 13],
    ])
    const lowered = await store().update(
      target,
      { transform: (old) => ({ ...old, spec: { size: 3 } }) },
      clientContext(),
    )
    expect(sizeOf(shown(lowered))).to.equal(3)
  })
})
