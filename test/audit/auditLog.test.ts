import { expect } from 'chai'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AuditLog } from '../../apiserver/audit/auditLog.ts'
import type { AuditSettings } from '../../apiserver/audit/auditSettings.ts'
import { namesProfile } from '../../apiserver/meta/names/namesProfile.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { event, request } from './support/events.ts'
import { loggedIds, useFolder } from './support/temporaryFolder.ts'

describe('AuditLog', () => {
  const folder = useFolder()
  const clock = new FakeClock()
  const reported: unknown[] = []
  beforeEach(() => void reported.splice(0))
  const open = (settings: AuditSettings) =>
    new AuditLog({
      settings,
      clock,
      names: namesProfile(),
      report: (error) => void reported.push(error),
    })
  const path = (name = 'audit.log') => join(folder(), name)

  it('is off by default, and drops events', async () => {
    const log = open({})
    log.write(event(0))
    expect([log.policy, log.counts.events, clock.timers]).to.deep.equal([undefined, 0, 0])
    await log.close()
  })

  it('applies new settings at run time without losing events', async () => {
    const log = open({ enabled: true, path: path() })
    let written = 0
    const write = () => log.write(event(written++))
    for (let turn = 0; turn < 20; turn++) {
      write()
      await new Promise(setImmediate)
      const compress = turn % 2 === 0
      log.update({
        enabled: true,
        path: path(turn % 3 === 0 ? 'b.log' : 'audit.log'),
        compress,
        maxSize: 1 / 2048,
      })
      write()
    }
    await log.close()
    const want = Array.from({ length: 40 }, (_, at) => `id-${at}`).sort()
    expect(await loggedIds(folder())).to.deep.equal(want)
    expect([log.counts, reported, clock.timers]).to.deep.equal([
      { events: 40, lost: { log: 0, database: 0 } },
      [],
      0,
    ])
  })

  it('keeps the file open when only the policy changes', async () => {
    const log = open({ enabled: true, path: path(), level: 1 })
    expect(log.policy?.(request())).to.equal(undefined)
    log.write(event(0))
    log.update({ enabled: true, path: path(), level: 2 })
    expect(log.policy?.(request())?.level).to.equal('Metadata')
    log.write(event(1))
    await log.close()
    expect(await loggedIds(folder())).to.deep.equal(['id-0', 'id-1'])
  })

  it('can be turned off and on', async () => {
    const log = open({ enabled: true, path: path() })
    log.write(event(0))
    log.update({ enabled: false, path: path() })
    log.write(event(1))
    log.update({ enabled: true, path: path() })
    log.write(event(2))
    await log.close()
    expect(await loggedIds(folder())).to.deep.equal(['id-0', 'id-2'])
  })

  it('looks for old files once an hour', async () => {
    const log = open({ enabled: true, path: path(), maxAge: 1, maxSize: 1 / 2048 })
    log.write(event(0, { userAgent: 'x'.repeat(1000) }))
    while ((await readdir(folder())).length < 2) await new Promise(setImmediate)
    clock.advance(25 * 60 * 60 * 1000)
    while ((await readdir(folder())).length > 1) await new Promise(setImmediate)
    await log.close()
    expect(await readdir(folder())).to.deep.equal(['audit.log'])
  })

  it('reports lost events once a minute', async () => {
    const log = open({ enabled: true, path: '/dev/full' })
    const big = event(0, { userAgent: 'x'.repeat(8 * 1024 * 1024) })
    for (let number = 0; number < 10; number++) log.write(big)
    await log.close()
    expect(log.counts).to.deep.equal({ events: 10, lost: { log: 10, database: 0 } })
    expect(reported.map(String)).to.deep.equal(['Error: audit (log): events may be lost, 1 so far'])
  })
})
