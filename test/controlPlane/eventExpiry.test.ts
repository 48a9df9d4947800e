import { expect } from 'chai'
import { EventExpiry } from '../../apiserver/controlPlane/eventExpiry.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { formatTime } from '../../apiserver/meta/clock.ts'
import { encodeObject } from '../../apiserver/registry/objectBytes.ts'
import { StorageError } from '../../apiserver/storage/errors.ts'
import { LevelStorage } from '../../apiserver/storage/level/levelStorage.ts'
import { eventually, turns } from '../support/eventually.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('EventExpiry', () => {
  let clock: FakeClock
  let storage: LevelStorage
  let expiry: EventExpiry
  const reported: unknown[] = []

  const newExpiry = () =>
    new EventExpiry({ storage, clock, ttlMs: hourMs, report: (error) => reported.push(error) })

  beforeEach(async () => {
    reported.length = 0
    clock = new FakeClock()
    storage = await LevelStorage.open({ location: undefined, clock })
    expiry = newExpiry()
    await expiry.start()
  })
  afterEach(async () => {
    expiry.stop()
    await storage.close()
  })

  const events = '/management/core/events/default/'
  const body = (more: object = {}): ApiObject => ({
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { creationTimestamp: formatTime(clock.now()), ...more },
  })
  const write = (key: string, object: ApiObject = body()) =>
    storage.create(key, encodeObject(object))
  const keys = async () => (await storage.list({ prefix: '/' })).items.map(({ key }) => key)
  const pass = async (ms: number) => {
    clock.advance(ms)
    await turns(20)
  }

  it('deletes an event of any plane an hour after its creation, and nothing else', async () => {
    await write(`${events}a`)
    await write('/planes/1-2/core/events/default/b')
    await write('/management/core/configmaps/default/c')
    await write('/management/example.com/core/events/d')
    await pass(hourMs - 1)
    expect(await keys()).to.have.length(4)
    await pass(1_000)
    expect(await keys()).to.deep.equal([
      '/management/core/configmaps/default/c',
      '/management/example.com/core/events/d',
    ])
  })

  it('each write restarts the hour', async () => {
    const { revision } = await write(`${events}a`)
    await write(`${events}b`)
    await pass(30 * minuteMs)
    await storage.update(`${events}a`, encodeObject(body()), revision)
    await pass(45 * minuteMs)
    expect(await keys()).to.deep.equal([`${events}a`])
    await pass(15 * minuteMs)
    expect(await keys()).to.deep.equal([])
  })

  it('setting the clock back does not extend the hour', async () => {
    await write(`${events}a`)
    clock.jumpTo(clock.now() - 10 * hourMs)
    await write(`${events}b`)
    await pass(hourMs - 1)
    expect(await keys()).to.deep.equal([`${events}a`, `${events}b`])
    await pass(2_000)
    expect(await keys()).to.deep.equal([])
  })

  it('watches see the deletion', async () => {
    const told: string[] = []
    await write(`${events}a`)
    await storage.watch(events, storage.revision, (changes) => {
      for (const { key, value } of changes) if (value === undefined) told.push(key)
    })
    await pass(hourMs)
    expect(told).to.deep.equal([`${events}a`])
  })

  it('deletes many events in pages, with a single timer', async () => {
    await Promise.all(Array.from({ length: 1_200 }, (_, at) => write(`${events}e${at}`)))
    const before = clock.timers
    expiry.stop()
    expect(before - clock.timers).to.equal(1)
    expiry = newExpiry()
    void expiry.start()
    clock.advance(hourMs)
    await eventually(clock, () => storage.newest(`${events}e999`) === undefined)
    await turns(20)
    expect(await keys()).to.deep.equal([])
  })

  it('after a restart counts from the last time the server wrote into the object', async () => {
    expiry.stop()
    const at = (ms: number) => formatTime(clock.now() - ms)
    await write(`${events}old`, body({ creationTimestamp: at(2 * hourMs) }))
    await write(`${events}young`, body({ creationTimestamp: at(30 * minuteMs) }))
    const managedFields = [{ manager: 'm', time: at(20 * minuteMs) }]
    await write(`${events}repeated`, body({ creationTimestamp: at(2 * hourMs), managedFields }))
    await write('/planes/1/core/events/x/old', body({ creationTimestamp: at(3 * hourMs) }))
    expiry = newExpiry()
    await expiry.start()
    await pass(1_000)
    expect(await keys()).to.deep.equal([`${events}repeated`, `${events}young`])
    await pass(30 * minuteMs)
    expect(await keys()).to.deep.equal([`${events}repeated`])
    await pass(10 * minuteMs)
    expect(await keys()).to.deep.equal([])
  })

  it('a time in the future does not keep an event', async () => {
    expiry.stop()
    const creationTimestamp = formatTime(clock.now() + 1_000 * hourMs)
    await write(`${events}a`, body({ creationTimestamp }))
    expiry = newExpiry()
    await expiry.start()
    await pass(hourMs)
    expect(await keys()).to.deep.equal([])
  })

  it('tolerates events deleted before, and retries after a storage error', async () => {
    const { revision } = await write(`${events}a`)
    await write(`${events}b`)
    await storage.delete(`${events}a`, revision)
    const wanted = storage.delete.bind(storage)
    storage.delete = () => Promise.reject(new StorageError('Unavailable', 'no disk'))
    await pass(hourMs)
    expect(reported).to.have.length(1)
    storage.delete = wanted
    await pass(minuteMs)
    expect(await keys()).to.deep.equal([])
  })
})
