import { expect } from 'chai'
import { DataStoreSink } from '../../apiserver/audit/dataStoreSink.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { event } from './support/events.ts'
import { Postgres, postgresFolder } from './support/postgres.ts'

const hourMs = 60 * 60 * 1000

const programs = postgresFolder()
const suite = programs === undefined ? describe.skip : describe
const reason = programs === undefined ? ' (no PostgreSQL server is installed here)' : ''

suite(`DataStoreSink${reason}`, function () {
  this.timeout(60_000)
  let postgres: Postgres | undefined
  const failures: { lost: number; error: unknown }[] = []

  before(async () => {
    if (programs !== undefined) postgres = await Postgres.open(programs)
  })
  after(() => postgres?.close())
  beforeEach(async () => {
    failures.splice(0)
    await database().query('DROP TABLE IF EXISTS audit_events')
  })

  const database = (): Postgres => {
    if (postgres === undefined) throw new Error('the database is not started yet')
    return postgres
  }
  const open = (clock = new FakeClock(), dataStoreTTL = 0) =>
    new DataStoreSink(
      { dataStoreEndpoint: database().endpoint, dataStoreTTL },
      {
        clock,
        onError: (_sink, error, lost) => void failures.push({ error, lost }),
        after: Promise.resolve(),
      },
    )
  const ids = async () =>
    (
      await database().query<{ audit_id: string }>('SELECT audit_id FROM audit_events ORDER BY id')
    ).map((row) => row.audit_id)

  it('stores events with the columns they are searched by (spec config.audit.dataStore)', async () => {
    const sink = open()
    const stageTimestamp = '2030-01-01T00:00:01.123000Z'
    const kept = event(0, { stageTimestamp, annotations: { a: "'; DROP TABLE audit_events; --" } })
    sink.write(JSON.stringify(kept))
    await sink.close()
    const rows = await database().query(
      'SELECT audit_id, stage, stage_time, event FROM audit_events',
    )
    expect(rows).to.deep.equal([
      {
        audit_id: 'id-0',
        stage: 'ResponseComplete',
        stage_time: new Date(stageTimestamp),
        event: kept,
      },
    ])
    expect(failures).to.deep.equal([])
  })

  it('stores many events in order', async () => {
    const sink = open()
    for (let number = 0; number < 1_200; number++) sink.write(JSON.stringify(event(number)))
    await sink.close()
    expect(await ids()).to.deep.equal(Array.from({ length: 1_200 }, (_, at) => `id-${at}`))
  })

  it('collects events for half a second', async () => {
    const clock = new FakeClock()
    const sink = open(clock)
    sink.write(JSON.stringify(event(0)))
    sink.write(JSON.stringify(event(1)))
    expect(clock.timers).to.equal(1)
    clock.advance(500)
    await sink.close()
    expect([await ids(), clock.timers]).to.deep.equal([['id-0', 'id-1'], 0])
  })

  it('stores strings that the database cannot represent', async () => {
    const sink = open()
    const text = 'a\u0000\u0000b\ud800c\\u0000d\\\u0000'
    sink.write(JSON.stringify(event(0, { userAgent: text })))
    await sink.close()
    const [row] = await database().query<{ agent: string }>(
      `SELECT event->>'userAgent' AS agent FROM audit_events`,
    )
    expect(row?.agent).to.equal('a\ufffd\ufffdb\ufffdc\\u0000d\\\ufffd')
    expect(failures).to.deep.equal([])
  })

  it('loses only the event that the database refuses', async () => {
    const sink = open()
    sink.write(JSON.stringify(event(0)))
    sink.write('no JSON')
    sink.write(JSON.stringify(event(2)))
    await sink.close()
    expect(await ids()).to.deep.equal(['id-0', 'id-2'])
    expect(failures.map(({ lost }) => lost)).to.deep.equal([0, 1])
  })

  it('keeps events for the configured hours (spec limit.audit.dataStoreTTL)', async () => {
    const nowMs = Date.UTC(2030, 0, 1, 12)
    const sink = open(new FakeClock(nowMs), 2)
    for (let hour = 8; hour < 12; hour++) {
      const stageTimestamp = new Date(Date.UTC(2030, 0, 1, hour, 30)).toISOString()
      sink.write(JSON.stringify(event(hour, { stageTimestamp })))
    }
    await sink.close()
    const pruner = open(new FakeClock(nowMs), 2)
    await pruner.prune()
    await pruner.close()
    expect(await ids()).to.deep.equal(['id-10', 'id-11'])
    const keeper = open(new FakeClock(nowMs + 1000 * hourMs))
    await keeper.prune()
    await keeper.close()
    expect(await ids()).to.deep.equal(['id-10', 'id-11'])
  })

  it('buffers events while the database is down, without logging its password', async () => {
    const clock = new FakeClock()
    const sink = open(clock)
    sink.write(JSON.stringify(event(0)))
    clock.advance(500)
    while ((await ids().catch(() => [])).length === 0) await new Promise(setImmediate)
    await database().stop()
    sink.write(JSON.stringify(event(1)))
    clock.advance(500)
    while (clock.timers === 0) await new Promise(setImmediate)
    await database().start()
    clock.advance(5_000)
    await sink.close()
    expect(await ids()).to.deep.equal(['id-0', 'id-1'])
    expect(failures.length).to.be.greaterThan(0)
    expect(failures.every(({ lost }) => lost === 0)).to.equal(true)
    const told = failures.map(({ error }) =>
      JSON.stringify(error, Object.getOwnPropertyNames(error)),
    )
    expect(told.join()).to.not.include('hidden-password')
  })

  it('stops even if the database is unreachable', async () => {
    await database().stop()
    const sink = open()
    sink.write(JSON.stringify(event(0)))
    await sink.close()
    await database().start()
    expect(failures.map(({ lost }) => lost)).to.deep.equal([0, 1])
  })
})
