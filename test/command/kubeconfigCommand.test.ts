import { expect } from 'chai'
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { runCommand } from '../../apiserver/command/command.ts'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'
import { startServer } from '../../apiserver/server.ts'
import { otherPrograms } from '../support/otherPrograms.ts'
import { tlsRequest } from '../support/servers/tlsRequest.ts'

interface Ended {
  code: number
  out: string
  error: string
}

interface Written {
  clusters: { cluster: { server: string; 'certificate-authority-data': string } }[]
  users: { name: string; user: { token: string } }[]
}

const tokenOf = (text: string) => (parse(text) as Written).users[0]?.user.token ?? ''
const clusterOf = (text: string) => (parse(text) as Written).clusters[0]?.cluster

describe('platform-apiserver kubeconfig', function () {
  this.timeout(60_000)

  let folder: string
  let stopped: string
  let running: string
  let server: RunningServer
  let logged = ''

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
    stopped = join(folder, 'stopped')
    running = join(folder, 'running')
    const first = await startServer({ dataDir: stopped, securePort: 0 })
    await first.stop()
    cpSync(stopped, running, { recursive: true })
    const logTo = { write: (line: string) => void (logged += line) }
    const options = { dataDir: running, securePort: 0, logLevel: 'trace' } as const
    server = await startServer(options, { logTo })
    const spec = { username: 'jane', subject: 'jane' }
    await post('users', { metadata: { name: 'jane' }, spec })
    writeFileSync(join(folder, 'admin'), server.kubeconfig)
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  function post(plural: string, body: object) {
    const url = `${server.url}/apis/management.platform/v1/${plural}`
    return tlsRequest(url, { token: server.adminAccessKey, body, method: 'POST' })
  }

  async function run(...args: string[]): Promise<Ended> {
    const ended = { out: '', error: '' }
    const code = await runCommand(['kubeconfig', ...args], {
      ...otherPrograms,
      env: {},
      writeOut: async (text) => void (ended.out += text),
      writeError: (text) => void (ended.error += text),
      stopRequested: Promise.resolve(),
      startServer: (options) => startServer(options),
      migrateStorage: () => Promise.reject(new Error('not migrated')),
    })
    return { code, ...ended }
  }

  async function self(url: string, token: string) {
    const body = { metadata: {}, spec: {} }
    const path = '/apis/management.platform/v1/selves'
    const { status, text } = await tlsRequest(url + path, { token, body, method: 'POST' })
    return { status, body: JSON.parse(text) as { status: Record<string, unknown> } }
  }

  it('creates a key with scope and lifetime on a running server, and keeps it out of every log', async () => {
    const words = ['--scope', 'project=shop,cli', '--ttl', '1h']
    const { code, out, error } = await run(
      '--kubeconfig',
      join(folder, 'admin'),
      '--user',
      'jane',
      ...words,
    )
    expect(code).to.equal(0)
    expect(error).to.match(
      /^kubeconfig: created the access key kubeconfig-\w+ of jane, which expires in 3600 s\n$/,
    )
    const token = tokenOf(out)
    const { status, body } = await self(server.url, token)
    expect([status, body.status['user']]).to.have.nested.property('[1].name', 'jane')
    expect(body.status['accessKeyScope']).to.deep.equal({
      roles: [{ role: 'platformCLI' }],
      projects: [{ project: 'shop' }],
    })
    expect(clusterOf(out)?.server).to.equal(`${server.url}/kubernetes/management`)
    expect(token.length).to.be.above(20)
    expect([
      logged.includes('ownedaccesskeys'),
      logged.includes(token),
      error.includes(token),
    ]).to.deep.equal([true, false, false])
  })

  it('finds the running server of a data folder, and writes a file that only its owner can read', async () => {
    const port = new URL(server.url).port
    const out = join(folder, 'jane')
    const args = ['--data-dir', running, '--secure-port', port, '--user', 'jane', '--out', out]
    const locked = () => Promise.reject(Object.assign(new Error('in use'), { code: 'Locked' }))
    const ended = await runOn(locked, ...args)
    expect([ended.code, ended.out]).to.deep.equal([0, ''])
    expect(statSync(out).mode & 0o777).to.equal(0o600)
    const text = readFileSync(out, 'utf8')
    const ca = clusterOf(text)?.['certificate-authority-data'] ?? ''
    expect(Buffer.from(ca, 'base64').toString()).to.equal(server.caCertificate)
    expect((await self(server.url, tokenOf(text))).body.status['user']).to.include({ name: 'jane' })
    const before = await keys()
    const again = await runOn(locked, ...args)
    expect([again.code, again.error.trim(), await keys()]).to.deep.equal([
      1,
      `platform-apiserver: ${out} exists already, and is left as it is; name another file`,
      before,
    ])
  })

  async function runOn(start: () => Promise<never>, ...args: string[]): Promise<Ended> {
    const ended = { out: '', error: '' }
    const code = await runCommand(['kubeconfig', ...args], {
      ...otherPrograms,
      env: {},
      writeOut: async (text) => void (ended.out += text),
      writeError: (text) => void (ended.error += text),
      stopRequested: Promise.resolve(),
      startServer: start,
      migrateStorage: () => Promise.reject(new Error('not migrated')),
    })
    return { code, ...ended }
  }

  async function keys(): Promise<number> {
    const url = `${server.url}/apis/management.platform/v1/ownedaccesskeys`
    const { text } = await tlsRequest(url, { token: server.adminAccessKey })
    return (JSON.parse(text) as { items: unknown[] }).items.length
  }

  it('stores the key in the folder of a stopped server', async () => {
    const url = 'https://apis.example.org'
    const { code, out, error } = await run(
      '--data-dir',
      stopped,
      '--user',
      'admin',
      '--server',
      `${url}/`,
    )
    expect([code, error.replace(/-\w+ of/, '-X of')]).to.deep.equal([
      0,
      'kubeconfig: created the access key kubeconfig-X of admin, which does not expire\n',
    ])
    expect(clusterOf(out)?.server).to.equal(`${url}/kubernetes/management`)
    await using started = await startServer({ dataDir: stopped, securePort: 0 })
    const { status, body } = await self(started.url, tokenOf(out))
    expect([status, body.status['user']]).to.have.nested.property('[1].name', 'admin')
    expect(clusterOf(out)?.['certificate-authority-data']).to.equal(
      Buffer.from(started.caCertificate ?? '').toString('base64'),
    )
  })

  it('creates no folder, and passes on the refusal of the server', async () => {
    const none = join(folder, 'none')
    expect(await run('--data-dir', none, '--user', 'jane')).to.deep.include({
      code: 1,
      error: `platform-apiserver: ${none} holds no data: start the server once, or name it with --data-dir\n`,
    })
    const refused = await run('--kubeconfig', join(folder, 'admin'), '--user', 'nobody-known')
    expect([refused.code, refused.out]).to.deep.equal([1, ''])
    expect(refused.error).to.contain('responded 404: users').and.contain('"nobody-known" not found')
  })

  for (const [args, problem] of [
    [[], '--user is required'],
    [
      ['--user', 'a', '--ttl', 'soon'],
      '--ttl must be seconds or units, such as 45s, 15m, 12h, 30d or 1h30m',
    ],
    [
      ['--user', 'a', '--ttl', '0'],
      '--ttl must be seconds or units, such as 45s, 15m, 12h, 30d or 1h30m',
    ],
    [
      ['--user', 'a', '--scope', 'space=x'],
      'the scope "space=x" has no project. Give PROJECT/NAME; */* stands for all.',
    ],
    [['--user', 'a', 'b'], 'unexpected argument "b"'],
  ] as const)
    it(`refuses ${args.join(' ') || 'no flags'}`, async () => {
      const { code, error } = await run(...args)
      expect([code, error.split('\n')[0]]).to.deep.equal([2, `platform-apiserver: ${problem}`])
    })
})
