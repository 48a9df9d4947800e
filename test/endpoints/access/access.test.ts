import { expect } from 'chai'
import type { HttpClient } from '../support/httpClient.ts'
import { failure } from '../support/status.ts'
import {
  management,
  namespaces,
  openBob,
  secrets,
  users,
  useTestServer,
} from '../support/testServer.ts'

const unauthorized = failure(401, 'Unauthorized', 'Unauthorized')
/** Response by which clients of the platform recognize an unknown key. */
const noSuchKey = failure(401, 'Unauthorized', 'platform access key not found. Please login again')

describe('authenticate', () => {
  const server = useTestServer()
  const as = (authorization: string) => server().admin.with({ authorization })
  const key = () => server().running.adminAccessKey

  const refused = [
    ['nothing', () => '', unauthorized],
    ['a scheme alone', () => 'Bearer', unauthorized],
    ['a wrong token', () => 'Bearer wrong', noSuchKey],
    ['another scheme', () => `Basic ${key()}`, unauthorized],
    ['a token alone', () => key(), unauthorized],
    ['a token with something at its end', () => `Bearer ${key()}x`, noSuchKey],
    ['the digest that is stored', () => 'Bearer sha256:'.padEnd(78, '0'), noSuchKey],
    ['an endless token', () => `Bearer ${'x'.repeat(8000)}`, noSuchKey],
    ['a token of odd characters', () => 'Bearer \xff\xfe__proto__', noSuchKey],
  ] as const
  for (const [what, header, want] of refused) {
    it(`${what} is 401 (reference 7.1, 7.2, spec auth.1, error.401)`, async () => {
      for (const path of [users, '/api', '/metrics', '/nothing', '/openapi/v2', '/']) {
        const answer = await as(header()).get(path)
        expect([answer.status, answer.json]).to.deep.equal([401, want])
      }
    })
  }

  for (const header of ['bearer', 'BEARER', ' Bearer']) {
    it(`the scheme is accepted as ${JSON.stringify(header)} (reference 7.2)`, async () => {
      expect((await as(`${header} ${key()}`).get(users)).status).to.equal(200)
      expect((await as(`${header} ${key()}  `).get(users)).status).to.equal(200)
    })
  }

  it('a token after an extra space is ignored with a warning (reference 7.2)', async () => {
    const answer = await as(`Bearer  ${key()}`).get(users)
    expect([answer.status, answer.all('warning')]).to.deep.equal([
      401,
      [
        '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"',
      ],
    ])
  })

  it('a wrong token is 401 on open paths too; without a token they respond (reference 7.1)', async () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/version', '/version/']) {
      expect((await as('Bearer wrong').get(path)).status).to.equal(401)
      expect((await as('').get(path)).status).to.equal(200)
    }
  })

  it('disabled or deleted keys and users are refused from the next request on (spec key.disabled, user.disabled, auth.2)', async () => {
    const { admin } = server()
    const eve = await openBob(server(), 'eve')
    expect((await eve.get('/version')).status).to.equal(200)
    const set = (path: string, disabled: boolean) =>
      admin.patch(`${management}/${path}`, 'merge-patch+json', { spec: { disabled } })
    for (const path of ['ownedaccesskeys/eve', 'users/eve']) {
      await set(path, true)
      expect((await eve.get('/version')).status).to.equal(401)
      await set(path, false)
      expect((await eve.get('/version')).status).to.equal(200)
    }
    await admin.delete(`${management}/ownedaccesskeys/eve`)
    expect((await eve.get('/version')).status).to.equal(401)
  })

  it('never returns a key again', async () => {
    const list = await server().admin.get(`${management}/ownedaccesskeys`)
    expect(list.text).to.not.include(key())
  })
})

describe('authorize', () => {
  const server = useTestServer()
  let bob: HttpClient
  before(async () => {
    bob = await openBob(server())
  })

  const group = 'management.platform'
  /** Kind that only users with the right may list. */
  const keys = `${management}/ownedaccesskeys`
  const configs = `${management}/configs`
  const cannot = (verb: string, resource: string, where: string, api = group) =>
    `User "bob" cannot ${verb} resource "${resource}" in API group "${api}" ${where}`
  const cases = [
    ['GET', keys, 'ownedaccesskeys', '', cannot('list', 'ownedaccesskeys', 'at the cluster scope')],
    ['POST', users, 'users', '', cannot('create', 'users', 'at the cluster scope')],
    ['DELETE', users, 'users', '', cannot('deletecollection', 'users', 'at the cluster scope')],
    [
      'GET',
      `${configs}?watch=1`,
      'configs',
      '',
      cannot('watch', 'configs', 'at the cluster scope'),
    ],
    ['GET', `${users}/a`, 'users', 'a', cannot('get', 'users', 'at the cluster scope')],
    ['PUT', `${users}/a`, 'users', 'a', cannot('update', 'users', 'at the cluster scope')],
    ['PATCH', `${users}/a`, 'users', 'a', cannot('patch', 'users', 'at the cluster scope')],
    ['DELETE', `${users}/a`, 'users', 'a', cannot('delete', 'users', 'at the cluster scope')],
    [
      'DELETE',
      secrets,
      'sharedsecrets',
      '',
      cannot('deletecollection', 'sharedsecrets', 'in the namespace "default"'),
    ],
    [
      'GET',
      '/apis/nothing.dev/v1/widgets/a',
      'widgets',
      'a',
      cannot('get', 'widgets', 'at the cluster scope', 'nothing.dev'),
    ],
    [
      'GET',
      `${keys}?fieldSelector=metadata.name%3Dx`,
      'ownedaccesskeys',
      'x',
      cannot('list', 'ownedaccesskeys', 'at the cluster scope'),
    ],
    [
      'GET',
      `${configs}?fieldSelector=metadata.name%3Dx&watch=1`,
      'configs',
      'x',
      cannot('watch', 'configs', 'at the cluster scope'),
    ],
    [
      'GET',
      `${keys}?fieldSelector=metadata.name%3Da%252Fb`,
      'ownedaccesskeys',
      '',
      cannot('list', 'ownedaccesskeys', 'at the cluster scope'),
    ],
    [
      'GET',
      `${keys}?fieldSelector=metadata.name!%3Dx`,
      'ownedaccesskeys',
      '',
      cannot('list', 'ownedaccesskeys', 'at the cluster scope'),
    ],
    [
      'GET',
      `${keys}?fieldSelector=nonsense`,
      'ownedaccesskeys',
      '',
      cannot('list', 'ownedaccesskeys', 'at the cluster scope'),
    ],
  ] as const
  for (const [method, path, resource, name, why] of cases) {
    it(`${method} ${path} is 403 (reference 2.3, 2.4, spec error.403)`, async () => {
      const api = path.includes('nothing.dev') ? 'nothing.dev' : group
      const answer = await bob.call(path, { method })
      const subject = `${resource}.${api}${name === '' ? '' : ` "${name}"`}`
      expect([answer.status, answer.json]).to.deep.equal([
        403,
        failure(403, 'Forbidden', `${subject} is forbidden: ${why}`, {
          ...(name === '' ? {} : { name }),
          group: api,
          kind: resource,
        }),
      ])
      expect(answer.headers['x-content-type-options']).to.equal('nosniff')
    })
  }

  it('a subresource is named after a slash, the core group is empty (reference 2.4)', async () => {
    const answer = await bob.get(`${namespaces}/default/status`)
    expect(answer.field('message')).to.equal(
      'namespaces "default" is forbidden: User "bob" cannot get resource "namespaces/status" in API group "" in the namespace "default"',
    )
  })

  const paths = [
    ['GET', '/metrics', 'get', '/metrics'],
    ['GET', '/nothing', 'get', '/nothing'],
    ['POST', '/apis', 'post', '/apis'],
    ['GET', '/a%3Cb%3E&c', 'get', '/a&lt;b&gt;&amp;c'],
  ] as const
  for (const [method, path, verb, shown] of paths) {
    it(`${method} ${path} is 403, with its path escaped (reference 2.4)`, async () => {
      const answer = await bob.call(path, { method })
      expect([answer.status, answer.json]).to.deep.equal([
        403,
        failure(403, 'Forbidden', `forbidden: User "bob" cannot ${verb} path "${shown}"`, {}),
      ])
    })
  }

  it('403 precedes 404, 405 and 406 (reference 1.1)', async () => {
    const answers = [
      await bob.get('/apis/nothing.dev/v1/widgets'),
      await bob.call(users, { method: 'OPTIONS' }),
      await bob.get(keys, { accept: 'text/html' }),
    ]
    expect(answers.map(({ status }) => status)).to.deep.equal([403, 403, 403])
  })

  it('probes and the version are public (reference 7.7)', async () => {
    for (const path of ['/healthz', '/livez', '/readyz?verbose', '/version']) {
      expect((await bob.get(path)).status).to.equal(200)
    }
  })

  it('impersonation without the right is 403; malformed keys are harmless (reference 7.6)', async () => {
    const answer = await bob.get('/version', { 'impersonate-user': 'admin' })
    expect(answer.status).to.equal(403)
    const { admin } = server()
    const asBob = await admin.get(keys, { 'impersonate-user': 'bob' })
    expect([asBob.status, String(asBob.field('message')).includes('User "bob"')]).to.deep.equal([
      403,
      true,
    ])
    const odd = await admin.get('/version', {
      'impersonate-user': 'bob',
      'impersonate-extra-__proto__': 'x',
      'impersonate-extra-constructor': 'y',
    })
    expect(odd.status).to.equal(200)
    const nameless = await admin.get(users, { 'impersonate-group': 'x' })
    expect(nameless.status).to.equal(400)
  })
})
