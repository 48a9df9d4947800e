import { expect } from 'chai'
import { storedAccessKey } from '../../../../apiserver/authentication/accessKeys/accessKeyForm.ts'
import { systemContext } from '../../../../apiserver/registry/systemContext.ts'
import { KeyStores } from '../../../support/accessKeys.ts'
import { clientContext, dryRun } from '../../../support/contexts.ts'
import { failure, refusal } from '../../../support/refusal.ts'

const taken = failure(
  422,
  'Invalid',
  'OwnedAccessKey.management.platform "eves" is invalid: spec.key: Duplicate value: "REDACTED"',
  {
    name: 'eves',
    group: 'management.platform',
    kind: 'OwnedAccessKey',
    causes: [
      {
        reason: 'FieldValueDuplicate',
        message: 'Duplicate value: "REDACTED"',
        field: 'spec.key',
      },
    ],
  },
)

describe('the value of an access key', () => {
  let world: KeyStores

  beforeEach(async () => {
    world = await KeyStores.open()
    await world.addKey('janes', { user: 'jane', key: 'secret' })
  })

  afterEach(() => world.close())

  const make = (name: string, key: string, context = clientContext()) =>
    world.addKey(name, { user: 'eve', key }, context)

  for (const [what, value] of [
    ['as it is', 'secret'],
    ['as its digest', storedAccessKey('secret')],
  ] as const) {
    it(`that another key has, given ${what}, is refused with 422 without revealing value or owner`, async () => {
      expect(await refusal(make('eves', value))).to.deep.equal(taken)
      expect(await refusal(make('eves', value, dryRun))).to.deep.equal(taken)
    })

    it(`that another key has, ${what} in an update, is refused with 422 and the old value stays`, async () => {
      await make('eves', 'other')
      expect(await refusal(world.setAs(clientContext(), 'eves', { key: value }))).to.deep.equal(
        taken,
      )
      const { object } = world.keys.newest({ namespace: '', name: 'eves' })
      expect(object['spec']).to.deep.equal({ user: 'eve', key: storedAccessKey('other') })
    })
  }

  it('goes to one of two concurrent requests', async () => {
    const made = await Promise.allSettled([make('one', 'new'), make('two', 'new')])
    expect(made.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected'])
  })

  it('is free after a dry run and after a failed write', async () => {
    await make('eves', 'new', dryRun)
    expect((await refusal(make('janes', 'new'))).reason).to.equal('AlreadyExists')
    await make('eves', 'new')
  })

  it('is free once its key was deleted or has another value', async () => {
    await world.setAs(clientContext(), 'janes', { key: 'changed' })
    await make('eves', 'secret')
    await world.keys.delete({ namespace: '', name: 'janes' }, {}, clientContext())
    await make('more', 'changed')
  })

  it("may be written again by its own key; creating under that key's name is AlreadyExists", async () => {
    await world.setAs(clientContext(), 'janes', { key: 'secret', displayName: 'Mine' })
    expect((await refusal(make('janes', 'secret'))).reason).to.equal('AlreadyExists')
  })

  it('shared by two existing keys stays when other fields change', async () => {
    await world.addKey('copy', { user: 'jane', key: 'secret' }, systemContext())
    await world.setAs(clientContext(), 'copy', { displayName: 'Copy' })
    await world.setAs(clientContext(), 'janes', { displayName: 'First' })
  })
})
