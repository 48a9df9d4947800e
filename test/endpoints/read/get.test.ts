import { expect } from 'chai'
import { eventually } from '../../support/eventually.ts'
import { create, openStores, put, type Stores } from '../../support/stores.ts'
import { thing, thingResource } from '../../support/thing.ts'
import { openChainServer, type ChainServer } from '../support/chainServer.ts'
import { badRequest, failure } from '../support/status.ts'

const path = '/apis/example.dev/v1/namespaces/default/things/a'
const resource = thingResource()

describe('GET of an object', () => {
  let server: ChainServer
  let stores: Stores

  beforeEach(async () => {
    stores = await openStores()
    server = await openChainServer({
      resources: [resource],
      storeOf: (one) => stores.storeOf(one),
    })
    await create(stores.storeOf(resource), thing('a', { spec: { size: 1 } }))
    await put(stores.storeOf(resource), thing('a', { spec: { size: 2 } }))
  })
  afterEach(async () => {
    await server.close()
    await stores.close()
  })

  const get = (query = '') => server.as('bob').get(path + query)

  for (const query of ['', '?resourceVersion=', '?resourceVersion=0', '?resourceVersion=1']) {
    it(`${query === '' ? 'no resourceVersion' : query}: returns the newest state (reference 4.2)`, async () => {
      const answer = await get(query)
      expect([answer.status, answer.field('spec')]).to.deep.equal([200, { size: 2 }])
    })
  }

  it('waits for a future resourceVersion (reference 4.2)', async () => {
    const waiting = get('?resourceVersion=3')
    await put(stores.storeOf(resource), thing('a', { spec: { size: 3 } }))
    expect((await waiting).field('spec')).to.deep.equal({ size: 3 })
  })

  it('a resourceVersion not reached in three seconds is 504 with a retry (reference 4.2, 4.6)', async () => {
    const before = stores.clock.timers
    const waiting = get('?resourceVersion=9')
    await eventually(stores.clock, () => stores.clock.timers > before)
    stores.clock.advance(3_000)
    const answer = await waiting
    const message = 'Timeout: Too large resource version: 9, current: 2'
    expect([answer.status, answer.json, answer.headers['retry-after']]).to.deep.equal([
      504,
      failure(504, 'Timeout', message, {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      }),
      '1',
    ])
  })

  it('an invalid resourceVersion is 500 without a reason (reference 4.3)', async () => {
    const why = 'strconv.ParseUint: parsing "abc": invalid syntax'
    const answer = await get('?resourceVersion=abc')
    expect([answer.status, answer.json]).to.deep.equal([
      500,
      failure(500, '', `resourceVersion: Invalid value: "abc": ${why}`),
    ])
  })

  it('export is 400 (reference 1.15)', async () => {
    const answer = await get('?export=true')
    expect([answer.status, answer.json]).to.deep.equal([
      400,
      badRequest('the export parameter, deprecated since v1.14, is no longer supported'),
    ])
  })
})
