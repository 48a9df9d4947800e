import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { writeAcknowledged } from '../../../apiserver/storage/level/files/acknowledged.ts'
import { openLevel } from '../../../apiserver/storage/level/format/database.ts'
import { encodeMark, logKey, markKey } from '../../../apiserver/storage/level/format/records.ts'
import type { LevelStorage } from '../../../apiserver/storage/level/levelStorage.ts'
import { refuses, show, template } from '../values.ts'
import { DiskFolder } from './diskFolder.ts'

const writes = 200

describe('LevelStorage on a folder', () => {
  let folder: DiskFolder
  beforeEach(async () => {
    folder = await DiskFolder.make()
  })
  afterEach(() => folder.remove())

  const fill = async (): Promise<LevelStorage> => {
    const storage = await folder.open()
    for (let i = 0; i < writes; i++) await storage.create(`/k/${i}`, template('v'.repeat(100)))
    return storage
  }

  it('keeps objects, history, counter and compaction across a restart', async () => {
    const first = await folder.open()
    await first.create('/a', template('one'))
    await first.update('/a', template('two'), 1)
    await first.create('/b', template('b'))
    await first.delete('/b', 3)
    await first.compact(1)
    await first.close()
    const second = await folder.open()
    expect([second.revision, second.compactedRevision]).to.deep.equal([4, 1])
    expect((await second.list({ prefix: '' })).items.map(show)).to.deep.equal(['/a=two@2!'])
    expect(show(await second.get('/b', { revision: 3 }))).to.equal('/b=b@3!')
    expect(show(await second.get('/a', { revision: 1 }))).to.equal('/a=one@1!')
    expect((await second.create('/b', template('again'))).revision).to.equal(5)
  })
  it('keeps every acknowledged write across a crash', async () => {
    await fill()
    const crashed = await folder.crashImage()
    const storage = await crashed.open()
    expect(storage.revision).to.equal(writes)
    expect((await storage.list({ prefix: '/k/' })).items.length).to.equal(writes)
    await crashed.remove()
  })
  for (const percent of [90, 50, 10]) {
    const cutAt = async (crashed: DiskFolder): Promise<string> => {
      const log = await crashed.log()
      await truncate(log, Math.floor(((await stat(log)).size * percent) / 100))
      return log
    }
    it(`opens with the intact beginning if the log ends at ${percent} %, in unacknowledged writes`, async () => {
      await fill()
      const crashed = await folder.crashImage()
      await cutAt(crashed)
      await writeAcknowledged(crashed.location, 0, 0)
      const storage = await crashed.open()
      expect(storage.revision).to.be.within(Math.floor((writes * percent) / 100) - 25, writes - 1)
      const { items } = await storage.list({ prefix: '/k/' })
      const names = items.map((item) => item.revision).sort((a, b) => a - b)
      expect(names).to.deep.equal(Array.from({ length: storage.revision }, (_, i) => i + 1))
      await crashed.remove()
    })
    it(`refuses a log cut at ${percent} %, with acknowledged writes in the rest: Corrupt`, async () => {
      await fill()
      const crashed = await folder.crashImage()
      const log = await cutAt(crashed)
      const before = await crashed.contents()
      const error = await refuses(() => crashed.open(), 'Corrupt')
      expect(error.message).to.match(/at byte \d+: it ends at revision \d+, but 200 was acknowl/)
      expect(error.message.startsWith(log)).to.equal(true)
      expect(await crashed.contents()).to.deep.equal(before)
      await crashed.remove()
    })
  }
  it('refuses a log damaged in its middle, which LevelDB skips silently: Corrupt', async () => {
    await fill()
    const crashed = await folder.crashImage()
    const log = await crashed.log()
    await crashed.corrupt(log, Math.floor((await stat(log)).size / 2))
    await writeAcknowledged(crashed.location, 0, 0)
    await refuses(() => crashed.open(), 'Corrupt', { message: /000003.log is damaged at byte/ })
    await crashed.remove()
  })
  it('refuses such damage even if its history was compacted: Corrupt', async () => {
    const storage = await folder.open()
    const names = Array.from({ length: 1200 }, (_, i) => `/k/${i}`)
    await Promise.all(names.map((name) => storage.create(name, template('v'.repeat(100)))))
    const firstStep = (await stat(await folder.log())).size
    await storage.compact(1200)
    const crashed = await folder.crashImage()
    await crashed.corrupt(await crashed.log(), firstStep + 1000)
    await refuses(() => crashed.open(), 'Corrupt', { message: /000003.log is damaged at byte/ })
    await crashed.remove()
  })
  it('refuses a folder without CURRENT: Corrupt, never a new database', async () => {
    await fill()
    const crashed = await folder.crashImage()
    await rm(crashed.path('db', 'CURRENT'))
    const before = await crashed.contents()
    await refuses(() => crashed.open(), 'Corrupt', {
      message: /db\/CURRENT is missing: the database/,
    })
    expect(await crashed.contents()).to.deep.equal(before)
    await crashed.remove()
  })
  it('refuses a lost database folder: Corrupt', async () => {
    await fill()
    const crashed = await folder.crashImage()
    await rm(crashed.path('db'), { recursive: true })
    await refuses(() => crashed.open(), 'Corrupt', { message: /gone or damaged/ })
    await crashed.remove()
  })
  it('refuses a database without its marker: Corrupt', async () => {
    await fill()
    const crashed = await folder.crashImage()
    await rm(crashed.path('format.json'))
    await refuses(() => crashed.open(), 'Corrupt', { message: /format.json.*is missing/ })
    await crashed.remove()
  })
  it('refuses log files without CURRENT and marker: Corrupt', async () => {
    await mkdir(folder.path('db'))
    await writeFile(folder.path('db', '000003.log'), 'x')
    await refuses(() => folder.open(), 'Corrupt', {
      message: /CURRENT is missing, but there is data in .*000003.log/,
    })
  })
  const markers = [
    {
      name: 'a newer format',
      text: '{"formatVersion":3}',
      code: 'NewerFormat',
      message: /newer server/,
    },
    { name: 'a marker that is not JSON', text: 'x', code: 'Corrupt', message: /not JSON/ },
    {
      name: 'a format of before',
      text: '{"formatVersion":1}',
      code: 'OlderFormat',
      message: /of before the first release/,
    },
    { name: 'a marker without version', text: '{}', code: 'Corrupt', message: /no formatVersion/ },
    {
      name: 'a marker with an identity that is none',
      text: '{"formatVersion":2,"identity":{"name":1}}',
      code: 'Corrupt',
      message: /the identity in .*format.json is not a map of strings/,
    },
  ] as const
  for (const { name, text, code, message } of markers) {
    it(`refuses ${name}: ${code}, and changes nothing`, async () => {
      await fill()
      const crashed = await folder.crashImage()
      await writeFile(crashed.path('format.json'), text)
      const before = await crashed.contents()
      await refuses(() => crashed.open(), code, { message })
      expect(await crashed.contents()).to.deep.equal(before)
      await crashed.remove()
    })
  }
  it('starts over after a first start that ended before the marker', async () => {
    const level = await openLevel(folder.path('db'), { createIfMissing: true })
    await level.close()
    const storage = await folder.open()
    expect((await storage.create('/a', template('one'))).revision).to.equal(1)
    expect(await readFile(folder.path('format.json'), 'utf8')).to.equal(
      '{"formatVersion":2,"keepsAcknowledged":true}\n',
    )
  })
  it('starts over after a first start that ended before CURRENT', async () => {
    await mkdir(folder.path('db'))
    await writeFile(folder.path('db', 'LOCK'), '')
    await writeFile(folder.path('db', 'MANIFEST-000001'), 'half')
    expect((await folder.open()).revision).to.equal(0)
  })

  describe('in use', () => {
    it('refuses a second opener in the same process: Locked, and changes nothing', async () => {
      await fill()
      const before = await folder.contents()
      await refuses(() => folder.open(), 'Locked', { message: /db is in use by another process$/ })
      expect(await folder.contents()).to.deep.equal(before)
    })
    it('refuses an opener while another process uses it: Locked', async () => {
      const args = [folder.location]
      const holder = fork(new URL('./holder.ts', import.meta.url), args, {
        execArgv: ['--import', 'tsx'],
      })
      await once(holder, 'message')
      await refuses(() => folder.open(), 'Locked', { message: /is in use by another process$/ })
      holder.disconnect()
      await once(holder, 'exit')
      expect((await folder.open()).revision).to.equal(1)
    }).timeout(15_000)
  })

  describe('with a damaged record', () => {
    const records = [
      { name: 'an object', key: 'o//k/6', message: /the object o\/\/k\/6 fails its checksum/ },
      {
        name: 'a log record',
        key: logKey(8),
        message: /log record 8 fails its checksum/,
      },
      { name: 'the mark', key: markKey, message: /the mark of the compaction fails its checksum/ },
    ]
    const change = async (key: string, edit: (record: Buffer) => Buffer): Promise<void> => {
      const level = await openLevel(folder.path('db'), { createIfMissing: false })
      const [record] = await level.getMany([key])
      await level.write([{ type: 'put', key, value: edit(record ?? Buffer.alloc(0)) }])
      // The last record follows, so that the log does not appear to be cut off.
      const [last] = await level.getMany([logKey(10)])
      await level.write([{ type: 'put', key: logKey(10), value: last ?? Buffer.alloc(0) }])
      await level.close()
    }
    beforeEach(async () => {
      const storage = await folder.open()
      for (let i = 0; i < 10; i++) await storage.create(`/k/${i}`, template('v'))
      await storage.compact(7)
      await storage.close()
    })
    for (const { name, key, message } of records) {
      it(`refuses ${name} with a flipped bit: Corrupt`, async () => {
        await change(key, (record) => {
          record.writeUInt8(record.readUInt8(record.length - 1) ^ 1, record.length - 1)
          return record
        })
        await refuses(() => folder.open(), 'Corrupt', { message })
      })
    }
    it('refuses a mark beyond the log: Corrupt', async () => {
      const empty = { checkpoint: 0, digest: 0, chain: 0 }
      const level = await openLevel(folder.path('db'), { createIfMissing: false })
      const value = encodeMark({ ...empty, compacted: 11 })
      for await (const page of level.scan({ gte: 'o/', lte: 'o0' })) {
        await level.write(page.map(([key]) => ({ type: 'del', key })))
      }
      for await (const page of level.scan({ gte: 'l/', lte: 'l0' })) {
        await level.write(page.map(([key]) => ({ type: 'del', key })))
      }
      await level.write([{ type: 'put', key: markKey, value }])
      await level.close()
      await writeAcknowledged(folder.location, 0, 0)
      await refuses(() => folder.open(), 'Corrupt', {
        message: /the log ends at 0, but 11 was compacted/,
      })
    })
    it('refuses a missing log record: Corrupt', async () => {
      const level = await openLevel(folder.path('db'), { createIfMissing: false })
      await level.write([{ type: 'del', key: logKey(9) }])
      await level.close()
      await refuses(() => folder.open(), 'Corrupt', {
        message: /log record 9 is missing, the next one is l\/0000000000000010/,
      })
    })
    it('refuses a missing object: Corrupt', async () => {
      const level = await openLevel(folder.path('db'), { createIfMissing: false })
      await level.write([{ type: 'del', key: 'o//k/3' }])
      await level.close()
      await refuses(() => folder.open(), 'Corrupt', { message: /a write is missing/ })
    })
  })
})
