import { expect } from 'chai'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FileSink, type FileSettings } from '../../apiserver/audit/fileSink.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { event } from './support/events.ts'
import { contents, loggedIds, useFolder } from './support/temporaryFolder.ts'

const kilobyte = 1 / 1024

describe('FileSink', () => {
  const folder = useFolder()
  const failures: { lost: number; error: unknown }[] = []
  beforeEach(() => void failures.splice(0))

  const open = (settings: FileSettings, clock = new FakeClock()) => {
    const path = join(folder(), 'audit.log')
    return new FileSink(
      { path, ...settings },
      {
        clock,
        onError: (_sink, error, lost) => void failures.push({ error, lost }),
        after: Promise.resolve(),
      },
    )
  }
  const line = (number: number, padding = 0) =>
    JSON.stringify(event(number, { userAgent: 'x'.repeat(padding) }))
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `id-${at}`).sort()

  it('writes one line per event, readable only by its owner', async () => {
    const sink = open({})
    sink.write(line(0))
    sink.write(line(1))
    await sink.close()
    expect(await contents(folder())).to.deep.equal({ 'audit.log': `${line(0)}\n${line(1)}\n` })
    expect((await stat(join(folder(), 'audit.log'))).mode & 0o777).to.equal(0o600)
    expect(failures).to.deep.equal([])
  })

  it('creates the folder, and appends to an existing file', async () => {
    const path = join(folder(), 'deep', 'er', 'audit.log')
    for (const number of [0, 1]) {
      const sink = open({ path })
      sink.write(line(number))
      await sink.close()
    }
    expect(await contents(join(folder(), 'deep', 'er'))).to.deep.equal({
      'audit.log': `${line(0)}\n${line(1)}\n`,
    })
  })

  it('rotates a full file without losing an event (spec config.audit.maxSize, limit.audit.maxSize)', async () => {
    const sink = open({ maxSize: 100 * kilobyte })
    for (let number = 0; number < 300; number++) sink.write(line(number, 1000))
    await sink.close()
    expect(Object.keys(await contents(folder()))).to.deep.equal([
      'audit-2030-01-01T00-00-00.000-2.log',
      'audit-2030-01-01T00-00-00.000-3.log',
      'audit-2030-01-01T00-00-00.000.log',
      'audit.log',
    ])
    expect(await loggedIds(folder())).to.deep.equal(ids(300))
  })

  it('compresses rotated files (spec config.audit.compress)', async () => {
    const sink = open({ maxSize: 100 * kilobyte, compress: true })
    for (let number = 0; number < 300; number++) sink.write(line(number, 1000))
    await sink.close()
    expect(Object.keys(await contents(folder()))).to.deep.equal([
      'audit-2030-01-01T00-00-00.000-2.log.gz',
      'audit-2030-01-01T00-00-00.000-3.log.gz',
      'audit-2030-01-01T00-00-00.000.log.gz',
      'audit.log',
    ])
    expect(await loggedIds(folder())).to.deep.equal(ids(300))
  })

  const rotated = (day: number) => `audit-2030-01-0${day}T00-00-00.000.log`
  const others = [
    'audit-2.log',
    'audit-notes.txt',
    'audit.log',
    'other-2020-01-01T00-00-00.000.log',
  ]
  const fill = async () => {
    const names = [...others, ...[1, 2, 3, 4].map(rotated), `${rotated(5)}.gz`]
    for (const name of names) if (!name.endsWith('.gz')) await writeFile(join(folder(), name), '')
    const { gzipSync } = await import('node:zlib')
    await writeFile(join(folder(), `${rotated(5)}.gz`), gzipSync(''))
  }

  it('keeps the configured number of the newest rotated files (spec config.audit.maxBackups)', async () => {
    await fill()
    const sink = open({ maxBackups: 2 })
    await sink.prune()
    await sink.close()
    const want = [...others, rotated(4), `${rotated(5)}.gz`].sort()
    expect(Object.keys(await contents(folder()))).to.deep.equal(want)
  })

  it('keeps rotated files for the configured days (spec config.audit.maxAge)', async () => {
    await fill()
    const sink = open({ maxAge: 3 }, new FakeClock(Date.UTC(2030, 0, 6)))
    await sink.prune()
    await sink.close()
    const want = [...others, rotated(3), rotated(4), `${rotated(5)}.gz`].sort()
    expect(Object.keys(await contents(folder()))).to.deep.equal(want)
  })

  it('keeps all files by default (spec limit.audit.maxAge, limit.audit.maxBackups)', async () => {
    await fill()
    const sink = open({}, new FakeClock(Date.UTC(2040, 0, 1)))
    await sink.prune()
    await sink.close()
    expect(Object.keys(await contents(folder()))).to.have.lengthOf(9)
  })

  it('removes surplus files when it rotates', async () => {
    const sink = open({ maxSize: 10 * kilobyte, maxBackups: 1 })
    for (let number = 0; number < 500; number++) sink.write(line(number, 1000))
    await sink.close()
    expect(
      Object.keys(await contents(folder())).filter((name) => name !== 'audit.log'),
    ).to.have.lengthOf(1)
  })

  it('buffers events while the disk refuses writes, and retries', async () => {
    const clock = new FakeClock()
    const path = join(folder(), 'taken', 'audit.log')
    await writeFile(join(folder(), 'taken'), 'a file where the folder should be')
    const sink = open({ path }, clock)
    sink.write(line(0))
    while (clock.timers === 0) await new Promise(setImmediate)
    sink.write(line(1))
    expect(failures.map(({ lost }) => lost)).to.deep.equal([0])
    await rm(join(folder(), 'taken'))
    clock.advance(5_000)
    await sink.close()
    expect(await loggedIds(join(folder(), 'taken'))).to.deep.equal(ids(2))
  })

  it('bounds the buffer on a full disk, and counts lost events', async () => {
    // Every write to this device fails as on a full disk; the library refuses paths that are not
    // files.
    const sink = open({ path: '/dev/full' })
    const big = line(0, 1024 * 1024)
    for (let number = 0; number < 40; number++) sink.write(big)
    await sink.close()
    const lost = failures.reduce((sum, failure) => sum + failure.lost, 0)
    expect(lost).to.equal(40)
    expect(failures.filter((failure) => failure.lost === 1)).to.have.lengthOf(9)
  })

  it('reports a path that is a folder without stopping', async () => {
    await mkdir(join(folder(), 'audit.log'))
    const sink = open({})
    sink.write(line(0))
    await sink.close()
    expect(failures.map(({ lost }) => lost)).to.deep.equal([0, 1])
  })
})
