import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { noBackups, ScheduledBackups } from '../../apiserver/platform/storage/scheduledBackups.ts'
import { createLogger } from '../../apiserver/runtime/logging.ts'
import { readBackup } from '../../apiserver/storage/backup/readBackup.ts'
import { writeBackup } from '../../apiserver/storage/backup/writeBackup.ts'
import { openTestServer } from '../endpoints/support/testServer.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { endWithTests } from '../support/startedProcesses.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { skip } from '../support/skip.ts'

const hour = 3_600_000
const header = { serverVersion: '1', revision: 1, createdMs: 0, identity: {} }

/** Small complete backup. */
const small = () =>
  writeBackup({
    ...header,
    objects: [{ key: '/a', revision: 1, value: Buffer.from('a') }],
    files: [],
  })

/** Backup larger than a small disk. */
async function* large(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(65_536)
}

describe('ScheduledBackups', () => {
  let folder: string
  let clock: FakeClock
  let lines: { msg: string; err?: { code?: string; message: string } }[]
  let opened: ScheduledBackups[]

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scheduled-'))
    clock = new FakeClock()
    lines = []
    opened = []
  })
  afterEach(async () => {
    for (const one of opened) {
      one.stop()
      await one.idle()
    }
    expect(clock.timers).to.equal(0)
    await rm(folder, { recursive: true })
  })

  async function open(
    backup: () => AsyncIterable<Buffer> = small,
    given: { at?: string; keep?: number } = {},
  ) {
    const counts = noBackups()
    const destination = {
      write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
    }
    const scheduled = new ScheduledBackups({
      ...{ folder: given.at ?? folder, intervalMs: hour, keep: given.keep ?? 3, clock, counts },
      log: createLogger({ level: 'info', clock, destination }),
      backup: async () => backup(),
    })
    opened.push(scheduled)
    await scheduled.idle()
    return { scheduled, counts }
  }

  async function after(ms: number, { scheduled }: { scheduled: ScheduledBackups }): Promise<void> {
    clock.advance(ms)
    await scheduled.idle()
  }

  it('makes one at once in an empty folder, and then one at every interval', async () => {
    const made = await open()
    await after(0, made)
    expect(await readdir(folder)).to.deep.equal(['backup-2030-01-01T00-00-00Z'])
    await after(hour - 1, made)
    expect(await readdir(folder)).to.have.length(1)
    await after(1, made)
    expect(await readdir(folder)).to.deep.equal([
      'backup-2030-01-01T00-00-00Z',
      'backup-2030-01-01T01-00-00Z',
    ])
    const path = join(folder, 'backup-2030-01-01T01-00-00Z')
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    expect(made.counts).to.deep.equal({
      lastSuccessMs: Date.UTC(2030, 0, 1, 1),
      lastBytes: (await stat(path)).size,
      failures: 0,
    })
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['backup created', 'backup created'])
  })

  it('keeps the newest ones, and leaves other files alone', async () => {
    await writeFile(join(folder, 'backup-of-mine'), 'x')
    const made = await open(small, { keep: 2 })
    for (let at = 0; at < 4; at++) await after(at === 0 ? 0 : hour, made)
    expect(await readdir(folder)).to.deep.equal([
      'backup-2030-01-01T02-00-00Z',
      'backup-2030-01-01T03-00-00Z',
      'backup-of-mine',
    ])
  })

  it('counts the interval from the newest one in the folder, after a restart and by another leader', async () => {
    const first = await open()
    await after(0, first)
    first.scheduled.stop()
    clock.advance(hour / 2)
    const second = await open()
    expect(second.counts.lastSuccessMs).to.equal(Date.UTC(2030, 0, 1))
    await after(hour / 2 - 1, second)
    expect(await readdir(folder)).to.have.length(1)
    await after(1, second)
    expect(await readdir(folder)).to.have.length(2)
  })

  it('waits one interval at most if the clock was set back', async () => {
    await writeFile(join(folder, 'backup-2031-01-01T00-00-00Z'), 'x')
    const made = await open()
    await after(hour, made)
    expect(await readdir(folder)).to.have.length(2)
  })

  it('creates the folder, readable by its owner only', async () => {
    const at = join(folder, 'a', 'b')
    await after(0, await open(small, { at }))
    expect(await readdir(at)).to.have.length(1)
    expect((await stat(at)).mode & 0o777).to.equal(0o700)
  })

  it('a folder that cannot be used is logged and counted, and tried again', async () => {
    const at = join(folder, 'file', 'below')
    await writeFile(join(folder, 'file'), '')
    const made = await open(small, { at })
    expect(made.counts.failures).to.equal(1)
    await after(300_000, made)
    expect(made.counts.failures).to.equal(2)
    await rm(join(folder, 'file'))
    await after(300_000, made)
    expect([made.counts.failures, await readdir(at)]).to.deep.equal([
      2,
      ['backup-2030-01-01T00-10-00Z'],
    ])
    expect(lines.map(({ msg }) => msg)).to.deep.equal([
      ...Array<string>(2).fill('backup failed; retrying'),
      'backup created',
    ])
  })

  it('a full disk leaves no file, and older backups as they are', async function () {
    const at = join(folder, 'small')
    await mkdir(at)
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', at])
    if (mount.status !== 0) skip(this, 'only root can mount a small disk')
    try {
      let pieces: () => AsyncIterable<Buffer> = small
      const made = await open(() => pieces(), { at })
      await after(0, made)
      pieces = large
      await after(hour, made)
      expect(lines.at(-1)?.err?.code).to.equal('ENOSPC')
      expect(await readdir(at)).to.deep.equal(['backup-2030-01-01T00-00-00Z'])
      pieces = small
      await after(300_000, made)
      expect(await readdir(at)).to.have.length(2)
      expect(made.counts.failures).to.equal(1)
    } finally {
      for (const one of opened) one.stop()
      spawnSync('umount', [at])
    }
  })

  it('a source that fails, or is not a whole backup, leaves no file', async () => {
    const whole: Buffer[] = []
    for await (const piece of small()) whole.push(piece)
    let fail = true
    async function* pieces() {
      yield* whole.slice(0, -1)
      if (fail) throw new Error('etcd does not answer')
    }
    const made = await open(pieces)
    await after(0, made)
    fail = false
    await after(300_000, made)
    expect(lines.map(({ err }) => err?.message)).to.deep.equal([
      'etcd does not answer',
      `${folder}/.backup-2030-01-01T00-05-00Z.partial is damaged: it is cut off at byte ${Buffer.concat(whole.slice(0, -1)).length}, before its end`,
    ])
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('stopping aborts a running one: no file is left', async () => {
    let hasBegun = false
    async function* endless() {
      for await (const piece of large()) {
        hasBegun = true
        yield piece
        await new Promise(setImmediate)
      }
    }
    const { scheduled, counts } = await open(endless)
    clock.advance(0)
    await waitUntil(() => hasBegun)
    scheduled.stop()
    await scheduled.idle()
    expect([await readdir(folder), counts.failures, lines]).to.deep.equal([[], 0, []])
  })

  it('a killed process leaves no file under its final name, and the next one removes the remains', async () => {
    const module = new URL('../../apiserver/platform/storage/backupFolder.ts', import.meta.url)
    const script = `
      import { BackupFolder } from ${JSON.stringify(module.href)}
      async function* endless() { for (;;) { yield Buffer.alloc(1000); process.stdout.write('.'); await new Promise(setImmediate) } }
      await new BackupFolder(${JSON.stringify(folder)}).add(0, endless())`
    const args = ['--import=tsx', '--input-type=module', '--eval', script]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    endWithTests(child)
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(folder)).to.deep.equal(['.backup-1970-01-01T00-00-00Z.partial'])
    const made = await open()
    expect(made.counts.lastSuccessMs).to.equal(undefined)
    await after(0, made)
    expect(await readdir(folder)).to.deep.equal(['backup-2030-01-01T00-00-00Z'])
  })
})

describe('backups of a server by itself', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-backups-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('are whole, have the keys of the data folder, and show in the metrics', async () => {
    const at = join(folder, 'backups')
    const dataDir = join(folder, 'data')
    const server = await openTestServer({ storage: 'level', dataDir, backup: { folder: at } })
    const map = { metadata: { name: 'a' } }
    await server.admin.post('/api/v1/namespaces/default/configmaps', map)
    await waitUntil(async () => (await readdir(at).catch(() => [])).some((name) => /^b/.test(name)))
    const metric = async (name: string) => {
      const { text } = await server.admin.get('/metrics')
      return Number(new RegExp(`^platform_backup_${name} (\\S+)$`, 'm').exec(text)?.[1])
    }
    await waitUntil(async () => (await metric('last_size_bytes')) > 0)
    expect(await metric('last_success_timestamp_seconds')).to.be.closeTo(Date.now() / 1000, 600)
    expect(await metric('failures_total')).to.equal(0)
    await server.running.stop()
    const [name = ''] = await readdir(at)
    const files: string[] = []
    let objects = 0
    for await (const part of readBackup(createReadStream(join(at, name)), name)) {
      if ('file' in part) files.push(part.file.path)
      if ('objects' in part) objects += part.objects.length
    }
    expect(files).to.include.members(['admin-access-key', 'pki/ca.key'])
    expect(objects).to.be.above(10)
  })

  it('are off by default', async () => {
    const server = await openTestServer()
    const { text } = await server.admin.get('/metrics')
    expect(text.match(/^platform_backup.*$/gm)).to.deep.equal(['platform_backup_failures_total 0'])
    await server.running.stop()
  })
})
