import { expect } from 'chai'
import {
  management,
  openBob,
  openTestServer,
  type TestServer,
} from '../endpoints/support/testServer.ts'
import { deadline } from '../support/deadlines.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { Postgres, postgresFolder } from './support/postgres.ts'
import { skip } from '../support/skip.ts'

const programs = postgresFolder()
const path = '/audit/events'
const configMaps = '/api/v1/namespaces/default/configmaps'

interface Events {
  items: { verb: string; objectRef?: { name?: string }; user: { username: string } }[]
  metadata: { continue?: string }
}

describe('Search in audit events', function () {
  this.timeout(deadline(60_000))
  let server: TestServer
  before(async () => {
    server = await openTestServer()
  })
  after(() => server.running.stop())

  it('says that there is no data store: 404', async () => {
    const answer = await server.admin.get(path)
    expect([answer.status, answer.field('message')]).to.deep.equal([
      404,
      'no audit events can be searched: set audit.dataStoreEndpoint in the configuration of the platform',
    ])
  })

  for (const { query, message } of [
    { query: 'usr=jane', message: /^unknown condition "usr"/ },
    { query: 'code=abc', message: /^code: must be a number, not "abc"$/ },
    { query: 'limit=501', message: /^limit: must be between 1 and 500$/ },
    { query: 'limit=0', message: /^limit: must be between/ },
    { query: 'since=yesterday', message: /^since: must be a time such as 2030-01-01T00:00:00Z/ },
    { query: 'until=2030-13-01T00:00:00Z', message: /^until: must be a time/ },
    { query: "continue=1' OR 1=1", message: /^continue: must be a number/ },
  ])
    it(`refuses ${query} with 400`, async () => {
      const answer = await server.admin.get(`${path}?${query}`)
      expect(answer.status).to.equal(400)
      expect(answer.field('message')).to.match(message)
    })

  it('needs the right to list events of audit.k8s.io, beside that of the path', async () => {
    const bob = await openBob(server)
    expect((await bob.get(path)).status).to.equal(403)
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    const rules = [{ verbs: ['get'], nonResourceURLs: ['*'] }]
    await server.admin.post(`${rbac}/clusterroles`, { metadata: { name: 'auditor' }, rules })
    await server.admin.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'auditor' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'auditor' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
    })
    const refused = await bob.get(path)
    expect([refused.status, refused.field('message')]).to.deep.equal([
      403,
      'forbidden: User "bob" cannot list events in the API group "audit.k8s.io"',
    ])
    await server.admin.patch(`${rbac}/clusterroles/auditor`, 'merge-patch+json', {
      rules: [...rules, { verbs: ['list'], apiGroups: ['audit.k8s.io'], resources: ['events'] }],
    })
    expect((await bob.get(path)).status).to.equal(404)
    expect((await server.admin.post(path, {})).status).to.equal(405)
  })

  describe('in PostgreSQL', () => {
    let postgres: Postgres | undefined
    before(async function () {
      if (programs === undefined) skip(this, 'PostgreSQL not found')
      postgres = await Postgres.open(programs)
      const { endpoint } = postgres
      const audit = { enabled: true, level: 4, path: '-', dataStoreEndpoint: endpoint }
      const raw = Buffer.from(JSON.stringify({ audit: { ...audit, path: '/dev/null' } }))
      await server.admin.post(`${management}/configs`, { spec: { raw: raw.toString('base64') } })
      for (const name of ['one', 'two', "it's; DROP"])
        await server.admin.post(configMaps, { metadata: { name } })
      await waitUntil(
        async () => (await found('resource=configmaps&stage=ResponseComplete')).items.length === 3,
      )
    })
    after(() => postgres?.close())

    const found = async (query: string): Promise<Events> => {
      const { status, json } = await server.admin.get(`${path}?${query}`)
      if (status !== 200) throw new Error(JSON.stringify(json))
      return json as Events
    }
    const names = ({ items }: Events) => items.map(({ objectRef }) => objectRef?.name)

    it('finds events by every condition, newest first', async () => {
      const all = 'resource=configmaps&stage=ResponseComplete'
      expect(names(await found(`${all}&name=two`))).to.deep.equal(['two'])
      expect(
        names(await found(`${all}&verb=create&user=admin&namespace=default`)).slice(1),
      ).to.deep.equal(['two', 'one'])
      for (const other of ['verb=delete', 'user=jane', 'namespace=kube-system', 'code=500'])
        expect((await found(`${all}&${other}`)).items, other).to.deep.equal([])
      expect((await found(`${all}&until=2020-01-01T00:00:00Z`)).items).to.deep.equal([])
      expect((await found(`${all}&since=2020-01-01T00:00:00Z`)).items.length).to.equal(3)
      const hostile = encodeURIComponent(`x' OR '1'='1`)
      expect((await found(`user=${hostile}`)).items).to.deep.equal([])
    })

    it('continues without a gap or a repetition', async () => {
      const seen: unknown[] = []
      let next: string | undefined = ''
      do {
        const page: Events = await found(
          `resource=configmaps&stage=ResponseComplete&limit=2&continue=${next}`,
        )
        seen.push(...names(page))
        next = page.metadata.continue
      } while (next !== undefined)
      expect(seen.slice(1)).to.deep.equal(['two', 'one'])
      expect(seen.length).to.equal(3)
    })

    it('answers 503 while the database is away, and nothing of its address', async () => {
      await postgres?.stop()
      const answer = await server.admin.get(path)
      expect([answer.status, answer.field('message')]).to.deep.equal([
        503,
        'the audit database cannot be searched now',
      ])
      expect(answer.text).to.not.include('hidden-password')
      await postgres?.start()
      await waitUntil(async () => (await server.admin.get(path)).status === 200)
    })
  })
})
