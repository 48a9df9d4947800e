import { expect } from 'chai'
import { WorkQueue } from '../../apiserver/runtime/workQueue.ts'
import { turns } from '../support/eventually.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'

describe('WorkQueue', () => {
  let clock: FakeClock
  let reports: string[]
  const report = (error: unknown) => void reports.push(String(error))

  beforeEach(() => {
    clock = new FakeClock()
    reports = []
  })

  it('endless work is reported after its deadline, and delays only its own key', async () => {
    const done: string[] = []
    let release: () => void = () => undefined
    const queue = new WorkQueue({
      ...{ clock, report, concurrency: 1, deadlineMs: 1_000 },
      work: async (key) => {
        if (key === 'stuck') await new Promise<void>((resolve) => (release = resolve))
        done.push(key)
      },
    })
    for (const key of ['stuck', 'next']) queue.add(key)
    await turns()
    expect(done).to.deep.equal([])
    clock.advance(1_000)
    await turns()
    queue.add('stuck')
    await turns()
    expect(done).to.deep.equal(['next'])
    expect(reports).to.deep.equal(['DeadlineError: the work on stuck took more than 1 s'])
    release()
    await turns()
    expect(done).to.deep.equal(['next', 'stuck'])
    // Items added in the meantime are handled as soon as the first is done.
    release()
    await turns()
    expect(done).to.deep.equal(['next', 'stuck', 'stuck'])
    queue.stop()
    expect(clock.timers).to.equal(0)
  })

  it('work that respects its signal is retried after its deadline', async () => {
    let tries = 0
    const queue = new WorkQueue({
      ...{ clock, report, concurrency: 1, deadlineMs: 1_000 },
      work: (_, signal) => {
        tries += 1
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        )
      },
    })
    queue.add('slow')
    clock.advance(1_000)
    await turns()
    clock.advance(50)
    await turns()
    expect(tries).to.equal(2)
    queue.stop()
    await turns()
    expect(clock.timers).to.equal(0)
  })
})
