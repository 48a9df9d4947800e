import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { allCommands } from '../../cli/tree/allCommands.ts'
import { findOnPath } from '../conformance/support/kubectlBinaries.ts'
import { builtClient } from './support/builtClient.ts'
import { runProgram } from './support/client.ts'
import { useClientServer } from './support/clientServer.ts'
import { skip } from '../support/skip.ts'

describe('the platform by its command-line client', function () {
  this.timeout(60_000)
  const server = useClientServer()
  const client = () => server().client
  const ok = (...args: string[]) => client().ok(args)

  describe('config', () => {
    it('shows the changes of a file, applies it, and says when nothing changes', async () => {
      const file = client().file(
        'config.yaml',
        '# comment\nauth:\n  loginAccessKeyTTLSeconds: 3600\n',
      )
      const diff = await client().run(['config', 'diff', '-f', file])
      expect([diff.code, diff.stdout, diff.stderr]).to.deep.equal([
        1,
        ' auth:\n-  loginAccessKeyTTLSeconds: 1728000\n+  loginAccessKeyTTLSeconds: 3600\n projectNamespacePrefix: p-\n \n',
        '',
      ])
      const tried = await client().run(['config', 'apply', '-f', file, '--dry-run'])
      expect(tried.stderr).to.equal('The configuration is valid (dry run).\n')
      expect(await ok('config', 'get')).to.equal('')
      // The document of a new server is empty, and can be compared with itself.
      const own = client().file('own.yaml', '')
      const same = await client().run(['config', 'diff', '-f', own])
      expect([same.code, same.stdout, same.stderr]).to.deep.equal([0, '', ''])
      await ok('config', 'apply', '-f', file)
      expect(await ok('config', 'get')).to.equal(readFileSync(file, 'utf8'))
      expect((await client().run(['config', 'diff', '-f', file])).code).to.equal(0)
      expect((await client().run(['config', 'apply', '-f', file])).stderr).to.equal(
        'The configuration is unchanged.\n',
      )
      expect(await ok('config', 'get', 'auth.loginAccessKeyTTLSeconds')).to.equal('3600\n')
      expect(
        await client().fails(['config', 'get', 'auth.logInAccessKeyTTLSeconds']),
      ).to.deep.equal([
        5,
        'platform: the configuration has no "auth.logInAccessKeyTTLSeconds"\nDid you mean "loginAccessKeyTTLSeconds"?\n',
      ])
    })

    it('refuses a misspelt field', async () => {
      const [code, said] = await client().fails(['config', 'apply', '-f', '-'], {
        input: 'auth: {pasword: {}}\n',
      })
      expect([code, said]).to.deep.equal([1, /auth\.pasword/.exec(said)?.input])
    })

    it('opens the document in an editor, again with the problem while it is refused', async () => {
      const seen = join(client().home, 'seen')
      const editor = client().file(
        'editor.sh',
        `cp "$1" "${seen}.$(ls ${client().home} | grep -c seen)"
if grep -q '^#! ' "$1"; then sed -i 's/pasword/password/' "$1"; else echo 'auth: {pasword: {disabled: false}}' > "$1"; fi
`,
      )
      await client().ok(['config', 'edit'], { env: { EDITOR: `sh ${editor}` } })
      expect(readFileSync(`${seen}.1`, 'utf8')).to.match(/^#! .*auth\.pasword/)
      expect(parse(await ok('config', 'get'))).to.deep.equal({
        auth: { password: { disabled: false } },
      })
      const [code] = await client().fails(['config', 'edit'], { env: { EDITOR: 'false' } })
      expect(code).to.equal(1)
    })

    it('prints a schema for editors, in which every reference leads somewhere', async () => {
      const text = await ok('config', 'schema')
      const schema = JSON.parse(text) as {
        definitions: object
        properties: Record<string, unknown>
      }
      expect(Object.keys(schema.properties)).to.include.members(['auth', 'audit', 'uiSettings'])
      const references = [...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map(
        ([, name]) => name ?? '',
      )
      const missing = references.filter((name) => !Object.hasOwn(schema.definitions, name))
      expect([references.length > 0, missing]).to.deep.equal([true, []])
    })
  })

  it('explains the sync of an object alike with and without a server', async () => {
    const config = client().file(
      'sync.yaml',
      `sync: {toHost: {endpoints: {patches: [{path: 'subsets[*].addresses[*].ip', expression: '"10.0.0.9"'}]}}}\n`,
    )
    const object = client().file(
      'endpoints.yaml',
      'apiVersion: v1\nkind: Endpoints\nmetadata: {name: db, namespace: default}\nsubsets: [{addresses: [{ip: 10.1.2.3}]}]\n',
    )
    const args = [
      'sync',
      'explain',
      '-f',
      config,
      '-f',
      object,
      '--name',
      'web',
      '--host-namespace',
      'team-x',
    ]
    const byServer = await ok(...args)
    const { PLATFORM_HOME: _, ...env } = await client().environment()
    const offline = await runProgram(
      join(await builtClient(), 'platform'),
      [...args, '--offline'],
      {
        env: { ...env, HOME: '/nonexistent' },
      },
    )
    expect([offline.code, offline.stdout]).to.deep.equal([0, byServer])
    expect((parse(byServer) as { host: unknown }).host).to.deep.include({
      subsets: [{ addresses: [{ ip: '10.0.0.9' }] }],
    })
    const piped = await client().run(['sync', 'explain', '--offline', '-f', '-'], {
      input: 'kind: [',
    })
    expect([piped.code, piped.stderr.startsWith('platform: standard input: line 1')]).to.deep.equal(
      [1, true],
    )
  })

  describe('audit', () => {
    const event = (name: string, code = 200, user = 'jane') =>
      `${JSON.stringify({
        kind: 'Event',
        auditID: name,
        stage: 'ResponseComplete',
        stageTimestamp: '2026-01-01T00:00:00.000000Z',
        verb: 'get',
        user: { username: user },
        objectRef: { resource: 'projects', name },
        responseStatus: { code },
      })}\n`

    it('shows the newest events of a file that fit', async () => {
      const file = client().file(
        'audit.log',
        event('a') + 'damaged\n' + event('b', 403) + event('c', 404, 'bob'),
      )
      expect(await ok('audit', 'tail', '--file', file, '--lines', '2')).to.equal(
        [
          'TIME                          USER   VERB   OBJECT       CODE',
          '2026-01-01T00:00:00.000000Z   jane   get    projects b   403',
          '2026-01-01T00:00:00.000000Z   bob    get    projects c   404',
          '',
        ].join('\n'),
      )
      expect(
        await ok('audit', 'tail', '--file', file, '--code', '4xx', '--user', 'jane', '-o', 'json'),
      ).to.equal(event('b', 403))
      expect(await ok('audit', 'tail', '--file', file, '--since', '1h')).to.equal('')
      expect(
        (await client().fails(['audit', 'tail', '--file', file, '--code', 'bad']))[0],
      ).to.equal(2)
    })

    it('follows a file over its rotation', async () => {
      const file = client().file('followed.log', event('old'))
      const program = join(await builtClient(), 'platform')
      const child = spawn(program, ['audit', 'tail', '--file', file, '-f', '-o', 'json'], {
        env: await client().environment(),
      })
      let seen = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text))
      const until = async (text: string) => {
        while (!seen.includes(text)) await new Promise((turn) => setTimeout(turn, 20))
      }
      try {
        await until(event('old'))
        appendFileSync(file, event('new').slice(0, 30))
        appendFileSync(file, event('new').slice(30))
        await until(event('new'))
        renameSync(file, `${file}.1`)
        writeFileSync(file, event('rotated'))
        await until(event('rotated'))
        expect(seen).to.equal(event('old') + event('new') + event('rotated'))
      } finally {
        child.kill()
      }
    })

    it('reads the file that the configuration names', async () => {
      const path = join(client().home, 'configured.log')
      const config = client().file(
        'audit.yaml',
        `audit: {enabled: true, level: 3, path: ${path}}\n`,
      )
      await ok('config', 'apply', '-f', config)
      await ok('list', 'projects')
      while (!existsSync(path)) await new Promise((turn) => setTimeout(turn, 20))
      expect(await ok('audit', 'tail', '--resource', 'projects')).to.match(
        /admin +list +projects +200\n$/,
      )
    })

    it('says how to name the database, and does not show its password', async () => {
      const [code, said] = await client().fails(['audit', 'query'])
      expect([code, said.split('\n')[0]]).to.deep.equal([1, 'platform: no audit database is known'])
      const env = { PLATFORM_AUDIT_STORE: 'postgres://user:hunter2@127.0.0.1:1/audit' }
      const [unreachable, why] = await client().fails(['audit', 'query'], { env })
      expect([unreachable, why.includes('hunter2')]).to.deep.equal([8, false])
    })
  })

  describe('completion', () => {
    before(async () => {
      await ok('create', 'project', 'alpha')
      await ok('create', 'project', 'beta')
    })

    const cases: [words: string[], lines: string[]][] = [
      [
        ['use', 'pro'],
        [
          'project\twrite a context for the namespace of a project, and make it the default project',
          ':4',
        ],
      ],
      [
        ['get', 'project', ''],
        ['alpha', 'beta', ':4'],
      ],
      [
        ['get', 'project', 'b'],
        ['beta', ':4'],
      ],
      [
        ['list', 'secrets', '--project='],
        ['--project=alpha', '--project=beta', ':4'],
      ],
      [
        ['list', 'secrets', '--project', ''],
        ['alpha', 'beta', ':4'],
      ],
      [
        ['whoami', '--context', ''],
        ['test', ':4'],
      ],
      [
        ['completion', 'f'],
        ['fish', ':4'],
      ],
      [['config', 'apply', '-f', ''], [':0']],
      [
        ['list', 'projects', '--sel'],
        ['--selector\tlabel selector, such as team=a,env!=test', ':4'],
      ],
      [['nothing', ''], [':4']],
    ]
    for (const [words, lines] of cases)
      it(`offers ${lines.length - 1} for "${words.join(' ')}"`, async () => {
        expect((await ok('__complete', '--', ...words)).trimEnd().split('\n')).to.deep.equal(lines)
      })

    it('offers nothing, and no error, without a login', async () => {
      const env = { PLATFORM_HOME: '/nonexistent' }
      const { code, stdout, stderr } = await client().run(
        ['__complete', '--', 'get', 'project', ''],
        { env },
      )
      expect([code, stdout, stderr]).to.deep.equal([0, ':4\n', ''])
    })

    it('answers completion requests of kubectl', async () => {
      const program = join(await builtClient(), 'kubectl_complete-platform')
      const { stdout } = await runProgram(program, ['get', 'project', 'a'], {
        env: await client().environment(),
      })
      expect(stdout).to.equal('alpha\n:4\n')
    })
  })

  it('has a manual page for every command, which man formats without a complaint', async function () {
    const folder = join(client().home, 'man')
    await ok('man', '--out', folder)
    for (const { words, isHidden } of allCommands)
      expect(existsSync(join(folder, `platform-${words.replaceAll(' ', '-')}.1`))).to.equal(
        isHidden !== true,
      )
    const groff = findOnPath('groff')
    if (groff === undefined) skip(this, 'groff not found')
    for (const page of ['platform', 'platform-create-accesskey', 'platform-login']) {
      const { stdout, stderr } = await runProgram(
        groff,
        ['-man', '-Tutf8', '-ww', join(folder, `${page}.1`)],
        { env: { PATH: process.env['PATH'] ?? '' } },
      )
      expect([stderr, stdout.includes(page)]).to.deep.equal(['', true])
    }
    expect((await client().fails(['man', 'nothing']))[0]).to.equal(5)
  })

  it('shows help of commands', async () => {
    for (const { words, summary } of allCommands.filter((_, index) => index % 12 === 0))
      expect(await ok(...words.split(' '), '--help')).to.include(summary)
  })

  it('watches a list until it is interrupted', async () => {
    const program = join(await builtClient(), 'platform')
    const child = spawn(program, ['list', 'teams', '--watch'], {
      env: await client().environment(),
    })
    let seen = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text))
    const until = async (pattern: RegExp) => {
      while (!pattern.test(seen)) await new Promise((turn) => setTimeout(turn, 20))
    }
    await until(/NAME/)
    await ok('create', 'team', 'watched')
    await until(/watched .*\d+s/)
    await ok('delete', 'team', 'watched')
    await until(/watched +deleted/)
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGINT')
    expect(await ended).to.be.oneOf([0, 130])
  })

  it('waits no longer than --timeout, and says so with 7', async () => {
    await ok('create', 'team', 'slow')
    const [code, said] = await client().fails([
      'wait',
      'team',
      'slow',
      '--for',
      'condition=Ready',
      '--timeout',
      '1s',
    ])
    expect([code, said.split('\n')[0]]).to.deep.equal([
      7,
      'platform: waited 1 s for the team "slow"',
    ])
  })

  it('acts as another user with --as', async () => {
    await ok('create', 'user', 'jane')
    expect(await ok('whoami', '--as', 'jane', '-o', 'jsonpath={.status.subject}')).to.equal('jane')
    expect((await client().fails(['list', 'users', '--as', 'jane']))[0]).to.be.oneOf([0, 4])
  })
})
