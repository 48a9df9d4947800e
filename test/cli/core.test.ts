import { expect } from 'chai'
import { parse } from 'yaml'
import type { NamesProfile } from '../../apiserver/meta/names/namesProfile.ts'
import { useClientServer } from './support/clientServer.ts'

interface Profile {
  program: string
  names: Partial<NamesProfile>
  group: string
}

const profiles: readonly Profile[] = [
  { program: 'platform', names: {}, group: 'management.platform' },
  {
    program: 'acme',
    names: { platform: 'acme', domain: 'acme.dev', proxySegment: 'k8s', cliRole: 'acme-tool' },
    group: 'management.acme.dev',
  },
]

for (const { program, names, group } of profiles) {
  describe(`the command-line client as ${program}`, function () {
    this.timeout(60_000)
    const server = useClientServer({ names }, program)
    const ok = (...args: string[]) => server().client.ok(args)
    const fails = (...args: string[]) => server().client.fails(args)
    const jsonOf = async (...args: string[]) =>
      JSON.parse(await ok(...args, '-o', 'json')) as Record<string, unknown>

    it('has the name that it is called by', async () => {
      expect(await ok('--version')).to.match(new RegExp(`^${program} \\d+\\.\\d+\\.\\d+\\n$`))
      const [code, said] = await fails('lgoin')
      expect([code, said]).to.deep.equal([
        2,
        `${program}: unknown command 'lgoin'\n(Did you mean login?)\n`,
      ])
    })

    it('creates, shows, lists and deletes projects', async () => {
      expect(await ok('create', 'project', 'blue', '--display-name', 'Blue')).to.equal(
        'project/blue created\n',
      )
      const [again, said] = await fails('create', 'project', 'blue')
      expect([again, said]).to.deep.equal([
        6,
        `${program}: projects.${group} "blue" already exists\n`,
      ])
      expect(await ok('list', 'projects')).to.match(/^NAME +DISPLAY NAME +AGE\nblue +Blue +\d+s\n$/)
      expect(await ok('list', 'projects', '-o', 'name')).to.equal(`project.${group}/blue\n`)
      expect(await ok('get', 'project', 'blue', '-o', 'jsonpath={.spec.displayName}')).to.equal(
        'Blue',
      )
      expect(
        await ok(
          'list',
          'projects',
          '-o',
          'go-template={{range .items}}{{.metadata.name}}{{"\\n"}}{{end}}',
        ),
      ).to.equal('blue\n')
      expect(parse(await ok('get', 'project', 'blue', '-o', 'yaml'))).to.deep.include({
        kind: 'Project',
        apiVersion: `${group}/v1`,
      })
      expect(await ok('delete', 'project', 'blue')).to.equal('project/blue deleted\n')
      expect(await fails('get', 'project', 'blue')).to.deep.equal([
        5,
        `${program}: there is no project "blue"\n"${program} list projects" lists them.\n`,
      ])
      expect(await ok('delete', 'project', 'blue', '--ignore-not-found')).to.equal('')
    })

    it('creates virtual clusters and spaces of a project, with a context that works', async () => {
      await ok('create', 'cluster', 'east')
      await ok('create', 'project', 'shop', '--cluster', 'east', '--user', 'admin')
      expect((await jsonOf('get', 'project', 'shop'))['spec']).to.deep.include({
        allowedClusters: [{ name: 'east' }],
        members: [{ kind: 'User', name: 'admin' }],
      })
      const made = await server().client.run([
        'create',
        'virtualcluster',
        'web',
        '-p',
        'shop',
        '--use',
      ])
      expect([made.code, made.stdout]).to.deep.equal([0, 'virtualcluster/web created\n'])
      expect(made.stderr).to.include('virtual cluster web: Ready')
      expect(await ok('list', 'virtualclusters', '-p', 'shop')).to.match(
        /\nweb +<none> +Ready +\d+s\n$/,
      )
      expect(await ok('wait', 'vcluster', 'web', '-p', 'shop', '--for', 'phase=Ready')).to.equal(
        'virtualcluster/web condition met\n',
      )
      await ok('create', 'space', 'dev', '-p', 'shop', '--cluster', 'east')
      expect(await ok('list', 'spaces', '-A')).to.match(
        /^NAMESPACE +NAME.*\np-shop +dev +east +Ready/,
      )
      const kubeconfig = parse(
        await ok('use', 'virtualcluster', 'web', '-p', 'shop', '--print'),
      ) as {
        clusters: [{ cluster: { server: string } }]
      }
      const segment = names.proxySegment ?? 'kubernetes'
      expect(kubeconfig.clusters[0].cluster.server).to.equal(
        `${server().url}/${segment}/project/shop/virtualcluster/web`,
      )
      expect(await fails('create', 'virtualcluster', 'nowhere')).to.deep.equal([
        2,
        `${program}: a virtual cluster is in a project\nName the project with --project, or make it the default: ${program} contexts use NAME --project PROJECT\n`,
      ])
      expect(await ok('delete', 'virtualcluster', 'web', '-p', 'shop')).to.equal(
        'virtualcluster/web deleted\n',
      )
    })

    it('creates users and teams', async () => {
      const { client, url, authority } = server()
      await client.ok(
        ['create', 'user', 'jane', '--email', 'jane@example.com', '--password-stdin'],
        { input: 'her password\n' },
      )
      await ok('create', 'team', 'dev', '--user', 'jane')
      expect(await ok('get', 'user', 'jane')).to.match(/\njane +jane +jane@example.com +\d+s\n$/)
      expect((await jsonOf('get', 'team', 'dev'))['spec']).to.deep.include({ users: ['jane'] })
      const env = { PLATFORM_HOME: `${client.home}/jane` }
      const login = [
        'login',
        url,
        '--certificate-authority',
        authority,
        '--username',
        'jane',
        '--password-stdin',
      ]
      await client.ok(login, { input: 'her password', env })
      expect(await client.ok(['whoami', '-o', 'wide'], { env })).to.match(/^Teams: +dev$/m)
      const [code, said] = await client.fails(['create', 'user', 'eve'], { env })
      expect([code, said.split('\n')[0]]).to.deep.equal([
        4,
        `${program}: users.${group} is forbidden: User "jane" cannot create resource "users" in API group "${group}" at the cluster scope`,
      ])
      await ok('delete', 'users', 'jane')
    })

    it('sets, gets, lists, shares and syncs secrets', async () => {
      const { client } = server()
      await ok('create', 'project', 'green')
      await ok('create', 'user', 'bob')
      const set = await client.run(['set', 'secret', 'db.password', '-'], { input: 's3cret' })
      expect([set.code, set.stdout, set.stderr]).to.deep.equal([
        0,
        '',
        `Created ${program}/db: set password.\n`,
      ])
      await ok('set', 'secret', 'db.user', '--from-literal', "o'hara")
      expect(await ok('get', 'secret', 'db.password')).to.equal('s3cret')
      expect(await jsonOf('get', 'secret', 'db')).to.deep.equal({
        password: 's3cret',
        user: "o'hara",
      })
      expect(await ok('get', 'secret', 'db', '-o', 'env')).to.equal(
        "export password='s3cret'\nexport user='o'\\''hara'\n",
      )
      expect(await ok('get', 'secret', 'db', '-o', 'dotenv')).to.equal(
        'password="s3cret"\nuser="o\'hara"\n',
      )
      expect(await ok('list', 'secrets')).to.match(
        new RegExp(`\n${program} +db +<none> +password,user\n$`),
      )
      expect(await ok('list', 'secrets', '-o', 'yaml')).to.not.include(
        Buffer.from('s3cret').toString('base64'),
      )
      await ok('share', 'secret', 'db', '--user', 'bob')
      const path = `/apis/${group}/v1/namespaces/${program}/sharedsecrets/db`
      const access = (await server().admin.get(path)).field('spec', 'access')
      expect(access).to.deep.equal([{ verbs: ['get'], users: ['bob'] }])
      await ok('sync', 'secret', 'db', '-p', 'green', '--to', 'copy')
      expect(await ok('get', 'secret', 'copy.password', '-p', 'green')).to.equal('s3cret')
      expect(await ok('list', 'secrets', '-A')).to.match(/\np-green +copy +/)
    })

    it('creates, lists, rotates and deletes access keys', async () => {
      const explained = await ok(
        'create',
        'accesskey',
        'ci',
        '--ttl',
        '1h30m',
        '--scope',
        'cli',
        '--scope',
        'project=blue',
        '--explain',
      )
      expect(explained).to.equal(
        [
          'The access key ci would act as admin, with at most the permissions of admin.',
          'It would expire 5400 s after its creation.',
          'It would allow only:',
          '  - the read-only commands of this program',
          '  - everything in project blue, its spaces and virtual clusters',
          'Nothing was created.',
          '',
        ].join('\n'),
      )
      expect((await fails('delete', 'accesskey', 'ci'))[0]).to.equal(5)
      const key = (
        await ok('create', 'accesskey', 'ci', '--ttl', '90d', '--scope', 'virtualcluster=shop/*')
      ).trim()
      expect(await ok('list', 'accesskeys')).to.match(
        /^ci +User +ci +\d{4}-\S+Z +never +virtualcluster=shop\/\*$/m,
      )
      const rotated = (await ok('rotate', 'accesskey', 'ci')).trim()
      expect([key.length > 30, rotated.length > 30, key === rotated]).to.deep.equal([
        true,
        true,
        false,
      ])
      expect(await ok('delete', 'accesskey', 'ci')).to.equal('accesskey/ci deleted\n')
      expect((await ok('create', 'token', '--ttl', '60')).split('.')).to.have.length(3)
    })
  })
}
