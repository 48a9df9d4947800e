import { expect } from 'chai'
import { allCommands } from '../../cli/tree/allCommands.ts'
import type { Client } from './support/client.ts'
import { useClientServer } from './support/clientServer.ts'

/** Command lines with the exit code for a key with the role for command-line clients. */
const reads: Readonly<Record<string, readonly string[]>> = {
  whoami: [],
  status: [],
  'use management': ['--print'],
  'use project': ['shop', '--print'],
  'use virtualcluster': ['web', '-p', 'shop', '--print'],
  'use space': ['dev', '-p', 'shop', '--print'],
  'use cluster': ['one', '--print'],
  token: [],
  'get secret': ['db.password'],
  'list secrets': [],
  'list accesskeys': [],
  'list projects': [],
  'get project': ['shop'],
  'wait project': ['shop'],
  'list virtualclusters': ['-A'],
  'get virtualcluster': ['web', '-p', 'shop'],
  'wait virtualcluster': ['web', '-p', 'shop'],
  'list spaces': ['-p', 'shop'],
  'get space': ['dev', '-p', 'shop'],
  'wait space': ['dev', '-p', 'shop'],
  'list clusters': [],
  'get cluster': ['one'],
  'wait cluster': ['one'],
  'list users': [],
  'get user': ['admin'],
  'wait user': ['admin'],
  'list teams': [],
  'get team': ['red'],
  'wait team': ['red'],
  'config get': [],
  'config schema': [],
  'sync explain': ['-f', 'OBJECT'],
}

const writes: Readonly<Record<string, readonly string[]>> = {
  kubeconfig: ['web', '-p', 'shop'],
  'set secret': ['db.password', '--from-literal', 'x'],
  'share secret': ['db', '--user', 'admin'],
  'sync secret': ['db', '-p', 'shop', '--to', 'other'],
  'create accesskey': ['more'],
  'delete accesskey': ['spare'],
  'rotate accesskey': [],
  'create token': [],
  'create project': ['new'],
  'create virtualcluster': ['new', '-p', 'shop'],
  'create space': ['new', '-p', 'shop', '--cluster', 'one'],
  'create cluster': ['new'],
  'create user': ['new'],
  'create team': ['new'],
  'delete project': ['shop'],
  'delete virtualcluster': ['web', '-p', 'shop'],
  'delete space': ['dev', '-p', 'shop'],
  'delete cluster': ['one'],
  'delete user': ['admin'],
  'delete team': ['red'],
  'config apply': ['-f', 'CONFIG'],
  'config diff': ['-f', 'CONFIG'],
  'config edit': [],
}

/** Commands that send no requests, or end the login. */
const others = [
  ...['login', 'logout', 'contexts list', 'contexts use', 'disconnect', 'completion', 'man'],
  // These read files and databases besides the configuration.
  ...['audit tail', 'audit query', '__complete'],
]

describe('a key with the role of command-line clients', function () {
  this.timeout(90_000)
  const server = useClientServer()
  let limited: Client
  const files: Record<string, string> = {}

  before(async function () {
    this.timeout(60_000)
    const { client } = server()
    await client.ok(['create', 'cluster', 'one'])
    await client.ok(['create', 'project', 'shop', '--cluster', 'one'])
    await client.ok(['create', 'virtualcluster', 'web', '-p', 'shop'])
    await client.ok(['create', 'space', 'dev', '-p', 'shop', '--cluster', 'one'])
    await client.ok(['create', 'team', 'red'])
    await client.ok(['set', 'secret', 'db.password', '--from-literal', 's3cret'])
    await client.ok(['create', 'accesskey', 'spare'])
    const key = await client.ok(['create', 'accesskey', 'limited', '--scope', 'cli'])
    limited = await server().clientWith(key.trim())
    files['OBJECT'] = limited.file(
      'object.yaml',
      'kind: Service\napiVersion: v1\nmetadata: {name: a, namespace: b}\n',
    )
    files['CONFIG'] = limited.file('config.yaml', 'auth: {loginAccessKeyTTLSeconds: 60}\n')
  })

  const run = (words: string, args: readonly string[]) =>
    limited.run([...words.split(' '), ...args.map((arg) => files[arg] ?? arg)], {
      // Changes the file, so that it has to be saved.
      env: { EDITOR: 'sed -i 1iauth:' },
    })

  it('is tried with every command', () => {
    const tried = [...Object.keys(reads), ...Object.keys(writes), ...others].sort()
    expect(tried).to.deep.equal(allCommands.map(({ words }) => words).sort())
  })

  for (const [words, args] of Object.entries(reads))
    it(`allows ${words}`, async () => {
      const { code, stderr } = await run(words, args)
      expect([code, stderr]).to.deep.equal([0, ''])
    })

  for (const [words, args] of Object.entries(writes))
    it(`refuses ${words} with 4`, async () => {
      const { code, stderr } = await run(words, args)
      expect([code, /is forbidden|not cover/.test(stderr)], stderr).to.deep.equal([4, true])
    })

  it('shows secrets of the configuration to nobody', async () => {
    const { client } = server()
    const text =
      'auth:\n  oidc: {issuerUrl: "https://127.0.0.1:1", clientId: a, clientSecret: hunter2}\n'
    await client.ok(['config', 'apply', '-f', client.file('secret.yaml', text)])
    expect(await client.ok(['config', 'get'])).to.include('hunter2')
    expect(await limited.ok(['config', 'get'])).to.not.include('hunter2')
  })
})
