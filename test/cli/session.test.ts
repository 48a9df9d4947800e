import { expect } from 'chai'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from './support/client.ts'
import { adminPassword, useClientServer } from './support/clientServer.ts'

describe('logins of the command-line client', function () {
  this.timeout(60_000)
  const server = useClientServer()
  let client: Client
  beforeEach(() => {
    client = new Client()
  })
  afterEach(() => client.remove())

  const trust = () => ['--certificate-authority', server().authority]
  const passwordLogin = () =>
    client.ok(['login', server().url, ...trust(), '--username', 'admin', '--password-stdin'], {
      input: `${adminPassword}\n`,
    })

  it('logs in with a password from standard input, says who and where, and logs out', async () => {
    await passwordLogin()
    expect(await client.ok(['whoami'])).to.equal('admin\n')
    const status = JSON.parse(await client.ok(['status', '-o', 'json'])) as Record<string, unknown>
    expect(status).to.deep.include({
      server: server().url,
      certificate: 'verified with its own authority',
      user: 'admin',
      scope: null,
    })
    const { name, type, ends } = status['accessKey'] as Record<string, string>
    expect([name, type]).to.deep.equal([/^login-/.exec(name ?? '')?.input, 'Login'])
    const left = Date.parse(ends ?? '') - Date.now()
    expect(left).to.be.within(19.9 * 86_400_000, 20 * 86_400_000)
    await client.ok(['logout'])
    const path = `/apis/management.platform/v1/ownedaccesskeys/${name}`
    expect((await server().admin.get(path)).status).to.equal(404)
    const [code, said] = await client.fails(['whoami'])
    expect([code, said]).to.deep.equal([
      3,
      `platform: you are logged out of "127.0.0.1"\nLog in with "platform login ${server().url}".\n`,
    ])
  })

  it('keeps the access key in a file for its owner only, and nowhere else', async () => {
    await passwordLogin()
    const files = readdirSync(client.home).filter((file) => file.endsWith('.json'))
    expect(files).to.deep.equal(['credentials.json', 'settings.json'])
    const modes = files.map((file) => (statSync(join(client.home, file)).mode & 0o777).toString(8))
    expect(modes).to.deep.equal(['600', '600'])
    const { '127.0.0.1': key = '' } = JSON.parse(
      readFileSync(join(client.home, 'credentials.json'), 'utf8'),
    ) as Record<string, string>
    expect(key.length).to.be.greaterThan(30)
    expect(readFileSync(join(client.home, 'settings.json'), 'utf8')).to.not.include(key)
  })

  it('uses the keychain of the system where there is one, and passes the key on standard input', async () => {
    const bin = join(client.home, 'bin')
    const log = join(client.home, 'keychain.log')
    const store = join(client.home, 'keychain.store')
    const script = `#!/bin/sh
echo "$@" >> ${log}
case "$1" in
  store) cat > ${store} ;;
  lookup) cat ${store} ;;
  clear) rm -f ${store} ;;
esac
`
    const { mkdirSync, writeFileSync } = await import('node:fs')
    mkdirSync(bin)
    writeFileSync(join(bin, 'secret-tool'), script, { mode: 0o755 })
    const { PATH = '' } = await client.environment()
    const env = { PATH: `${bin}:${PATH}`, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
    const key = server().running.adminAccessKey
    await client.ok(['login', server().url, ...trust(), '--access-key'], { input: key, env })
    expect(await client.ok(['whoami'], { env })).to.equal('admin\n')
    expect(readFileSync(store, 'utf8')).to.equal(key)
    expect(readFileSync(log, 'utf8')).to.not.include(key)
    expect(readdirSync(client.home)).to.not.include('credentials.json')
    await client.ok(['logout'], { env })
    expect((await client.run(['whoami'], { env })).code).to.equal(3)
  })

  it('does not take an access key as an argument', async () => {
    for (const args of [['--access-key=secretkey'], ['--access-key', 'secretkey']]) {
      const here = await client.fails(['login', server().url, ...args])
      const alone = await client.fails(['login', ...args])
      for (const [code, said] of [here, alone])
        expect([code, said.includes('secretkey')]).to.deep.equal([2, false])
    }
  })

  it('does not trust a certificate of an unknown authority without being told to', async () => {
    const [code, said] = await client.fails(['login', server().url, '--access-key'], {
      input: 'key',
    })
    expect(code).to.equal(8)
    expect(said).to.match(/^platform: the certificate of 127\.0\.0\.1:\d+ is not trusted/)
    expect(said).to.include('--certificate-authority FILE')
  })

  it('remembers --insecure, and says so', async () => {
    const { running } = server()
    const first = await client.run(['login', running.url, '--insecure', '--access-key'], {
      input: running.adminAccessKey,
    })
    expect(first.stderr).to.include('Warning: the certificate of this server is not verified.')
    expect(await client.ok(['whoami'])).to.equal('admin\n')
    expect(await client.ok(['status'])).to.match(/^Certificate: +not verified$/m)
  })

  it('refuses a wrong key and a wrong password with 3, and stores nothing', async () => {
    const [code, said] = await client.fails(['login', server().url, ...trust(), '--access-key'], {
      input: 'of-nobody',
    })
    expect([code, said]).to.deep.equal([
      3,
      'platform: platform access key not found. Please login again\nLog in again with "platform login".\n',
    ])
    const args = ['login', server().url, ...trust(), '--username', 'admin', '--password-stdin']
    const [wrong] = await client.fails(args, { input: 'wrong' })
    expect(wrong).to.equal(3)
    expect(readdirSync(client.home).filter((file) => file.endsWith('.json'))).to.deep.equal([])
  })

  it('ends the earlier login when somebody logs in again', async () => {
    await passwordLogin()
    const { accessKey } = JSON.parse(await client.ok(['status', '-o', 'json'])) as {
      accessKey: { name: string }
    }
    await passwordLogin()
    const path = `/apis/management.platform/v1/ownedaccesskeys/${accessKey.name}`
    expect((await server().admin.get(path)).status).to.equal(404)
  })

  it('works in a pipeline from the environment, without a login', async () => {
    const { running, url, authority } = server()
    const env = {
      PLATFORM_URL: url,
      PLATFORM_ACCESS_KEY: running.adminAccessKey,
      PLATFORM_CA_FILE: authority,
    }
    expect(await client.ok(['whoami'], { env })).to.equal('admin\n')
    const { PLATFORM_ACCESS_KEY: _, ...without } = env
    const [code, said] = await client.fails(['whoami'], { env: without })
    expect([code, said.split('\n')[0]]).to.deep.equal([
      3,
      'platform: PLATFORM_URL is set without an access key',
    ])
  })

  it('knows several servers as contexts', async () => {
    const { running, url } = server()
    for (const name of ['one', 'two'])
      await client.ok(['login', url, ...trust(), '--name', name, '--access-key'], {
        input: running.adminAccessKey,
      })
    await client.ok(['contexts', 'use', 'one', '--project', 'shop'])
    expect(await client.ok(['contexts', 'list'])).to.equal(
      [
        `CURRENT   NAME   SERVER${' '.repeat(url.length - 3)}USER    PROJECT`,
        `*         one    ${url}   admin   shop`,
        `          two    ${url}   admin`,
        '',
      ].join('\n'),
    )
    expect(await client.ok(['whoami', '--context', 'two'])).to.equal('admin\n')
    const [code, said] = await client.fails(['whoami', '--context', 'tow'])
    expect([code, said]).to.deep.equal([
      5,
      'platform: there is no context "tow"\nContexts: one, two. "platform login URL" adds one.\n',
    ])
  })

  it('sends a key over https only', async () => {
    const [code, said] = await client.fails([
      'login',
      'http://platform.example.com',
      '--access-key',
    ])
    expect([code, said.split('\n')[0]]).to.deep.equal([
      2,
      'platform: "http://platform.example.com" is not an https address',
    ])
  })

  it('says that a server cannot be reached with 8', async () => {
    const [code, said] = await client.fails(['login', 'https://127.0.0.1:1', '--access-key'], {
      input: 'k',
    })
    expect([code, said.split('\n')[0]]).to.deep.equal([
      8,
      'platform: cannot reach 127.0.0.1:1: connection refused',
    ])
  })

  it('logs requests at -v=6 to 9 without secrets', async () => {
    await passwordLogin()
    const key = Object.values(
      JSON.parse(readFileSync(join(client.home, 'credentials.json'), 'utf8')) as object,
    )[0] as string
    const { stderr } = await client.run(['status', '-v=9'])
    expect(stderr).to.include('Authorization: Bearer ***').and.to.not.include(key)
    const six = await client.run(['whoami', '-v', '6'])
    expect(six.stderr).to.match(/^POST https:\S+selves 201 in \d+ milliseconds\n$/)
    const args = [
      'login',
      server().url,
      ...trust(),
      '--username',
      'admin',
      '--password-stdin',
      '-v9',
    ]
    const login = await client.run(args, { input: adminPassword })
    expect(login.stderr).to.include('"password":"***"').and.to.include('"accessKey":"***"')
    expect(login.stderr).to.not.include(adminPassword)
  })
})
