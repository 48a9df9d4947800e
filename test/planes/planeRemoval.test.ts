import { expect } from 'chai'
import { PlaneRemoval, planeKeyPrefix } from '../../apiserver/planes/planeRemoval.ts'
import { eventually, turns } from '../support/eventually.ts'
import { openStores, type Stores } from '../support/stores.ts'

const never = () => new Promise<never>(() => undefined)

describe('PlaneRemoval', () => {
  let stores: Stores
  let reports: string[]

  beforeEach(async () => {
    stores = await openStores()
    reports = []
  })
  afterEach(() => stores.close())

  const fill = async (uid: string) => {
    const value = { before: '{"revision":', after: '}' }
    await stores.storage.create(`${planeKeyPrefix(uid)}core/things/a`, value)
  }
  const left = async () =>
    (await stores.storage.list({ prefix: '/planes/' })).items.map(({ key }) => key.split('/')[2])
  const removal = (before: (uid: string, signal: AbortSignal) => Promise<void>) =>
    new PlaneRemoval({
      ...{ storage: stores.storage, clock: stores.clock, before },
      report: (error) => void reports.push(error instanceof Error ? error.message : ''),
    })

  it('removes other planes while the clean-up of some never ends', async () => {
    const stuck = ['s1', 's2', 's3', 's4', 's5']
    const fine = ['f1', 'f2', 'f3']
    for (const uid of [...stuck, ...fine]) await fill(uid)
    const all = removal((uid) => (uid.startsWith('s') ? never() : Promise.resolve()))
    for (const uid of [...stuck, ...fine]) all.remove(uid)
    await turns(20)
    // The number of concurrent waits is limited; after their deadline they only block their own
    // keys.
    stores.clock.advance(600_000)
    await turns(20)
    stores.clock.advance(600_000)
    await turns(20)
    expect(new Set(await left())).to.deep.equal(new Set(stuck))
    all.stop()
  })

  it('retries a failed clean-up, and keeps the keys until then', async () => {
    await fill('one')
    const { timers } = stores.clock
    let failures = 2
    const all = removal(() =>
      failures-- > 0 ? Promise.reject(new Error('the host cannot be opened')) : Promise.resolve(),
    )
    all.remove('one')
    await all.settled()
    expect([await left(), reports]).to.deep.equal([['one'], ['the host cannot be opened']])
    let isGone = false
    await eventually(stores.clock, () => {
      stores.clock.advance(10)
      void left().then((uids) => (isGone = uids.length === 0))
      return isGone
    })
    expect(reports.length).to.equal(2)
    all.stop()
    await turns()
    expect(stores.clock.timers).to.equal(timers)
  })
})
