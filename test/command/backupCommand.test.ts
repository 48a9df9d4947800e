import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCommand, type Surroundings } from '../../apiserver/command/command.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import { writeBackup } from '../../apiserver/storage/backup/writeBackup.ts'
import { LevelStorage } from '../../apiserver/storage/level/levelStorage.ts'
import type { StoredValue } from '../../apiserver/storage/storage.ts'
import {
  openBob,
  openTestServer,
  secrets,
  type TestServer,
} from '../endpoints/support/testServer.ts'
import { otherPrograms } from '../support/otherPrograms.ts'

let folder: string
function withFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
}

const at = (...names: string[]) => join(folder, ...names)

interface Ended {
  code: number
  out: string
  error: string
}

async function run(...args: string[]): Promise<Ended> {
  const ended = { out: '', error: '' }
  const around: Surroundings = {
    env: {},
    writeOut: async (text) => void (ended.out += text),
    writeError: (text) => void (ended.error += text),
    stopRequested: Promise.resolve(),
    startServer: () => Promise.reject(new Error('not started')),
    ...otherPrograms,
    migrateStorage: () => Promise.reject(new Error('not started')),
  }
  const code = await runCommand(args, around)
  return { code, ...ended }
}

async function succeed(...args: string[]): Promise<string> {
  const { code, out, error } = await run(...args)
  expect([code, error.replaceAll(/^\w+: \d+ objects, .* MB\n/gm, '')]).to.deep.equal([0, ''])
  return out
}

function openLevel(dataDir: string): Promise<LevelStorage> {
  return LevelStorage.open({ location: dataDir, clock: realClock })
}

async function withStorage<T>(
  dataDir: string,
  use: (storage: LevelStorage) => Promise<T>,
): Promise<T> {
  const storage = await openLevel(dataDir)
  try {
    return await use(storage)
  } finally {
    await storage.close()
  }
}

async function objectsIn(dataDir: string): Promise<StoredValue[]> {
  return withStorage(dataDir, async (storage) => (await storage.list({ prefix: '' })).items)
}

/** Folder at revision 6 with three objects, one of them updated, and a deleted one. */
async function smallFolder(dataDir: string): Promise<void> {
  await withStorage(dataDir, async (storage) => {
    for (const name of ['a', 'b', 'c', 'ü'])
      await storage.create(`/x/${name}`, { before: `{"${name}":"`, after: '"}' })
    await storage.update('/x/b', { before: '{"new":"', after: '"}' }, 2)
    await storage.delete('/x/c', 3)
  })
}

describe('backup, restore and verify', () => {
  withFolder()

  it('give back every kind byte by byte, with keys and certificates', async () => {
    const server = await openTestServer({ storage: 'level', dataDir: at('data') })
    await server.admin.post(secrets, { metadata: { name: 'one' }, spec: { data: { a: 'eA==' } } })
    await server.running.stop()
    await succeed('backup', '--data-dir', at('data'), '--out', at('file'))
    await succeed('verify', '--from', at('file'))
    await succeed('restore', '--from', at('file'), '--data-dir', at('restored'))
    expect(await objectsIn(at('restored'))).to.deep.equal(await objectsIn(at('data')))
    const keys = async (dataDir: string) => {
      const names = await readdir(at(dataDir, 'pki'), { recursive: true, withFileTypes: true })
      const paths = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
      const all = [...paths, at(dataDir, 'admin-access-key')].toSorted()
      return Promise.all(
        all.map(async (path) => [path.slice(at(dataDir).length), await readFile(path, 'hex')]),
      )
    }
    expect(await keys('restored')).to.deep.equal(await keys('data'))
    expect((await keys('restored')).length).to.be.above(3)
    const again = await openTestServer({ storage: 'level', dataDir: at('restored') })
    const found = await again.admin.get(`${secrets}/one`)
    expect([again.running.adminAccessKey, found.status]).to.deep.equal([
      server.running.adminAccessKey,
      200,
    ])
    await again.running.stop()
  })

  it('continue far above every revision that was served; older ones are compacted', async () => {
    await smallFolder(at('data'))
    await succeed('backup', '--data-dir', at('data'), '--out', at('file'))
    await succeed('restore', '--from', at('file'), '--data-dir', at('restored'))
    await withStorage(at('restored'), async (storage) => {
      const { revision } = storage
      expect(revision).to.be.above(1_000_000_006)
      expect(storage.compactedRevision).to.equal(revision)
      const watch = storage
        .watch('/x/', 6, () => undefined)
        .then(
          () => 'served',
          (error: { code?: string }) => error.code,
        )
      expect(await watch).to.equal('Compacted')
      const made = await storage.create('/x/d', { before: '', after: '' })
      expect(made.revision).to.equal(revision + 1)
    })
  })

  it('a folder that was restored twice never serves the same revision again', async () => {
    await smallFolder(at('data'))
    await succeed('backup', '--data-dir', at('data'), '--out', at('file'))
    const reached: number[] = []
    for (const name of ['first', 'second']) {
      await succeed('restore', '--from', at('file'), '--data-dir', at(name))
      await withStorage(at(name), async (storage) => {
        reached.push(storage.revision)
        const made = await storage.create('/x/d', { before: '', after: '' })
        reached.push(made.revision)
      })
    }
    expect(reached.toSorted((a, b) => a - b)).to.deep.equal(reached)
    expect(new Set(reached).size).to.equal(4)
  })

  it('backup: a file that only its owner can read, and no other file', async () => {
    await smallFolder(at('data'))
    const out = await succeed('backup', '--data-dir', at('data'), '--out', at('file'))
    expect(out).to.match(/^backed up 3 objects and 0 files at revision 6 \(0\.0 MB\) to /)
    expect((await stat(at('file'))).mode & 0o777).to.equal(0o600)
    expect((await readdir(folder)).toSorted()).to.deep.equal(['data', 'file'])
  })

  it('restored files are readable by their owner only', async () => {
    await smallFolder(at('data'))
    await mkdir(at('data', 'pki'))
    await writeFile(at('data', 'pki', 'ca.key'), 'secret')
    await chmod(at('data', 'pki', 'ca.key'), 0o644)
    await succeed('backup', '--data-dir', at('data'), '--out', at('file'))
    await succeed('restore', '--from', at('file'), '--data-dir', at('restored'))
    expect((await stat(at('restored', 'pki', 'ca.key'))).mode & 0o777).to.equal(0o600)
    expect((await stat(at('restored'))).mode & 0o777).to.equal(0o700)
  })

  it('restore: fails with the first fault of a damaged file, and leaves nothing behind', async () => {
    await smallFolder(at('data'))
    await succeed('backup', '--data-dir', at('data'), '--out', at('file'))
    const bytes = await readFile(at('file'))
    await writeFile(at('cut'), bytes.subarray(0, -1))
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100)
    await writeFile(at('flipped'), bytes)
    for (const name of ['cut', 'flipped']) {
      const restored = await run('restore', '--from', at(name), '--data-dir', at('restored'))
      const verified = await run('verify', '--from', at(name))
      expect(restored.code).to.equal(1)
      expect(restored.error).to.match(/^platform-apiserver: \S+ is damaged: .* byte \d+/)
      expect(verified.error).to.equal(restored.error)
      expect(await readdir(at('restored'))).to.deep.equal([])
    }
  })

  it('restore: refuses a folder that holds anything, and changes nothing', async () => {
    await smallFolder(at('data'))
    await succeed('backup', '--data-dir', at('data'), '--out', at('file'))
    await mkdir(at('full'))
    await writeFile(at('full', 'notes'), 'mine')
    const { code, error } = await run('restore', '--from', at('file'), '--data-dir', at('full'))
    expect(code).to.equal(1)
    expect(error).to.contain(`${at('full')} is not empty: it holds notes`)
    expect(await readdir(at('full'))).to.deep.equal(['notes'])
  })

  for (const path of ['../out', 'pki/../../out', 'pki/..', '/out', 'db/CURRENT', 'pki//x', 'pki']) {
    it(`restore: refuses a backup that holds the file ${path}`, async () => {
      const files = [{ path, content: Buffer.from('x') }]
      const header = { serverVersion: '1', revision: 1, createdMs: 0, identity: {} }
      const pieces: Buffer[] = []
      for await (const piece of writeBackup({ ...header, objects: [], files })) pieces.push(piece)
      await writeFile(at('file'), Buffer.concat(pieces))
      const { error } = await run('restore', '--from', at('file'), '--data-dir', at('restored'))
      expect(error).to.contain('which is refused')
      expect((await readdir(folder)).toSorted()).to.deep.equal(['file', 'restored'])
    })
  }

  it('verify: names the damaged file of a folder, and an undamaged folder is unchanged', async () => {
    await smallFolder(at('data'))
    const out = await succeed('verify', '--data-dir', at('data'))
    expect(out).to.equal(`${at('data')} is undamaged: 3 objects at revision 6\n`)
    expect(await objectsIn(at('data'))).to.have.length(3)
    await writeFile(at('data', 'acknowledged'), 'x')
    const { code, error } = await run('verify', '--data-dir', at('data'))
    expect([code, error]).to.deep.equal([
      1,
      `platform-apiserver: ${at('data', 'acknowledged')} is damaged: without it nobody can say whether every ` +
        'acknowledged write is there; restore the whole data folder from a backup, or start with ' +
        '--accept-data-loss to go on with what can be read\n',
    ])
  })

  const refused: { name: string; args: () => string[]; want: RegExp; code: number }[] = [
    {
      name: 'backup: no data folder, and creates none',
      args: () => ['backup', '--data-dir', at('none'), '--out', at('file')],
      want: /none is not a data folder: it has no format\.json\n$/,
      code: 1,
    },
    {
      name: 'backup: an existing file',
      args: () => ['backup', '--data-dir', at('data'), '--out', at('there')],
      want: /there exists already, and is left as it is; name another file\n$/,
      code: 1,
    },
    {
      name: 'restore: a missing file',
      args: () => ['restore', '--from', at('none'), '--data-dir', at('new')],
      want: /none: it does not exist\n$/,
      code: 1,
    },
    { name: 'backup: no --out', args: () => ['backup'], want: /--out is required/, code: 2 },
    { name: 'restore: no --from', args: () => ['restore'], want: /--from is required/, code: 2 },
    {
      name: 'verify: a flag of another command',
      args: () => ['verify', '--out', at('file')],
      want: /unknown flag --out/,
      code: 2,
    },
    {
      name: 'backup: two sources',
      args: () => ['backup', '--out', at('f'), '--data-dir', at('data'), '--kubeconfig', at('k')],
      want: /--kubeconfig and --data-dir exclude each other/,
      code: 2,
    },
  ]
  for (const { name, args, want, code } of refused) {
    it(`refuses ${name}`, async () => {
      await smallFolder(at('data'))
      await writeFile(at('there'), 'mine')
      const ended = await run(...args())
      expect(ended.error).to.match(want)
      expect(ended.code).to.equal(code)
      expect((await readdir(folder)).toSorted()).to.deep.equal(['data', 'there'])
      expect(await readFile(at('there'), 'utf8')).to.equal('mine')
    })
  }
})

describe('backup of a running server', () => {
  withFolder()

  let server: TestServer
  beforeEach(async () => {
    server = await openTestServer({ storage: 'level', dataDir: at('data') })
    await writeFile(at('kubeconfig'), server.running.kubeconfig)
  })
  afterEach(() => server.running.stop())

  const configMaps = '/api/v1/namespaces/default/configmaps'

  it('a folder of a running server is refused, and names the flag to use', async () => {
    const { code, error } = await run('backup', '--data-dir', at('data'), '--out', at('file'))
    expect(code).to.equal(1)
    expect(error).to.contain(
      'is in use by another process; back up a running server with --kubeconfig',
    )
  })

  it('holds 10,000 objects at one revision while writes go on', async function () {
    this.timeout(60_000)
    const create = (name: string, data: string) =>
      server.admin.post(configMaps, { metadata: { name }, data: { value: data } })
    for (let from = 0; from < 10_000; from += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, one) => create(`c${from + one}`, 'x'.repeat(200))),
      )
    // Pairs are written in order: in every consistent state the second object has its counterpart.
    let isOver = false
    let written = 0
    const writing = (async () => {
      for (; !isOver; written++) {
        await create(`first-${written}`, '')
        await create(`second-${written}`, '')
      }
    })()
    await succeed('backup', '--kubeconfig', at('kubeconfig'), '--out', at('file'))
    const during = written
    isOver = true
    await writing
    expect(during).to.be.above(0)
    await succeed('restore', '--from', at('file'), '--data-dir', at('restored'))
    const found = (await objectsIn(at('restored'))).map(({ key }) => key)
    const names = new Set(found.map((key) => key.slice(key.lastIndexOf('/') + 1)))
    expect([...names].filter((name) => /^c\d+$/.test(name))).to.have.length(10_000)
    const seconds = [...names].filter((name) => name.startsWith('second-'))
    const firsts = [...names].filter((name) => name.startsWith('first-'))
    for (const name of seconds) expect(names.has(name.replace('second', 'first'))).to.equal(true)
    expect(firsts.length - seconds.length).to.be.within(0, 1)
  })

  it('needs the right to do everything: 403', async () => {
    const bob = await openBob(server)
    expect((await bob.get('/backup')).status).to.equal(403)
    await server.admin.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'paths' },
      rules: [
        { verbs: ['*'], nonResourceURLs: ['*'] },
        { verbs: ['get', 'list'], apiGroups: ['*'], resources: ['*'] },
      ],
    })
    await server.admin.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'bob' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'paths' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' }],
    })
    const answer = await bob.get('/backup')
    expect([answer.status, answer.field('message')]).to.deep.equal([
      403,
      'forbidden: User "bob" may not read every object',
    ])
    expect((await server.admin.post('/backup', {})).status).to.equal(405)
  })

  it('a refusal is a sentence, and no file is left', async () => {
    const text = server.running.kubeconfig.replace(server.running.adminAccessKey, 'another-key')
    await writeFile(at('kubeconfig'), text)
    const ended = await run('backup', '--kubeconfig', at('kubeconfig'), '--out', at('file'))
    expect(ended.code).to.equal(1)
    const url = `${server.running.url}/kubernetes/management/backup`
    const words = 'platform access key not found. Please login again'
    expect(ended.error).to.equal(`platform-apiserver: ${url} responded 401: ${words}\n`)
    expect((await readdir(folder)).toSorted()).to.deep.equal(['data', 'kubeconfig'])
  })
})
