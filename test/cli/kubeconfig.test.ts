import { expect } from 'chai'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { kubectlFiles } from '../conformance/support/kubectlBinaries.ts'
import { parse } from 'yaml'
import { management } from '../endpoints/support/testServer.ts'
import { runProgram, type Output } from './support/client.ts'
import { useClientServer } from './support/clientServer.ts'
import { skip } from '../support/skip.ts'

/** Oldest and newest kubectl of this machine. */
function kubectlsHere(): string[] {
  const versions = kubectlFiles().filter((file) => /\.1\.\d+$/.test(file))
  const sorted = versions.sort((a, b) => minorOf(a) - minorOf(b))
  const ends = new Set([sorted.at(0), sorted.at(-1), ...(sorted.length > 0 ? [] : kubectlFiles())])
  return [...ends].filter((file) => file !== undefined)
}

function minorOf(name: string): number {
  return Number(name.split('.').at(-1))
}

const kubectls = kubectlsHere()

interface Exec {
  kind: string
  apiVersion: string
  status: { token?: string; clientCertificateData?: string; expirationTimestamp?: string }
}

describe('kubeconfig contexts of the command-line client', function () {
  this.timeout(90_000)
  const server = useClientServer()
  const client = () => server().client

  before(async function () {
    this.timeout(60_000)
    await client().ok(['create', 'project', 'shop', '--cluster', '*'])
    await client().ok(['create', 'cluster', 'one'])
    const template = { accessPoint: { ingress: { enabled: true } } }
    const instances = `${management}/namespaces/p-shop/virtualclusterinstances`
    await server().admin.post(instances, { metadata: { name: 'web' }, spec: { template } })
    await client().ok(['wait', 'virtualcluster', 'web', '-p', 'shop'])
    await client().ok([
      'create',
      'space',
      'dev',
      '-p',
      'shop',
      '--cluster',
      'one',
      '--host-namespace',
      'dev-ns',
    ])
  })
  beforeEach(() => writeFileSync(client().kubeconfig, ''))

  const config = () => parse(readFileSync(client().kubeconfig, 'utf8')) as Record<string, unknown>
  const kubectl = async (program: string, args: readonly string[]): Promise<Output> =>
    runProgram(program, args, { env: await client().environment() })
  const cached = () => {
    const path = join(client().home, 'cache', 'credentials')
    return existsSync(path) ? readdirSync(path, { recursive: true }).map(String) : []
  }

  const targets: [args: string[], path: string, namespace?: string][] = [
    [['management'], '/kubernetes/management'],
    [['project', 'shop'], '/kubernetes/management', 'p-shop'],
    [['virtualcluster', 'web'], '/kubernetes/project/shop/virtualcluster/web'],
    [['space', 'dev', '-p', 'shop'], '/kubernetes/project/shop/space/dev', 'dev-ns'],
    [['cluster', 'one'], '/kubernetes/cluster/one'],
  ]
  for (const [args, path, namespace] of targets) {
    it(`writes a context for ${args.join(' ')}`, async () => {
      const text = await client().ok(['use', ...args, '--print'])
      const { clusters, contexts, users } = parse(text) as {
        clusters: [{ cluster: { server: string } }]
        contexts: [{ context: { namespace?: string } }]
        users: [{ user: { exec: { args: string[] } } }]
      }
      expect(clusters[0].cluster.server).to.equal(server().url + path)
      expect(contexts[0].context.namespace).to.equal(namespace)
      expect(users[0].user.exec.args).to.deep.equal(['token', '--context', 'test'])
      expect(text).to.not.include(server().running.adminAccessKey)
    })
  }

  it('changes a kubeconfig and leaves everything else in it', async () => {
    const other = `# written by hand
apiVersion: v1
kind: Config
preferences: {colors: true}
clusters:
  - name: mine
    cluster: {server: https://mine.example.com, extensions: [{name: x, extension: {a: 1}}]}
users: []
contexts:
  - name: mine
    context: {cluster: mine, user: ""}
current-context: mine
`
    writeFileSync(client().kubeconfig, other)
    await client().ok(['use', 'management'])
    await client().ok(['use', 'management'])
    const text = readFileSync(client().kubeconfig, 'utf8')
    expect(text).to.include('# written by hand').and.to.include('extension: { a: 1 }')
    const { contexts, clusters } = config() as { contexts: { name: string }[]; clusters: unknown[] }
    expect(contexts.map(({ name }) => name)).to.deep.equal(['mine', 'platform_test_management'])
    expect([clusters.length, config()['current-context']]).to.deep.equal([
      2,
      'platform_test_management',
    ])
    await client().ok(['disconnect', '--all'])
    expect([config()['current-context'], (config()['contexts'] as unknown[]).length]).to.deep.equal(
      ['mine', 1],
    )
    const [code] = await client().fails(['disconnect'])
    expect(code).to.equal(1)
  })

  it('keeps every context when several are written at once', async () => {
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(names.map((name) => client().ok(['use', 'management', '--name', name])))
    const { contexts } = config() as { contexts: { name: string }[] }
    expect(contexts.map(({ name }) => name).sort()).to.deep.equal(names)
  })

  it('does not touch a kubeconfig that it cannot read', async () => {
    writeFileSync(client().kubeconfig, 'a: [')
    const [code, said] = await client().fails(['use', 'management'])
    expect([code, said.includes('is not valid YAML')]).to.deep.equal([1, true])
    expect(readFileSync(client().kubeconfig, 'utf8')).to.equal('a: [')
  })

  it('suggests the name that was probably meant', async () => {
    const [code, said] = await client().fails(['use', 'virtualcluster', 'wbe', '-p', 'shop'])
    expect([code, said]).to.deep.equal([
      5,
      'platform: project shop has no virtual cluster "wbe"\nDid you mean "web"?\n',
    ])
  })

  for (const version of ['v1', 'v1beta1'])
    it(`prints an ExecCredential of ${version} when the client asks for it`, async () => {
      const apiVersion = `client.authentication.k8s.io/${version}`
      const env = {
        KUBERNETES_EXEC_INFO: JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: {} }),
      }
      const answer = JSON.parse(await client().ok(['token'], { env })) as Exec
      expect(answer).to.deep.include({ kind: 'ExecCredential', apiVersion })
      expect(answer.status).to.deep.equal({ token: server().running.adminAccessKey })
    })

  it('refuses an ExecCredential of an unknown version', async () => {
    const env = { KUBERNETES_EXEC_INFO: '{"apiVersion":"client.authentication.k8s.io/v9"}' }
    const [code, said] = await client().fails(['token'], { env })
    expect([code, said.split('\n')[0]]).to.deep.equal([
      1,
      'platform: cannot give a credential as "client.authentication.k8s.io/v9"',
    ])
  })

  it('keeps a direct token until shortly before its end, then gets another one', async () => {
    const args = ['token', '--direct', '--ttl', '3']
    const ask = async () => (JSON.parse(await client().ok(args)) as Exec).status
    // A process that asks again was refused and would get a new credential: these are different
    // processes.
    const viaShell = async () => {
      const program = `${(await client().environment())['PATH']?.split(':')[0]}/platform`
      const line = `"${program}" ${args.join(' ')}; true`
      const { stdout } = await runProgram('/bin/sh', ['-c', line], {
        env: await client().environment(),
      })
      return (JSON.parse(stdout) as Exec).status
    }
    const first = await viaShell()
    expect(Date.parse(first.expirationTimestamp ?? '') - Date.now()).to.be.below(3_000)
    const next = await ask()
    expect(cached().some((file) => file.endsWith('.json'))).to.equal(true)
    await new Promise((done) => setTimeout(done, 3_000))
    const last = await ask()
    expect(last.token).to.not.equal(first.token)
    expect(last.token).to.not.equal(next.token)
  })

  for (const program of kubectls) {
    describe(basename(program), () => {
      it('goes on with a context over a rotation of the key', async () => {
        const key = await server().admin.post(`${management}/ownedaccesskeys`, {
          metadata: { name: `rotated-${kubectls.indexOf(program)}` },
          spec: { user: 'admin', type: 'User' },
        })
        const other = await server().clientWith(String(key.field('spec', 'key')))
        await other.ok(['use', 'management'])
        const env = await other.environment()
        const ask = () => runProgram(program, ['get', 'projects', '-o', 'name'], { env })
        const expected = 'project.management.platform/shop\n'
        expect((await ask()).stdout).to.equal(expected)
        await other.ok(['rotate', 'accesskey'])
        const old = await server()
          .clientWith(String(key.field('spec', 'key')))
          .catch((error: Error) => error.message)
        expect(old).to.include('ended with 3')
        expect((await ask()).stdout).to.equal(expected)
      })

      it('goes on with a context over the end of its token', async () => {
        await client().ok(['use', 'cluster', 'one', '--direct', '--ttl', '2'])
        const ask = () => kubectl(program, ['get', 'namespace', 'default', '-o', 'name'])
        expect((await ask()).stdout).to.equal('namespace/default\n')
        await new Promise((done) => setTimeout(done, 2_500))
        expect((await ask()).stdout).to.equal('namespace/default\n')
      })

      it('goes on when the kept token was revoked', async () => {
        const user = `revoked-${kubectls.indexOf(program)}`
        await server().admin.post(`${management}/users`, {
          metadata: { name: user },
          spec: { subject: user, groups: ['system:masters'] },
        })
        const key = await server().admin.post(`${management}/ownedaccesskeys`, {
          metadata: { name: user },
          spec: { user, type: 'User' },
        })
        const other = await server().clientWith(String(key.field('spec', 'key')))
        await other.ok(['use', 'cluster', 'one', '--direct'])
        const env = await other.environment()
        const ask = () =>
          runProgram(program, ['get', 'namespace', 'default', '-o', 'name'], { env })
        expect((await ask()).stdout).to.equal('namespace/default\n')
        await server().admin.patch(`${management}/users/${user}`, 'application/merge-patch+json', {
          spec: { tokenGeneration: 1 },
        })
        // When the cached token is refused, kubectl calls the plugin again, which returns a new
        // one.
        await ask()
        expect((await ask()).stdout).to.equal('namespace/default\n')
      })

      it('works with client certificates in a virtual cluster, in both versions of the interface', async () => {
        for (const version of ['v1', 'v1beta1']) {
          const flags = ['--client-certificate', '--ttl', '60', '--exec-api-version', version]
          await client().ok(['use', 'virtualcluster', 'web', '-p', 'shop', ...flags])
          const { stdout, stderr } = await kubectl(program, [
            'get',
            'namespace',
            'default',
            '-o',
            'name',
          ])
          expect([stdout, stderr]).to.deep.equal(['namespace/default\n', ''])
        }
      })

      it('says why a context does not work after the logout', async () => {
        const other = await server().clientWith(server().running.adminAccessKey)
        await other.ok(['use', 'management'])
        await other.ok(['logout'])
        const { code, stderr } = await runProgram(program, ['get', 'projects'], {
          env: await other.environment(),
        })
        expect([code, stderr.includes('platform: you are logged out of "test"')]).to.deep.equal([
          1,
          true,
        ])
      })
    })
  }

  it('is a plugin of kubectl: kubectl platform', async function () {
    const [program] = kubectls
    if (program === undefined) skip(this, 'kubectl not found')
    const { stdout } = await kubectl(program, ['platform', 'whoami'])
    expect(stdout).to.equal('admin\n')
    const { stderr } = await kubectl(program, ['platform', 'whoam'])
    expect(stderr).to.include('kubectl platform: unknown command')
  })

  it('prints a kubeconfig that works without the program', async function () {
    const [program] = kubectls
    if (program === undefined) skip(this, 'kubectl not found')
    for (const more of [[], ['--client-certificate']]) {
      const text = await client().ok(['kubeconfig', 'web', '-p', 'shop', '--ttl', '1h', ...more])
      writeFileSync(client().kubeconfig, text)
      const { stdout } = await kubectl(program, ['get', 'namespace', 'default', '-o', 'name'])
      expect(stdout).to.equal('namespace/default\n')
    }
  })
})
