import { expect } from 'chai'
import { AccessKeyActivity } from '../../apiserver/controllers/accessKeyActivity.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { KeyStores } from '../support/accessKeys.ts'
import { eventually, turns } from '../support/eventually.ts'
import { create, type Stores } from '../support/stores.ts'

describe('AccessKeyActivity', () => {
  let stores: Stores
  let keys: Store
  let reports: unknown[]
  let activity: AccessKeyActivity

  beforeEach(async () => {
    ;({ stores, keys } = await KeyStores.open())
    await create(keys, {
      kind: 'OwnedAccessKey',
      apiVersion: 'management.platform/v1',
      metadata: { name: 'k' },
      spec: { user: 'jane', key: 'secret' },
    })
    reports = []
    activity = new AccessKeyActivity(keys, stores.clock, (error) => reports.push(error))
  })

  afterEach(() => stores.close())

  const status = () => keys.newest({ namespace: '', name: 'k' }).object['status']
  const written = (revision: number) =>
    eventually(stores.clock, () => stores.storage.revision === revision)

  it('records when the key was used, and changes nothing else (spec key.status.lastActivity)', async () => {
    const before = keys.newest({ namespace: '', name: 'k' }).object
    stores.clock.advance(5_000)
    activity.used('k')
    await written(2)
    expect(keys.newest({ namespace: '', name: 'k' }).object).to.deep.equal({
      ...before,
      metadata: { ...before.metadata, resourceVersion: '2' },
      status: { lastActivity: '2030-01-01T00:00:05Z' },
    })
  })

  it('writes at most once a minute', async () => {
    activity.used('k')
    activity.used('k')
    await written(2)
    stores.clock.advance(59_000)
    activity.used('k')
    await turns()
    expect(stores.storage.revision).to.equal(2)
    stores.clock.advance(1_000)
    activity.used('k')
    await written(3)
    expect(status()).to.deep.equal({ lastActivity: '2030-01-01T00:01:00Z' })
  })

  it('ignores keys deleted in the meantime', async () => {
    await keys.delete({ namespace: '', name: 'k' }, {}, systemContext())
    activity.used('k')
    await turns(10)
    expect(reports).to.deep.equal([])
  })

  it('reports failures', async () => {
    await stores.storage.close()
    activity.used('k')
    await eventually(stores.clock, () => reports.length > 0)
    expect(reports.length).to.equal(1)
  })

  it('continues when the clock was set back', async () => {
    activity.used('k')
    await written(2)
    stores.clock.jumpTo(stores.clock.now() - 3_600_000)
    activity.used('k')
    await written(3)
    expect(status()).to.deep.equal({ lastActivity: '2029-12-31T23:00:00Z' })
  })
})
