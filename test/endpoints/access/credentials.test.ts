import { once } from 'node:events'
import { expect } from 'chai'
import type { HttpClient } from '../support/httpClient.ts'
import { clientOf, management, openBob, users, useTestServer } from '../support/testServer.ts'

const keys = `${management}/ownedaccesskeys`

describe('credentials of requests', () => {
  const server = useTestServer()
  const admin = () => server().admin

  /** Key of a user with all rights. */
  async function keyOf(name: string, spec: Record<string, unknown> = {}): Promise<HttpClient> {
    await admin().post(users, { metadata: { name }, spec: { groups: ['system:masters'] } })
    const made = await admin().post(keys, { metadata: { name }, spec: { user: name, ...spec } })
    return clientOf(server().running, String(made.field('spec', 'key')))
  }

  const mergePatch = (path: string, spec: Record<string, unknown>) =>
    admin().patch(path, 'merge-patch+json', { spec })

  const ends: { name: string; event: () => Promise<unknown> }[] = [
    { name: 'user-off', event: () => mergePatch(`${users}/user-off`, { disabled: true }) },
    { name: 'user-gone', event: () => admin().delete(`${users}/user-gone`) },
    { name: 'key-off', event: () => mergePatch(`${keys}/key-off`, { disabled: true }) },
    { name: 'key-gone', event: () => admin().delete(`${keys}/key-gone`) },
    { name: 'key-over', event: () => mergePatch(`${keys}/key-over`, { ttl: 1 }) },
    {
      name: 'key-narrowed',
      event: () => mergePatch(`${keys}/key-narrowed`, { scope: { clusters: [{ cluster: '*' }] } }),
    },
  ]
  for (const { name, event } of ends) {
    it(`an open watch ends when its credential becomes invalid: ${name} (spec user.disabled, key.disabled, key.ttl)`, async () => {
      const client = await keyOf(name)
      const watch = await client.open(`${management}/teams?watch=1`)
      expect(watch.statusCode).to.equal(200)
      await event()
      watch.resume()
      await once(watch, 'end')
    })
  }

  it('the open watch of a login ends when the token generation changes (spec user.tokenGeneration)', async () => {
    const client = await keyOf('login', { type: 'Login' })
    const watch = await client.open(`${management}/teams?watch=1`)
    await mergePatch(`${users}/login`, { tokenGeneration: 1 })
    watch.resume()
    await once(watch, 'end')
    expect((await client.get(users)).status).to.equal(401)
  })

  it('an impersonating user stays under the scope (spec auth.4)', async () => {
    const scope = { rules: [{ verbs: ['impersonate'] }, { verbs: ['list'], namespaces: ['a'] }] }
    const client = (await keyOf('scoped', { scope })).with({
      'impersonate-user': 'admin',
      'impersonate-group': 'system:masters',
    })
    expect((await client.get(`${management}/namespaces/a/sharedsecrets`)).status).to.equal(200)
    const refused = await client.get(users)
    expect([refused.status, refused.field('message')]).to.deep.equal([
      403,
      'users.management.platform is forbidden: User "admin" cannot list resource "users" in API group "management.platform" at the cluster scope: the scope of the access key does not cover this request',
    ])
  })

  it('superusers are restricted, too (spec key.scope)', async () => {
    const client = await keyOf('narrow', { scope: { projects: [{ project: 'blue' }] } })
    const codes = [`${management}/namespaces/p-blue/projectsecrets`, users, '/apis', '/metrics']
    const answers = await Promise.all(codes.map(async (path) => (await client.get(path)).status))
    expect(answers).to.deep.equal([200, 403, 200, 403])
  })

  describe('without special rights (spec endpoint.OwnedAccessKey.get, endpoint.OwnedAccessKey.create, endpoint.OwnedAccessKey.patch, endpoint.OwnedAccessKey.delete)', () => {
    let bob: HttpClient

    before(async () => {
      bob = await openBob(server())
      await admin().post(keys, { metadata: { name: 'others' }, spec: { user: 'admin' } })
    })

    const requests: { name: string; run: () => Promise<{ status: number }>; want: number }[] = [
      {
        name: 'an own key is made',
        run: () => bob.post(keys, { metadata: { name: 'b1' } }),
        want: 201,
      },
      { name: 'and read', run: () => bob.get(`${keys}/b1`), want: 200 },
      {
        name: 'and changed',
        run: () =>
          bob.patch(`${keys}/b1`, 'json-patch+json', [
            { op: 'add', path: '/spec/displayName', value: 'B' },
          ]),
        want: 200,
      },
      {
        name: 'and read with the others of its owner',
        run: () => bob.get(`${users}/bob/accesskeys`),
        want: 200,
      },
      {
        name: 'and reset',
        run: () => bob.post(`${management}/resetaccesskeys`, { metadata: { name: 'b1' } }),
        want: 201,
      },
      { name: 'and deleted', run: () => bob.delete(`${keys}/b1`), want: 200 },
      { name: 'what is not there is not there', run: () => bob.get(`${keys}/b1`), want: 404 },
      { name: 'the key of another is not read', run: () => bob.get(`${keys}/others`), want: 403 },
      { name: 'nor deleted', run: () => bob.delete(`${keys}/others`), want: 403 },
      {
        name: 'nor reset',
        run: () => bob.post(`${management}/resetaccesskeys`, { metadata: { name: 'others' } }),
        want: 403,
      },
      {
        name: 'nor made',
        run: () => bob.post(keys, { metadata: { name: 'b2' }, spec: { user: 'admin' } }),
        want: 403,
      },
      { name: 'nobody lists all', run: () => bob.get(keys), want: 403 },
      { name: 'nor watches all', run: () => bob.get(`${keys}?watch=1`), want: 403 },
      { name: 'nor those of another', run: () => bob.get(`${users}/admin/accesskeys`), want: 403 },
    ]
    for (const { name, run, want } of requests) {
      it(`${name}: ${want}`, async () => {
        expect((await run()).status).to.equal(want)
      })
    }
  })

  it('a reset key gets a new value, shown once, and keeps everything else', async () => {
    await admin().post(keys, {
      metadata: { name: 'old' },
      spec: { user: 'admin', key: 'until-now', ttl: 600 },
    })
    const answer = await admin().post(`${management}/resetaccesskeys`, {
      metadata: { name: 'old' },
    })
    const key = String(answer.field('spec', 'key'))
    expect([answer.field('kind'), answer.field('spec', 'ttl'), key.length]).to.deep.equal([
      'ResetAccessKey',
      600,
      64,
    ])
    expect((await clientOf(server().running, 'until-now').get(users)).status).to.equal(401)
    expect((await clientOf(server().running, key).get(users)).status).to.equal(200)
  })
})
