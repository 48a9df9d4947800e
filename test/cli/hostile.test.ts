import { expect } from 'chai'
import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { builtClient } from './support/builtClient.ts'
import { Client, runProgram } from './support/client.ts'
import { adminPassword, useClientServer } from './support/clientServer.ts'
import { HostileServer, json, type HostileOptions } from './support/hostileServer.ts'
import { skip } from '../support/skip.ts'

const escapes = '\u001b[2J\u001b]0;title\u0007\u009b31m\u202ename\r\nnext'
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/
const key = 'an-access-key-of-jane'

function tableOf(names: readonly string[]) {
  return {
    kind: 'Table',
    metadata: { resourceVersion: '1' },
    columnDefinitions: [{ name: 'Name', priority: 0 }],
    rows: names.map((name) => ({ cells: [name], object: { metadata: { name } } })),
  }
}

describe('the command-line client against a hostile surrounding', function () {
  this.timeout(60_000)
  let client: Client
  const servers: HostileServer[] = []
  beforeEach(() => {
    client = new Client()
  })
  afterEach(async () => {
    client.remove()
    for (const server of servers.splice(0)) await server.stop()
  })

  const start = async (
    answer: Parameters<typeof HostileServer.start>[0],
    options: HostileOptions = {},
  ) => {
    const server = await HostileServer.start(answer, options)
    servers.push(server)
    return server
  }
  const loginTo = (server: HostileServer, ...more: string[]) => {
    const ca = client.file(`ca-${server.port}.crt`, server.ca)
    const args = ['login', server.url, '--certificate-authority', ca, '--access-key', ...more]
    return client.run(args, { input: key })
  }
  const program = async (name = 'platform') => join(await builtClient(), name)

  describe('a server', () => {
    it('cannot control the terminal with names, warnings and errors', async () => {
      const server = await start((request, response) => {
        const text = escapes.replaceAll('\r', '').replaceAll('\n', '')
        response.setHeader('Warning', `299 - "${encodeURIComponent('x')}"`)
        if (request.url?.includes('/projects/')) json(response, { message: escapes }, 500)
        else if (request.url?.includes('sharedsecrets'))
          json(response, {
            metadata: {},
            items: [{ metadata: { name: text, namespace: text }, spec: { displayName: text } }],
          })
        else json(response, tableOf([escapes]))
      })
      expect((await loginTo(server)).code).to.equal(0)
      for (const args of [
        ['list', 'projects'],
        ['list', 'secrets'],
        ['get', 'project', 'a'],
      ]) {
        const { stdout, stderr } = await client.run(args)
        expect([args, control.test(stdout + stderr)]).to.deep.equal([args, false])
        expect(stdout + stderr).to.include('name')
      }
    })

    it('cannot control the terminal with an object, which programs get as it is', async function () {
      const script = '/usr/bin/script'
      if (!statSync(script, { throwIfNoEntry: false })) skip(this, `${script} not found`)
      const server = await start((_, response) => json(response, { metadata: { name: escapes } }))
      await loginTo(server)
      const args = ['get', 'project', 'a', '-o', 'jsonpath={.metadata.name}']
      expect(await client.ok(args)).to.equal(escapes)
      const line = `'${await program()}' ${args.map((arg) => `'${arg}'`).join(' ')}`
      const { stdout } = await runProgram(script, ['-qec', line, '/dev/null'], {
        env: await client.environment(),
      })
      // The terminal itself inserts a carriage return before each line break.
      expect([
        stdout.includes('name'),
        control.test(stdout.replaceAll('\r\n', '\n')),
      ]).to.deep.equal([true, false])
    })

    it('may send a table of 200,000 rows', async () => {
      const names = Array.from({ length: 200_000 }, (_, index) => `project-${index}`)
      const server = await start((_, response) => json(response, tableOf(names)))
      await loginTo(server)
      const text = await client.ok(['list', 'projects'])
      expect(text.split('\n').length).to.equal(names.length + 2)
    })

    it('cannot send the key to another server', async () => {
      const other = await start((_, response) => json(response, tableOf([])))
      const server = await start((request, response) => {
        // A watch starts after a list.
        const isList = request.url?.includes('watch=true') === false && /teams/.test(request.url)
        if (isList) json(response, tableOf([]))
        else response.writeHead(307, { Location: `${other.url}${request.url}` }).end()
      })
      await loginTo(server)
      expect(await client.fails(['list', 'projects'])).to.deep.equal([
        1,
        `platform: the server answered 307, and redirects to ${other.url}\nRedirects are not followed, since they would take your access key along. Log in there if you trust it.\n`,
      ])
      expect(await client.fails(['list', 'teams', '--watch'])).to.deep.equal([
        1,
        'platform: the watch was refused: Temporary Redirect\n',
      ])
      expect(server.requests.at(-1)?.key).to.equal(`Bearer ${key}`)
      expect(other.requests).to.deep.equal([])
    })

    const certificates: [what: string, options: HostileOptions, why: string][] = [
      ['of another host', { hosts: ['other.example.com'] }, 'does not match certificate'],
      ['that has expired', { to: new Date(Date.now() - 1_000) }, 'certificate has expired'],
    ]
    for (const [what, options, why] of certificates)
      it(`is not trusted with a certificate ${what}, also by a known authority`, async () => {
        const server = await start((_, response) => json(response, {}), options)
        const { code, stderr } = await loginTo(server)
        expect([code, stderr.includes(why), server.requests], stderr).to.deep.equal([8, true, []])
      })

    const strange: [what: string, body: string][] = [
      ['a page', '<!doctype html><title>Log in to the network</title>'],
      ['nothing but null', 'null'],
      ['a list of numbers', '[1]'],
      ['items that are no list', '{"items":5}'],
      ['items without metadata', '{"items":[null]}'],
    ]
    for (const [what, body] of strange)
      it(`that answers with ${what} is named, with what to check`, async () => {
        const server = await start((_, response) => {
          response.writeHead(200, { 'Content-Type': 'text/html' }).end(body)
        })
        await loginTo(server)
        expect(await client.fails(['list', 'projects', '-o', 'json'])).to.deep.equal([
          1,
          `platform: ${server.url} did not answer with an object of the API\nCheck the address, and whether a proxy or a login page in between answers instead.\n`,
        ])
      })

    it('is given up when its answer has no end', async () => {
      const chunk = Buffer.alloc(4 * 1024 * 1024, 'x')
      const server = await start((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(chunk));
        }
        response.writeHead(200).on('drain', more)
        more()
      })
      await loginTo(server)
      const [code, said] = await client.fails(['get', 'project', 'a'])
      expect([code, said.split('\n')[0]]).to.deep.equal([
        8,
        `platform: cannot reach 127.0.0.1:${server.port}: the answer is too large`,
      ])
    })

    it('cannot fill the screen with an error', async () => {
      const server = await start((_, response) => json(response, { message: 'x'.repeat(1e6) }, 500))
      await loginTo(server)
      const [code, said] = await client.fails(['list', 'projects'])
      expect([code, said.length < 5_000], said.slice(0, 100)).to.deep.equal([1, true])
    })

    it('is given up after --request-timeout', async () => {
      const server = await start(() => undefined)
      await loginTo(server)
      const [code, said] = await client.fails(['list', 'projects', '--request-timeout', '1s'])
      expect([code, said.split('\n')[0]]).to.deep.equal([
        8,
        `platform: cannot reach 127.0.0.1:${server.port}: no answer within 1 s`,
      ])
    })
  })

  describe('a proxy', () => {
    it('is used for servers on other machines only, and sees no key', async () => {
      const server = await start((_, response) => json(response, tableOf(['through'])), {
        hosts: ['platform.test', '127.0.0.1'],
      })
      const seen: string[] = []
      const proxy = createServer((_, response) => response.writeHead(403).end())
      proxy.on('connect', ({ url = '', headers }, socket) => {
        seen.push(`${url} ${headers['proxy-authorization'] ?? ''} ${headers.authorization ?? ''}`)
        if (url.startsWith('closed.test')) return void socket.end('HTTP/1.1 407 No\r\n\r\n')
        const onwards = connect(server.port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
          onwards.pipe(socket).pipe(onwards)
        })
        for (const each of [onwards, socket]) each.on('error', () => each.destroy())
      })
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      // Sound: the server listens on a port.
      const { port } = proxy.address() as AddressInfo
      const env = {
        HTTPS_PROXY: `http://me:pass@127.0.0.1:${port}`,
        PLATFORM_URL: `https://platform.test:${server.port}`,
        PLATFORM_ACCESS_KEY: key,
        PLATFORM_CA_FILE: client.file('ca.crt', server.ca),
      }
      try {
        expect(await client.ok(['list', 'projects'], { env })).to.equal('NAME\nthrough\n')
        const line = `platform.test:${server.port} Basic ${btoa('me:pass')} `
        expect(new Set(seen)).to.deep.equal(new Set([line]))
        const here = { ...env, PLATFORM_URL: server.url }
        seen.length = 0
        expect(await client.ok(['list', 'projects'], { env: here })).to.equal('NAME\nthrough\n')
        expect(seen).to.deep.equal([])
        const closed = { ...env, PLATFORM_URL: `https://closed.test:${server.port}` }
        const [code, said] = await client.fails(['list', 'projects'], { env: closed })
        expect([code, said.split('\n')[0]]).to.deep.equal([
          8,
          `platform: cannot reach closed.test:${server.port} through the proxy 127.0.0.1:${port}: it answered 407`,
        ])
      } finally {
        proxy.close()
        proxy.closeAllConnections()
      }
    })
  })

  describe('files', () => {
    const start200 = () => start((_, response) => json(response, tableOf(['a'])))

    it('closes credentials that others could read, and says so', async () => {
      await loginTo(await start200())
      const file = join(client.home, 'credentials.json')
      chmodSync(file, 0o644)
      const { code, stderr } = await client.run(['list', 'projects'])
      expect([code, stderr]).to.deep.equal([
        0,
        `Warning: other users could read ${file} until now; replace the key: rotate accesskey\n`,
      ])
      expect(statSync(file).mode & 0o777).to.equal(0o600)
      expect((await client.run(['list', 'projects'])).stderr).to.equal('')
    })

    it('does not use settings and credentials that others could change', async () => {
      const server = await start200()
      await loginTo(server)
      for (const name of ['settings.json', 'credentials.json']) {
        const file = join(client.home, name)
        chmodSync(file, 0o666)
        const before = server.requests.length
        expect(await client.fails(['list', 'projects'])).to.deep.equal([
          1,
          `platform: ${file} can be changed by other users\nLook through it, then run: chmod 600 ${file}\n`,
        ])
        expect(server.requests.length).to.equal(before)
        chmodSync(file, 0o600)
      }
    })

    it('survive a disk that is full', async () => {
      const server = await start200()
      await loginTo(server)
      const large = `# ${'x'.repeat(64 * 1024)}\napiVersion: v1\nkind: Config\n`
      writeFileSync(client.kubeconfig, large)
      const before = readFileSync(join(client.home, 'settings.json'), 'utf8')
      // Limits files to 8 KiB.
      const limited = (line: string) =>
        runProgram('/bin/sh', ['-c', `ulimit -f 16; exec ${line}`], {
          env: { PATH: process.env['PATH'] ?? '' },
        })
      const env = Object.entries(await client.environment())
        .map(([name, value]) => `${name}='${value}'`)
        .join(' ')
      const { code, stderr } = await limited(`env ${env} '${await program()}' use management`)
      expect([code, stderr]).to.deep.equal([
        1,
        `platform: ${client.kubeconfig}: the file would be too large\n`,
      ])
      expect(readFileSync(client.kubeconfig, 'utf8')).to.equal(large)
      expect(readFileSync(join(client.home, 'settings.json'), 'utf8')).to.equal(before)
      const left = readdirSync(client.home).filter((name) => name.startsWith('kubeconfig'))
      expect(left).to.deep.equal(['kubeconfig'])
    })

    it('are not needed in a pipeline: without a home folder the environment is enough', async function () {
      if (process.getuid?.() !== 0) skip(this, 'only root can drop privileges')
      const server = await start200()
      const env: Record<string, string> = {
        PATH: process.env['PATH'] ?? '',
        PLATFORM_URL: server.url,
        PLATFORM_ACCESS_KEY: key,
        PLATFORM_CA_FILE: client.file('ca.crt', server.ca),
      }
      chmodSync(client.home, 0o755)
      const asNobody = async (args: string[]) => {
        // User id that the machine does not know.
        const line = ['--reuid', '54321', '--clear-groups', process.execPath, await copied()]
        return runProgram('/usr/bin/setpriv', [...line, ...args], { env })
      }
      const done = await asNobody(['list', 'projects'])
      expect([done.code, done.stdout, done.stderr]).to.deep.equal([0, 'NAME\na\n', ''])
      delete env['PLATFORM_URL']
      const { code, stderr } = await asNobody(['list', 'projects'])
      expect([code, stderr]).to.deep.equal([
        1,
        'platform: you have no home folder on this machine\nSet HOME to a folder that you may write to.\n',
      ])
    })

    /** Copies the program to a place where every user may read it. */
    async function copied(): Promise<string> {
      const folder = join(client.home, 'program')
      mkdirSync(folder, { recursive: true })
      for (const name of ['main.js', 'chunks'])
        cpSync(join(await builtClient(), name), join(folder, name), { recursive: true })
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      return join(folder, 'main.js')
    }

    it('keep both of two logins at once to servers of one host', async () => {
      const pair = await Promise.all([start200(), start200()])
      const done = await Promise.all(pair.map((server) => loginTo(server)))
      expect(done.map(({ code }) => code)).to.deep.equal([0, 0])
      for (const name of ['127.0.0.1', '127.0.0.1-2'])
        expect(await client.ok(['list', 'projects', '--context', name])).to.equal('NAME\na\n')
    })
  })

  describe('an interruption', () => {
    const cases: [what: string, args: string[], env: Record<string, string>][] = [
      ['of a login in a browser', [], { BROWSER: 'true' }],
      ['of a login that waits for its code', ['--no-browser'], {}],
      ['of a login that waits for its key', ['--access-key'], {}],
    ]
    for (const [what, more, env] of cases)
      it(`${what} ends it with 130, and stores nothing`, async () => {
        const server = await HostileServer.start(() => undefined)
        servers.push(server)
        const ca = client.file('ca.crt', server.ca)
        const args = ['login', server.url, '--certificate-authority', ca, ...more]
        const child = spawn(await program(), args, {
          env: { ...(await client.environment()), ...env },
        })
        const said = once(child.stderr, 'data')
        try {
          while (server.requests.length === 0) await new Promise((turn) => setTimeout(turn, 20))
          // A login with an access key prints nothing yet; the others print their address.
          if (!more.includes('--access-key')) await said
          child.kill('SIGINT')
          const [code] = (await once(child, 'close')) as [number | null]
          expect(code).to.equal(130)
        } finally {
          child.kill('SIGKILL')
        }
        expect(readdirSync(client.home).filter((name) => name.endsWith('.json'))).to.deep.equal([])
      })
  })
})

describe('two logins at once', function () {
  this.timeout(60_000)
  const server = useClientServer()

  it('leave one login on the server, which works', async () => {
    const client = new Client()
    try {
      const { url, authority, admin } = server()
      const args = ['login', url, '--certificate-authority', authority, '--username', 'admin']
      const login = () => client.ok([...args, '--password-stdin'], { input: adminPassword })
      await Promise.all([login(), login(), login()])
      expect(await client.ok(['whoami'])).to.equal('admin\n')
      const keys = await admin.get('/apis/management.platform/v1/users/admin/accesskeys')
      // Sound: the keys have these types.
      const all = keys.field('accessKeys') as { spec: { type: string } }[]
      expect(all.filter(({ spec }) => spec.type === 'Login').length).to.equal(1)
    } finally {
      rmSync(client.home, { recursive: true, force: true })
    }
  })
})
