import { expect } from 'chai'
import { runCommand, type Surroundings } from '../../apiserver/command/command.ts'
import type { Environment } from '../../apiserver/command/config/config.ts'
import type { RunningServer, ServerOptions } from '../../apiserver/runtime/options/serverOptions.ts'
import { startFailure } from '../../apiserver/command/startFailure.ts'
import { StorageError } from '../../apiserver/storage/errors.ts'
import { otherPrograms } from '../support/otherPrograms.ts'

class Process {
  env: Environment = {}
  out = ''
  error = ''
  started: ServerOptions | undefined
  stops = 0
  failure: Error | undefined

  async run(...args: string[]): Promise<number> {
    const around: Surroundings = {
      env: this.env,
      writeOut: async (text) => void (this.out += text),
      writeError: (text) => void (this.error += text),
      stopRequested: Promise.resolve(),
      startServer: async (options) => this.#start(options),
      ...otherPrograms,
      migrateStorage: (options, move) =>
        Promise.resolve(
          move === undefined
            ? `rewrote ${options.dataDir ?? ''}`
            : `copied ${move.from} to ${move.to} in ${options.dataDir ?? ''}`,
        ),
    }
    return runCommand(args, around)
  }

  #start(options: ServerOptions): RunningServer {
    if (this.failure !== undefined) throw this.failure
    this.started = options
    const stop = async () => void this.stops++
    return {
      url: 'https://127.0.0.1:8443',
      insecureUrl: undefined,
      caCertificate: undefined,
      adminAccessKey: 'secret',
      kubeconfig: '',
      stop,
      [Symbol.asyncDispose]: stop,
    }
  }
}

describe('runCommand', () => {
  let process: Process
  beforeEach(() => (process = new Process()))

  it('without a command: prints the help with exit code 0', async () => {
    expect(await process.run()).to.equal(0)
    expect(process.out).to.contain('platform-apiserver serve [flags]')
    expect(process.error).to.equal('')
  })

  it('--version: prints the version of the package', async () => {
    expect(await process.run('--version')).to.equal(0)
    expect(process.out).to.match(/^platform-apiserver \d+\.\d+\.\d+\n$/)
  })

  it("serve: passes the environment on without the server's own secrets", async () => {
    process.env = { PLATFORM_ADMIN_ACCESS_KEY: 'abc', PLATFORM_LOG_LEVEL: 'warn', OTHER: 'x' }
    await process.run('serve')
    expect(process.started?.environment).to.deep.equal({ PLATFORM_LOG_LEVEL: 'warn', OTHER: 'x' })
  })

  it('serve: prints one line once it serves, stops on request, exit code 0', async () => {
    expect(await process.run('serve', '--admin-access-key', 'abc')).to.equal(0)
    expect(process.out).to.equal('serving https://127.0.0.1:8443\n')
    expect(process.error).to.equal('')
    expect(process.started).to.include({ adminAccessKey: 'abc', securePort: 8443 })
    expect(process.stops).to.equal(1)
  })

  it('wrong usage: one line for each problem, exit code 2, nothing started', async () => {
    expect(await process.run('serve', '--nonsense', '--secure-port', 'x')).to.equal(2)
    expect(process.error.split('\n')).to.deep.equal([
      'platform-apiserver: unknown flag --nonsense',
      'platform-apiserver: --secure-port must be a port number from 0 to 65535; it is "x"',
      'platform-apiserver --help shows every flag',
      '',
    ])
    expect(process.started).to.equal(undefined)
    expect(process.out).to.equal('')
  })

  const failures = [
    {
      name: 'a folder in use',
      failure: new StorageError('Locked', 'the data folder is in use by another process'),
      want: 'the data folder is in use by another process',
    },
    {
      name: 'a port in use',
      failure: systemError({
        code: 'EADDRINUSE',
        syscall: 'listen',
        address: '127.0.0.1',
        port: 8443,
      }),
      want: 'cannot listen on address 127.0.0.1 port 8443: it is in use by another process',
    },
    {
      name: 'an address of another machine',
      failure: systemError({ code: 'EADDRNOTAVAIL', syscall: 'listen', address: '192.0.2.1' }),
      want: 'cannot listen on address 192.0.2.1: this machine does not have that address',
    },
    {
      name: 'a folder that cannot be written to',
      failure: systemError({ code: 'EACCES', syscall: 'mkdir', path: '/data' }),
      want: 'cannot make the folder /data: permission denied',
    },
    {
      name: 'a folder where none can be made',
      failure: systemError({ code: 'ENOENT', syscall: 'mkdir', path: '/proc/data' }),
      want: 'cannot make the folder /proc/data: folders cannot be made there',
    },
    { name: 'anything else', failure: new Error('odd'), want: 'unexpected failure: odd' },
  ]
  for (const { name, failure, want } of failures) {
    it(`${name}: one sentence, exit code 1`, async () => {
      process.failure = failure
      expect(await process.run('serve')).to.equal(1)
      expect(process.error).to.equal(`platform-apiserver: ${want}\n`)
      expect(process.out).to.equal('')
    })
  }

  it('copies to another storage what storage migrate names, and refuses half of it', async () => {
    const migrate = (...args: string[]) => process.run('storage', 'migrate', ...args)
    expect(await migrate('--from', 'level', '--to', 'etcd', '--data-dir', 'd')).to.equal(0)
    expect(process.out).to.match(/^copied level to etcd in \S*d\n$/)
    for (const [args, told] of [
      [['--from', 'level'], '--from requires --to'],
      [['--to', 'etcd'], '--to requires --from'],
      [['--from', 'etcd', '--to', 'etcd'], '--from and --to must name different storages'],
      [['--from', 'level', '--to', 'memory'], '--to must be one of level, etcd'],
      [['--from', 'level', '--to', 'etcd', 'more'], 'unexpected argument "more"'],
      [['--from', 'level', '--to', 'etcd', '--datadir', 'd'], '--datadir'],
    ] as const) {
      process = new Process()
      expect(await migrate(...args), args.join(' ')).to.equal(2)
      expect(process.error).to.contain(told)
      expect(process.out).to.equal('')
    }
  })
})

describe('startFailure', () => {
  const said = new Error('storage cannot take writes at this time, please try again later.')

  it('is the fault that stopped storage writes rather than its consequences', () => {
    const failure = new StorageError('Unavailable', 'No space left on device')
    const ready = () => {
      throw failure
    }
    expect(startFailure(said, { ready })).to.equal(failure)
  })

  it('is the original error while the storage accepts writes or is not open yet', () => {
    expect(startFailure(said, { ready: () => undefined })).to.equal(said)
    expect(startFailure(said, undefined)).to.equal(said)
  })
})

function systemError(fields: object): Error {
  return Object.assign(new Error('as Node words it'), fields)
}
