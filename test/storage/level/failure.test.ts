import { EventEmitter, once } from 'node:events'
import { expect } from 'chai'
import { openMemory, type Database } from '../../../apiserver/storage/level/format/database.ts'
import { LevelStorage } from '../../../apiserver/storage/level/levelStorage.ts'
import { openFolder } from '../../../apiserver/storage/level/folder/openFolder.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { refuses, show, showChange, template } from '../values.ts'
import { DiskFolder } from './diskFolder.ts'
import { withFaults, type Faults } from './faultyDatabase.ts'

describe('LevelStorage, when a write fails on disk', () => {
  let folder: DiskFolder
  let storage: LevelStorage
  let faults: Faults
  let clock: FakeClock
  let failures: string[]
  const events = new EventEmitter()

  beforeEach(async () => {
    folder = await DiskFolder.make()
    faults = {}
    clock = new FakeClock()
    failures = []
    storage = await folder.open({
      clock,
      onFailure: (error) => {
        failures.push(String(error))
        events.emit('failed')
      },
      onRecovered: () => events.emit('recovered'),
      openDatabase: async () => withFaults(await openFolder(folder.location), faults),
    })
    await storage.create('/a', template('one'))
  })
  afterEach(() => folder.remove())

  const fail = async (fate: 'lost' | 'kept'): Promise<void> => {
    faults.refuse = { message: 'no space left', fate }
    await refuses(() => storage.update('/a', template('two'), 1), 'Unavailable')
  }
  const recover = async (): Promise<void> => {
    const recovered = once(events, 'recovered')
    clock.advance(100)
    await recovered
  }

  it('rejects every write of the batch and every queued one: Unavailable with the cause', async () => {
    const { promise: gate, resolve: open } = promiseWithResolve()
    faults.gate = gate
    faults.refuse = { message: 'no space left', fate: 'lost' }
    const inBatch = [storage.create('/b', template('b')), storage.update('/a', template('x'), 1)]
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve)) // The batch is cut; what follows is queued.
    const queued = [storage.delete('/a', 3), storage.settled(4)]
    open()
    const ends = await Promise.allSettled([...inBatch, ...queued])
    const told = ends.map((end) =>
      end.status === 'rejected' && end.reason instanceof Error
        ? `${end.reason.message}: ${String(end.reason.cause)}`
        : 'resolved',
    )
    expect(told).to.deep.equal([
      'the write of /b failed on disk: Error: no space left',
      'the write of /a failed on disk: Error: no space left',
      'the write of /a failed on disk: Error: no space left',
      'the write of /a failed on disk: Error: no space left',
    ])
  })
  it('rolls back to the committed state, refuses writes, and continues reading', async () => {
    await fail('lost')
    expect(storage.revision).to.equal(1)
    expect(show(storage.newest('/a'))).to.equal('/a=one@1!')
    expect(show(await storage.get('/a'))).to.equal('/a=one@1!')
    expect((await storage.changes('', 0, 5)).changes.length).to.equal(1)
    for (const call of [
      () => storage.ready(),
      () => storage.create('/b', template('b')),
      () => storage.update('/a', template('b'), 1),
      () => storage.delete('/a', 1),
      () => storage.compact(1),
    ]) {
      await refuses(call, 'Unavailable', { message: /no space left/ })
    }
    expect(failures).to.deep.equal([
      'StorageError: the storage takes no writes, because one failed on disk: no space left',
    ])
  })
  it('recovers, and gives the lost revision to the next write', async () => {
    await fail('lost')
    await recover()
    storage.ready()
    expect(show(await storage.update('/a', template('three'), 1))).to.equal('/a=three@2!')
  })
  it('accepts a rejected write that became durable after all, and notifies watches', async () => {
    const seen: string[] = []
    await storage.watch('/', 1, (changes) => void seen.push(...changes.map(showChange)))
    await fail('kept')
    expect(seen).to.deep.equal([])
    await recover()
    expect(seen).to.deep.equal(['2 /a two@2! was /a=one@1!'])
    expect(show(storage.newest('/a'))).to.equal('/a=two@2!')
    expect((await storage.create('/b', template('b'))).revision).to.equal(3)
  })
  it('retries with doubled delays until the disk works', async () => {
    await fail('lost')
    faults.reopen = 'still no space'
    for (const delay of [100, 200, 400]) {
      const failed = once(events, 'failed')
      const waiting = clock.timers
      clock.advance(delay - 1)
      expect(clock.timers).to.equal(waiting)
      clock.advance(1)
      await failed
    }
    faults.reopen = undefined
    const recovered = once(events, 'recovered')
    clock.advance(800)
    await recovered
    expect(failures.slice(1)).to.deep.equal(Array(3).fill('Error: still no space'))
  })
  it('can be closed in that state, and leaves no timer', async () => {
    await fail('lost')
    await storage.close()
    expect(clock.timers).to.equal(0)
    const reopened = await folder.open()
    expect(show(await reopened.get('/a'))).to.equal('/a=one@1!')
  })
  it('fails the same way when a compaction is refused', async () => {
    faults.refuse = { message: 'no space left', fate: 'lost' }
    await refuses(() => storage.compact(1), 'Unavailable')
    await refuses(() => storage.ready(), 'Unavailable', { message: /no space left/ })
    await recover()
    await storage.compact(1)
    expect(storage.compactedRevision).to.equal(1)
  })
  it('continues when a listener throws, and reports it', async () => {
    const seen: number[] = []
    await storage.watch('/', 1, () => {
      throw new Error('a bug')
    })
    await storage.watch('/', 1, (changes) => void seen.push(changes.length))
    await storage.create('/b', template('b'))
    expect([seen, failures]).to.deep.equal([[1], ['Error: a bug']])
    storage.ready()
  })
})

describe('LevelStorage under writers faster than the disk', () => {
  it('returns the newest write of a key while an older one commits', async () => {
    const faults: Faults = {}
    const storage = await LevelStorage.open({
      location: undefined,
      clock: new FakeClock(),
      openDatabase: async () => withFaults(await openMemory(), faults),
    })
    const gate = promiseWithResolve()
    faults.gate = gate.promise
    const first = storage.create('/a', template('one'))
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve)) // The batch is cut; what follows is queued.
    const second = storage.update('/a', template('two'), 1)
    gate.resolve()
    await first
    expect(storage.revision).to.equal(1)
    expect(show(storage.newest('/a'))).to.equal('/a=two@2!')
    await second
    await storage.close()
  })
  it('writes any number of values, small and large, in call order, and reads them back', async () => {
    const folder = await DiskFolder.make()
    const storage = await folder.open()
    const seen: number[] = []
    await storage.watch('/', 0, (changes) => void seen.push(...changes.map((c) => c.revision)))
    const large = 'x'.repeat(300 * 1024)
    const text = (at: number) => (at % 97 === 50 ? large + at : `v${at}`)
    const rounds = [0, 1, 2].map(async (round) => {
      // Each writer continues as soon as its write is durable: those of one half while the other
      // half is being written.
      const writers = Array.from({ length: 250 }, async (_, at) => {
        const { revision } = await storage.create(`/${round}/${at}`, template(text(at)))
        if (at % 3 === 0) await storage.update(`/${round}/${at}`, template(text(at + 1)), revision)
        if (at % 3 === 1) await storage.delete(`/${round}/${at}`, revision)
      })
      await Promise.all(writers)
    })
    await Promise.all(rounds)
    const written = 3 * (250 + 84 + 83)
    expect(storage.revision).to.equal(written)
    expect(seen).to.deep.equal(Array.from({ length: written }, (_, at) => at + 1))
    const past = await storage.changes('', 0, written)
    const state = (await storage.list({ prefix: '/' })).items.map(show)
    expect(state.length).to.equal(3 * (250 - 83))
    await storage.close()
    const reopened = await folder.open()
    expect((await reopened.list({ prefix: '/' })).items.map(show)).to.deep.equal(state)
    const again = await reopened.changes('', 0, written)
    expect(again.changes.map(showChange)).to.deep.equal(past.changes.map(showChange))
    await folder.remove()
  })
  it('keeps the durable half when the other half fails on disk', async () => {
    const folder = await DiskFolder.make()
    const clock = new FakeClock()
    const events = new EventEmitter()
    const storage = await folder.open({
      clock,
      onRecovered: () => events.emit('recovered'),
      openDatabase: async () => refusingSecond(await openFolder(folder.location)),
    })
    const ends = await Promise.allSettled(
      Array.from({ length: 200 }, async (_, at) => {
        const { revision } = await storage.create(`/${at}`, template('one'))
        // The other half is being written, and these wait for it.
        const second = storage.update(`/${at}`, template('two'), revision)
        return second.then(
          () => 'written twice',
          (error: unknown) => `written once: ${String(error)}`,
        )
      }),
    )
    const told = new Map<string, number>()
    for (const [at, end] of ends.entries()) {
      const text = end.status === 'fulfilled' ? end.value : String(end.reason)
      const short = text.replace(`/${at} `, '/… ')
      told.set(short, (told.get(short) ?? 0) + 1)
    }
    const refusal = 'StorageError: the write of /… failed on disk'
    expect([...told]).to.deep.equal([
      [`written once: ${refusal}`, 128],
      [refusal, 72],
    ])
    const recovered = once(events, 'recovered')
    clock.advance(100)
    await recovered
    const { items } = await storage.list({ prefix: '/' })
    expect([storage.revision, items.length]).to.deep.equal([128, 128])
    expect((await storage.create('/199', template('three'))).revision).to.equal(129)
    await folder.remove()
  })
  it('refuses a write for which there is no memory, leaving no gap in the log', async () => {
    const folder = await DiskFolder.make()
    const storage = await folder.open()
    await storage.create('/a', template('one'))
    // Larger than the reused buffers: its record is a separate allocation.
    const large = { before: 'x'.repeat(300 * 1024), after: '' }
    const allocate = Buffer.allocUnsafeSlow.bind(Buffer)
    let calls = 0
    Buffer.allocUnsafeSlow = (size) => {
      if (++calls === 2) throw new RangeError('Array buffer allocation failed')
      return allocate(size)
    }
    const refused = storage.create('/large', large).catch((error: unknown) => String(error))
    Buffer.allocUnsafeSlow = allocate
    expect(await refused).to.equal('RangeError: Array buffer allocation failed')
    expect((await storage.create('/b', template('two'))).revision).to.equal(2)
    await storage.close()
    const reopened = await folder.open()
    expect((await reopened.list({ prefix: '/' })).items.map(show)).to.deep.equal([
      '/a=one@1!',
      '/b=two@2!',
    ])
    await folder.remove()
  })
  it('refuses what does not fit into the queue: Overloaded, and loses nothing else', async () => {
    const { promise: gate, resolve: open } = promiseWithResolve()
    const storage = await LevelStorage.open({
      location: undefined,
      clock: new FakeClock(),
      maxQueuedWrites: 2,
      openDatabase: async () => withFaults(await openMemory(), { gate }),
    })
    const taken = [storage.create('/a', template('a')), storage.create('/b', template('b'))]
    await refuses(() => storage.create('/c', template('c')), 'Overloaded')
    expect(storage.newest('/c')).to.equal(undefined)
    open()
    await Promise.all(taken)
    expect((await storage.create('/c', template('c'))).revision).to.equal(3)
    await storage.close()
  })
})

function refusingSecond(database: Database): Database {
  let writes = 0
  return {
    ...database,
    write: async (batch) => {
      if (++writes === 2) throw new Error('no space left')
      await database.write(batch)
    },
  }
}

function promiseWithResolve(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
