import { expect } from 'chai'
import { errors } from 'oidc-provider'
import { ProviderAccounts } from '../../../apiserver/platform/identityProvider/accounts.ts'
import { ProviderAdapter } from '../../../apiserver/platform/identityProvider/adapter.ts'
import type { ProviderServices } from '../../../apiserver/platform/identityProvider/providerServices.ts'
import { ProviderRecords } from '../../../apiserver/platform/identityProvider/providerRecords.ts'
import { RefreshKeys } from '../../../apiserver/platform/identityProvider/refreshKeys.ts'
import { openStores, type Stores } from '../../support/stores.ts'
import { thingResource } from '../../support/thing.ts'

describe('ProviderAdapter', () => {
  let stores: Stores
  let records: ProviderRecords
  let adapterOf: (model: string) => ProviderAdapter

  beforeEach(async () => {
    stores = await openStores()
    const { clock } = stores
    const report = () => undefined
    records = new ProviderRecords({ beside: stores.storeOf(thingResource()), clock, report })
    await records.start()
    // Records without an account need no lookup.
    const services = {} as ProviderServices
    const accounts = new ProviderAccounts(services)
    const refreshKeys = new RefreshKeys(services)
    const all = { records, accounts, refreshKeys, clock, errors }
    adapterOf = (model) => new ProviderAdapter(model, all)
  })
  afterEach(async () => {
    records.stop()
    await stores.close()
  })

  const stored = async () => {
    const { items } = await stores.storage.list({ prefix: '/test/internal/' })
    return items.map(({ key, value }) => `${key} ${value.toString()}`).join('\n')
  }

  it('stores no credential in clear', async () => {
    await adapterOf('Session').upsert('a-session', { jti: 'a-session', uid: 'u' }, 60)
    const interaction = { jti: 'an-interaction', session: { uid: 'u', cookie: 'a-session' } }
    await adapterOf('Interaction').upsert('an-interaction', interaction, 60)
    expect(await stored()).not.to.match(/a-session|an-interaction/)
    expect(await adapterOf('Session').find('a-session')).to.deep.equal({
      jti: 'a-session',
      uid: 'u',
    })
    expect(await adapterOf('Interaction').find('an-interaction')).to.deep.equal({
      jti: 'an-interaction',
      session: { uid: 'u' },
    })
    expect(await adapterOf('Session').findByUid('u')).to.deep.equal({ uid: 'u' })
  })

  it('separates the ids of different models', async () => {
    await adapterOf('AccessToken').upsert('x', { jti: 'x' }, 60)
    expect(await adapterOf('RefreshToken').find('x')).to.equal(undefined)
  })

  it('reports consumed entries, which cannot be used again', async () => {
    const codes = adapterOf('AuthorizationCode')
    await codes.upsert('x', { jti: 'x', clientId: 'c' }, 60)
    await codes.consume('x')
    const consumed = Math.floor(stores.clock.now() / 1000)
    expect(await codes.find('x')).to.deep.equal({ jti: 'x', clientId: 'c', consumed })
    const second = await codes.consume('x').then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(second).to.be.instanceOf(errors.InvalidGrant)
  })

  it('expires entries', async () => {
    const tokens = adapterOf('AccessToken')
    await tokens.upsert('x', { jti: 'x' }, 60)
    stores.clock.jumpTo(stores.clock.now() + 59_999)
    expect(await tokens.find('x')).to.deep.equal({ jti: 'x' })
    stores.clock.jumpTo(stores.clock.now() + 1)
    expect(await tokens.find('x')).to.equal(undefined)
  })

  it('holds at most ten thousand pending logins', async function () {
    this.timeout(30_000)
    const interactions = adapterOf('Interaction')
    const begin = (id: number) => interactions.upsert(`i${id}`, { jti: `i${id}` }, 600)
    for (let at = 0; at < 10_000; at += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, index) => begin(at + index)))
    }
    const refused = await begin(10_000).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused).to.be.instanceOf(errors.TemporarilyUnavailable)
    await interactions.destroy('i7')
    await begin(10_001)
  })
})
