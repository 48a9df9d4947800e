import { expect } from 'chai'
import type { Answer, HttpClient } from '../../../endpoints/support/httpClient.ts'
import {
  clientOf,
  management,
  openBob,
  useTestServer,
} from '../../../endpoints/support/testServer.ts'

const selves = `${management}/selves`
const keys = `${management}/ownedaccesskeys`

describe('Self', () => {
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient
  let instance: unknown

  before(async () => {
    admin = server().admin
    bob = await openBob(server())
    await admin.post(`${management}/teams`, {
      metadata: { name: 'ops' },
      spec: { displayName: 'Ops', users: ['bob'] },
    })
    instance = (await admin.get('/api/v1/namespaces/kube-system')).field('metadata', 'uid')
  })

  async function uidOf(path: string): Promise<unknown> {
    return (await admin.get(`${management}/${path}`)).field('metadata', 'uid')
  }

  const groups = [
    'system:authenticated',
    'platform:authenticated',
    'platform:user:*',
    'platform:user:bob',
    'platform:team:*',
    'platform:team:ops',
  ]

  it('returns the caller, with the full prefix (facts 3.3)', async () => {
    const answer = await bob.post(selves, {})
    expect([answer.status, answer.json]).to.deep.equal([
      201,
      {
        kind: 'Self',
        apiVersion: 'management.platform/v1',
        metadata: {},
        spec: {},
        status: {
          user: { name: 'bob', subject: 'bob', teams: [{ name: 'ops', displayName: 'Ops' }] },
          accessKey: 'bob',
          accessKeyType: 'User',
          subject: 'bob',
          uid: await uidOf('users/bob'),
          groups,
          instanceID: instance,
          projectNamespacePrefix: 'p-',
        },
      },
    ])
  })

  it('ignores a status in the body (facts 3.4)', async () => {
    const answer = await bob.post(selves, { status: { subject: 'admin' } })
    expect(answer.field('status', 'subject')).to.equal('bob')
  })

  it('answers GET selves/{name} too (facts 3.3)', async () => {
    const answer = await bob.get(`${selves}/me`)
    expect([
      answer.status,
      answer.field('metadata'),
      answer.field('status', 'subject'),
    ]).to.deep.equal([200, { name: 'me' }, 'bob'])
  })

  async function keyOf(name: string, spec: object): Promise<string> {
    const key = await admin.post(keys, { metadata: { name }, spec: { type: 'Other', ...spec } })
    expect(key.status, key.text).to.equal(201)
    return String(key.field('spec', 'key'))
  }

  it("returns the team for a team's key (facts 4)", async () => {
    const key = await keyOf('of-ops', { team: 'ops' })
    const answer = await clientOf(server().running, key).post(selves, {})
    expect([answer.field('status', 'user'), answer.field('status', 'team')]).to.deep.equal([
      undefined,
      { name: 'ops', displayName: 'Ops' },
    ])
    expect(answer.field('status', 'accessKey')).to.equal('of-ops')
  })

  it('returns the scope of the current key (facts 2)', async () => {
    const scope = { roles: [{ role: 'platformCLI' }] }
    const key = await keyOf('scoped', { user: 'bob', scope })
    const answer = await clientOf(server().running, key).post(selves, {})
    expect(answer.field('status', 'accessKeyScope')).to.deep.equal(scope)
  })

  it('reports on the key in the spec without returning it (facts 3.3)', async () => {
    const key = await keyOf('asked-about', { user: 'bob' })
    const answer = await admin.post(selves, { spec: { accessKey: key } })
    expect([answer.field('status', 'accessKey'), answer.text.includes(key)]).to.deep.equal([
      'asked-about',
      false,
    ])
  })

  it('refuses an invalid key in the spec with 401', async () => {
    expect((await admin.post(selves, { spec: { accessKey: 'nobodys' } })).status).to.equal(401)
  })

  const others: [method: string, ask: () => Promise<Answer>][] = [
    ['list', () => admin.get(selves)],
    ['delete', () => admin.delete(`${selves}/me`)],
    ['update', () => admin.put(`${selves}/me`, { metadata: { name: 'me' } })],
  ]
  for (const [method, ask] of others) {
    it(`serves no ${method}: 405 (facts 3.3)`, async () => {
      expect((await ask()).status).to.equal(405)
    })
  }
})
