import { expect } from 'chai'
import {
  ProviderRecords,
  type ProviderRecord,
} from '../../../apiserver/platform/identityProvider/providerRecords.ts'
import { openStores, type Stores } from '../../support/stores.ts'
import { thingResource } from '../../support/thing.ts'
import { waitUntil } from '../../support/waitUntil.ts'

describe('ProviderRecords', () => {
  let stores: Stores
  let records: ProviderRecords
  const resource = thingResource()
  const report = (error: unknown) => {
    throw error
  }

  beforeEach(async () => {
    stores = await openStores()
    records = await opened()
  })
  afterEach(async () => {
    records.stop()
    await stores.close()
  })

  const opened = async () => {
    const { clock } = stores
    const made = new ProviderRecords({ beside: stores.storeOf(resource), clock, report })
    await made.start()
    return made
  }
  const record = (model: string, payload: ProviderRecord['payload'], lifeMs = 1000) => ({
    ...{ model, payload },
    expiresAt: stores.clock.now() + lifeMs,
    generation: undefined,
    keyUid: undefined,
  })

  it('returns stored records until they expire, also after a restart', async () => {
    const code = record('AuthorizationCode', { grantId: 'g', clientId: 'c' })
    await records.put('a', code)
    expect(records.get('a')).to.deep.equal(code)
    records.stop()
    records = await opened()
    expect(records.get('a')).to.deep.equal(code)
    expect(records.ofGrant('g')).to.deep.equal([code])
    stores.clock.jumpTo(code.expiresAt - 1)
    expect(records.get('a')).to.deep.equal(code)
    stores.clock.jumpTo(code.expiresAt)
    expect(records.get('a')).to.equal(undefined)
  })

  it('removes only expired records from the storage', async () => {
    await records.put('short', record('AccessToken', {}, 1000))
    await records.put('long', record('AccessToken', {}, 10 * 60_000))
    const keys = async () =>
      (await stores.storage.list({ prefix: '/test/internal/' })).items.map(({ key }) =>
        key.slice(key.lastIndexOf('/') + 1),
      )
    expect(await keys()).to.deep.equal(['long', 'short'])
    stores.clock.advance(59_999)
    expect(records.count('AccessToken')).to.equal(2)
    stores.clock.advance(1)
    await waitUntil(() => records.count('AccessToken') === 1)
    expect(await keys()).to.deep.equal(['long'])
    stores.clock.advance(10 * 60_000)
    await waitUntil(() => records.count('AccessToken') === 0)
    expect(await keys()).to.deep.equal([])
  })

  it('leaves no timer behind', () => {
    const { timers } = stores.clock
    records.stop()
    expect(stores.clock.timers).to.equal(timers - 1)
  })

  it('removes all records of a grant', async () => {
    await records.put('code', record('AuthorizationCode', { grantId: 'g' }))
    await records.put('token', record('AccessToken', { grantId: 'g' }))
    await records.put('other', record('AccessToken', { grantId: 'h' }))
    await records.removeGrant('g')
    expect(['code', 'token', 'other'].map((name) => records.get(name)?.model)).to.deep.equal([
      undefined,
      undefined,
      'AccessToken',
    ])
    expect(records.ofGrant('g')).to.deep.equal([])
  })

  it('finds a session by its second id, which outlives the first', async () => {
    await records.put('one', record('Session', { uid: 'u' }))
    expect(records.nameOfUid('u')).to.equal('one')
    await records.put('two', record('Session', { uid: 'u' }))
    await records.remove('one')
    expect(records.nameOfUid('u')).to.equal('two')
    await records.remove('two')
    expect(records.nameOfUid('u')).to.equal(undefined)
  })

  it('serializes changes on the newest state', async () => {
    await records.put('code', record('AuthorizationCode', { grantId: 'g' }))
    let first = 0
    const consume = () =>
      records.change('code', (old) => {
        if (old.payload.consumed === undefined) first++
        return { ...old, payload: { ...old.payload, consumed: 1 } }
      })
    await Promise.all([consume(), consume(), consume()])
    expect(first).to.equal(1)
  })

  it('ignores records deleted before', async () => {
    await records.remove('nothing')
    await records.removeGrant('nothing')
  })
})
