import { expect } from 'chai'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../apiserver/command/command.ts'
import { examine } from '../../apiserver/doctor/examine.ts'
import { checkNode } from '../../apiserver/doctor/runtimeChecks.ts'
import type { Finding } from '../../apiserver/runtime/finding.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import { startServer } from '../../apiserver/server.ts'
import { otherPrograms } from '../support/otherPrograms.ts'

interface Ended {
  code: number
  out: string
  error: string
}

const dayMs = 24 * 60 * 60 * 1000
const at = (nowMs: number) => ({ ...realClock, now: () => nowMs })

describe('platform-apiserver doctor', function () {
  this.timeout(60_000)

  let folder: string
  /** Data folder of a stopped server; tests change copies of it. */
  let whole: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doctor-'))
    whole = join(folder, 'whole')
    const server = await startServer({ dataDir: whole, securePort: 0 })
    await server.stop()
  })
  after(() => rm(folder, { recursive: true }))

  let copies = 0
  const copy = (): string => {
    const made = join(folder, `copy-${copies++}`)
    cpSync(whole, made, { recursive: true, preserveTimestamps: true })
    return made
  }

  async function run(args: string[], { env = {}, clock = realClock } = {}): Promise<Ended> {
    const ended = { out: '', error: '' }
    const code = await runCommand(['doctor', ...args], {
      ...otherPrograms,
      env,
      writeOut: async (text) => void (ended.out += text),
      writeError: (text) => void (ended.error += text),
      stopRequested: Promise.resolve(),
      startServer: () => Promise.reject(new Error('not started')),
      migrateStorage: () => Promise.reject(new Error('not started')),
      examine: (options) => examine(options, clock),
    })
    return { code, ...ended }
  }

  /** Runs doctor with JSON output. */
  async function find(args: string[], around: Parameters<typeof run>[1] = {}) {
    const { code, out } = await run(['--output', 'json', '--secure-port', '0', ...args], around)
    const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] }
    expect(code).to.equal(ok ? 0 : 1)
    const bad = findings.filter(({ level }) => level !== 'ok')
    return { code, bad, of: (check: string) => findings.filter((each) => each.check === check) }
  }

  it('finds nothing wrong with the folder of a stopped server, and changes no file of it', async () => {
    const dataDir = copy()
    const before = contents(dataDir)
    const { code, bad, of } = await find(['--data-dir', dataDir])
    expect([code, bad.filter(({ check }) => !['node', 'disk'].includes(check))]).to.deep.equal([
      0,
      [],
    ])
    expect(of('data')[0]?.message).to.match(/ is undamaged: \d+ objects at revision \d+$/)
    expect(of('certificate').map(({ message }) => message.replace(/20.*/, 'T'))).to.deep.equal([
      'the CA is valid until T',
      'the serving certificate is valid until T',
    ])
    expect(contents(dataDir)).to.deep.equal(before)
  })

  it('says that a missing folder will be created, and creates nothing', async () => {
    const dataDir = join(folder, 'new', 'folder')
    const { code, of } = await find(['--data-dir', dataDir])
    expect([code, of('folder')[0]?.message]).to.deep.equal([
      0,
      `${dataDir} will be created at the first start`,
    ])
    expect(readdirSync(folder)).not.to.include('new')
  })

  it('prints a line for each finding, with advice below, and the number of errors', async () => {
    const dataDir = join(folder, 'file')
    writeFileSync(dataDir, '')
    const { code, out } = await run(['--data-dir', dataDir, '--secure-port', '0'])
    expect(code).to.equal(1)
    expect(out).to.contain(
      `error    folder       ${dataDir} is not a folder\n` +
        `${' '.repeat(22)}name another one with --data-dir\n`,
    )
    expect(out).to.match(/\d errors?, \d warnings?\n$/)
  })

  it('names the damaged byte of a database', async () => {
    const dataDir = copy()
    const log = join(
      dataDir,
      'db',
      readdirSync(join(dataDir, 'db')).find((name) => name.endsWith('.log')) ?? '',
    )
    const file = await open(log, 'r+')
    await file.write(Buffer.from([0xff, 0xff]), 0, 2, 100)
    await file.close()
    const { code, of } = await find(['--data-dir', dataDir])
    expect(code).to.equal(1)
    expect(of('data')[0]?.message).to.contain(`${log} is damaged at byte`)
    expect(of('data')[0]?.advice).to.contain('restore the newest backup')
  })

  it('names a lost CA key, keys that others can read, and a folder that others can change', async () => {
    const dataDir = copy()
    await rm(join(dataDir, 'pki/ca.key'))
    await chmod(join(dataDir, 'admin-access-key'), 0o644)
    chmodSync(dataDir, 0o777)
    const { bad } = await find(['--data-dir', dataDir])
    expect(bad.map(({ check, level }) => [check, level])).to.deep.include.members([
      ['certificate', 'error'],
      ['secrets', 'warning'],
      ['folder', 'warning'],
    ])
    const texts = bad.map(({ message, advice = '' }) => `${message}: ${advice}`).join('\n')
    expect(texts)
      .to.contain('pki/ca.key is missing')
      .and.contain(`chmod 600 ${dataDir}/admin-access-key`)
  })

  it('reports a CA that is not valid yet and files from the future when the clock was set back', async () => {
    const { bad } = await find(['--data-dir', whole], { clock: at(Date.now() - 2 * dayMs) })
    const found = bad.filter(({ check }) => ['clock', 'certificate'].includes(check))
    expect(found.map(({ check, level }) => [check, level])).to.deep.equal([
      ['clock', 'error'],
      ['certificate', 'error'],
    ])
  })

  it('warns of your own certificate 30 days before it expires, and refuses an expired one', async () => {
    const files = ['tls-cert-file', 'tls-private-key-file'].flatMap((flag, index) => [
      `--${flag}`,
      join(whole, 'pki', index === 0 ? 'serving.crt' : 'serving.key'),
    ])
    const levels = []
    for (const days of [1, 340, 400]) {
      const clock = at(Date.now() + days * dayMs)
      const { of } = await find(['--data-dir', whole, ...files], { clock })
      levels.push(of('certificate').map(({ level }) => level))
    }
    expect(levels).to.deep.equal([['ok'], ['warning'], ['error']])
  })

  it('names a port in use, and an address of another machine', async () => {
    const taken: Server = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    // Sound: a TCP server has an address with a port.
    const { port } = taken.address() as AddressInfo
    const args = ['--data-dir', join(folder, 'none'), '--secure-port', String(port)]
    const { of } = await find(args)
    taken.close()
    expect(of('port')).to.deep.equal([
      {
        check: 'port',
        level: 'error',
        message: `cannot listen on 127.0.0.1 port ${port}: it is in use by another process`,
        advice: 'end the other program, or choose another port with --secure-port',
      },
    ])
    const other = await find([
      '--storage',
      'memory',
      '--bind-address',
      '192.0.2.1',
      '--secure-port',
      '9',
    ])
    expect(other.of('port')[0]?.advice).to.equal(
      'name an address of this machine with --bind-address',
    )
  })

  it('leaves the objects of a running server alone, and asks whether it is ready', async () => {
    const dataDir = copy()
    const server = await holdLock(join(dataDir, 'db'))
    try {
      const { of } = await find(['--data-dir', dataDir, '--secure-port', String(server.port)])
      expect(of('data')[0]?.message).to.contain('is open in a running server')
      expect(of('port')[0]).to.include({ level: 'error' })
      expect(of('port')[0]?.message).to.contain('does not answer')
    } finally {
      server.process.kill('SIGKILL')
    }
  })

  it('reports each problem of the settings file, and still checks the machine', async () => {
    const file = join(folder, 'settings.yaml')
    await writeFile(file, 'securePort: x\nnonsense: 1\n')
    const { code, of } = await find(['--config', file])
    expect([code, of('settings').map(({ message }) => message), of('node').length]).to.deep.equal([
      1,
      [`unknown key nonsense in ${file}`],
      1,
    ])
    const alone = await run(['--config', file])
    expect(alone.out).to.contain(`securePort in ${file} must be a port number from 0 to 65535`)
  })

  it('names an unreadable file of a setting, and an unreachable etcd member', async () => {
    const missing = join(folder, 'missing.yaml')
    const etcd = ['--storage', 'etcd', '--etcd-servers', 'http://127.0.0.1:1']
    const { of } = await find(['--data-dir', whole, '--platform-config', missing, ...etcd])
    expect(of('files').map(({ message }) => message)).to.deep.equal([
      `${missing} of --platform-config cannot be read: it does not exist`,
    ])
    expect(of('etcd').map(({ level }) => level)).to.deep.equal(['error'])
  })

  it('exits with 2 for a wrong flag', async () => {
    const { code, error } = await run(['--output', 'xml', '--nonsense', 'extra'])
    expect([code, error.split('\n').slice(0, 3)]).to.deep.equal([
      2,
      [
        'platform-apiserver: unknown flag --nonsense',
        'platform-apiserver: unexpected argument "extra"',
        'platform-apiserver: --output must be one of text, json',
      ],
    ])
  })

  for (const [version, nowText, level] of [
    ['20.18.3', '2025-01-01', 'error'],
    ['20.19.0', '2026-04-30', 'ok'],
    ['20.19.0', '2026-05-01', 'warning'],
    ['24.1.0', '2026-05-01', 'ok'],
  ] as const)
    it(`Node ${version} in ${nowText}: ${level}`, () => {
      expect(checkNode(version, at(Date.parse(nowText))).level).to.equal(level)
    })
})

/** Contents and times of the files below a folder. */
function contents(folder: string): [string, number, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, statSync(path).mtimeMs, readFileSync(path, 'base64')])
}

/** Process that has a database open, and a port that accepts connections without responding. */
async function holdLock(folder: string): Promise<{ process: ChildProcess; port: number }> {
  const program = `
    const { ClassicLevel } = require('classic-level')
    const level = new ClassicLevel(${JSON.stringify(folder)})
    level.open().then(() => {
      const server = require('node:net').createServer((socket) => socket.destroy())
      server.listen(0, '127.0.0.1', () => console.log(server.address().port))
    })`
  const started = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(started.stdout, 'data')) as [Buffer]
  return { process: started, port: Number(line.toString()) }
}
