import { expect } from 'chai'
import type { OutgoingHttpHeaders } from 'node:http'
import type { AuthorizationAttributes } from '../../../apiserver/authorization/authorizer.ts'
import type { UserInfo } from '../../../apiserver/meta/types.ts'
import { writeBody } from '../../../apiserver/endpoints/response/response.ts'
import { openChainServer, type ChainServer } from '../support/chainServer.ts'
import { badRequest, failure } from '../support/status.ts'

/** Checks of the right to impersonate, as `group/resource/subresource namespace name`. */
function checkText(attributes: AuthorizationAttributes): string {
  const { group, resource, subresource, namespace, name } = attributes
  return `${group}/${resource}/${subresource} ${namespace} ${name}`
}

describe('impersonate', () => {
  let server: ChainServer
  let checks: string[]
  let refuses: (attributes: AuthorizationAttributes) => boolean
  let acted: UserInfo | undefined

  before(async () => {
    server = await openChainServer({
      authorize: (attributes) => {
        if (attributes.verb !== 'impersonate') return { allowed: true, reason: '' }
        checks.push(checkText(attributes))
        const allowed = !refuses(attributes)
        return { allowed, reason: allowed ? '' : 'not these' }
      },
      serveDocument: async (exchange) => {
        acted = exchange.user
        await writeBody(exchange, Buffer.from('done\n'), { code: 200, mediaType: 'text/plain' })
        return true
      },
    })
  })
  after(() => server.close())
  beforeEach(() => {
    checks = []
    refuses = () => false
    acted = undefined
  })

  const call = (headers: OutgoingHttpHeaders) => server.as('bob').get('/version', headers)

  const identities = [
    {
      name: 'a user',
      headers: { 'impersonate-user': 'jane' },
      checks: ['/users/  jane'],
      groups: ['system:authenticated'],
    },
    {
      name: 'a user with groups',
      headers: { 'impersonate-user': 'jane', 'impersonate-group': ['dev', 'ops'] },
      checks: ['/users/  jane', '/groups/  dev', '/groups/  ops'],
      groups: ['dev', 'ops', 'system:authenticated'],
    },
    {
      name: 'a user with groups in one header, as the JavaScript client sends them',
      headers: {
        'impersonate-user': 'jane',
        'impersonate-joined-group': 'dev, cn=ops,dc=example',
        'impersonate-group': 'qa',
      },
      checks: ['/users/  jane', '/groups/  dev', '/groups/  cn=ops,dc=example', '/groups/  qa'],
      groups: ['dev', 'cn=ops,dc=example', 'qa', 'system:authenticated'],
    },
    {
      name: 'a user who says what it is',
      headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:unauthenticated' },
      checks: ['/users/  jane', '/groups/  system:unauthenticated'],
      groups: ['system:unauthenticated'],
    },
    {
      name: 'a service account',
      headers: { 'impersonate-user': 'system:serviceaccount:ns:robot' },
      checks: ['/serviceaccounts/ ns robot'],
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    },
    {
      name: 'a user whose name no service account can have',
      headers: { 'impersonate-user': 'system:serviceaccount:ns:ROBOT' },
      checks: ['/users/  system:serviceaccount:ns:ROBOT'],
      groups: ['system:authenticated'],
    },
    {
      name: 'nobody',
      headers: { 'impersonate-user': 'system:anonymous' },
      checks: ['/users/  system:anonymous'],
      groups: ['system:unauthenticated'],
    },
  ]
  for (const { name, headers, checks: wanted, groups } of identities) {
    it(`${name}: each part is authorized separately (reference 7.6)`, async () => {
      expect((await call(headers)).status).to.equal(200)
      expect(checks).to.deep.equal(wanted)
      expect(acted).to.deep.equal({
        name: headers['impersonate-user'],
        uid: '',
        groups,
        extra: {},
      })
    })
  }

  it('uses the first of several users', async () => {
    await call({ 'Impersonate-User': ['jane', 'joe'] })
    expect([checks, acted?.name]).to.deep.equal([['/users/  jane'], 'jane'])
  })

  it('ignores a user without a name', async () => {
    expect((await call({ 'impersonate-user': '' })).status).to.equal(200)
    expect([checks, acted?.name]).to.deep.equal([[], 'bob'])
  })

  it('reads uid and extra, whose keys are lower-cased and percent-decoded (reference 7.6)', async () => {
    await call({
      'impersonate-user': 'jane',
      'impersonate-uid': 'u-1',
      'Impersonate-Extra-Acme.dev%2FTeam': ['a', 'b'],
    })
    expect(checks).to.deep.equal([
      '/users/  jane',
      'authentication.k8s.io/userextras/acme.dev/team  a',
      'authentication.k8s.io/userextras/acme.dev/team  b',
      'authentication.k8s.io/uids/  u-1',
    ])
    expect([acted?.uid, acted?.extra]).to.deep.equal(['u-1', { 'acme.dev/team': ['a', 'b'] }])
  })

  for (const [headers, references] of [
    [{ 'impersonate-group': 'dev' }, '{Group  dev    }'],
    [{ 'impersonate-joined-group': 'dev, ops' }, '{Group  dev    } {Group  ops    }'],
    [{ 'impersonate-uid': 'u' }, '{UID  u  authentication.k8s.io/v1  }'],
    [{ 'impersonate-extra-a': 'b' }, '{UserExtra  b  authentication.k8s.io/v1  a}'],
  ] as const) {
    it(`${Object.keys(headers).join()} without a user is 400 (reference 7.6)`, async () => {
      const answer = await call(headers)
      expect([answer.status, answer.json]).to.deep.equal([
        400,
        badRequest(`requested [${references}] without impersonating a user`),
      ])
      expect(acted).to.equal(undefined)
    })
  }

  it('a refused part is 403 in plain text (reference 2.4, 7.6)', async () => {
    refuses = ({ resource }) => resource === 'groups'
    const answer = await call({ 'impersonate-user': 'jane', 'impersonate-group': '<b>&' })
    const why =
      'User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope: not these'
    expect([answer.status, answer.json]).to.deep.equal([
      403,
      failure(403, 'Forbidden', `groups "<b>&" is forbidden: ${why}`, {
        name: '<b>&',
        kind: 'groups',
      }),
    ])
    expect(answer.headers['x-content-type-options']).to.equal('nosniff')
    expect(acted).to.equal(undefined)
  })
})
