import { expect } from 'chai'
import type { AuthorizationDecision } from '../../apiserver/authorization/authorizer.ts'
import { PlaneAuthorizer } from '../../apiserver/authorization/planeAuthorizer.ts'
import type { UserInfo } from '../../apiserver/meta/types.ts'
import { openRights, request, user, type Rights } from './rbac/rights.ts'

describe('PlaneAuthorizer.decide', () => {
  let rights: Rights
  let asked: string[]
  let answer: () => Promise<AuthorizationDecision>
  let authorizer: PlaneAuthorizer

  before(async () => {
    rights = await openRights()
  })

  after(() => rights.stores.close())

  beforeEach(() => {
    asked = []
    answer = async () => ({ allowed: true, reason: 'there' })
    authorizer = new PlaneAuthorizer({
      rbac: rights.authorizer,
      ownership: [],
      scopeAllows: ({ verb }) => ({ allowed: verb === 'get', reason: 'out of scope' }),
      delegate: ({ user: { name }, verb }) => {
        asked.push(`${name} ${verb}`)
        return answer()
      },
    })
  })

  const decide = (who: UserInfo, text: string) =>
    Promise.resolve(authorizer.decide(request(who, text)))
  const scoped = { ...user('ann'), credential: { scope: {} } }

  const cases: [name: string, who: UserInfo, text: string, allowed: boolean, asks: string[]][] = [
    ['asks about who is not of this server', user('ann'), 'get pods n/a', true, ['ann get']],
    ['asks nobody about a superuser', user('ann', 'system:masters'), 'get pods n/a', true, []],
    ...['accessKey', 'user', 'team'].map((field): [string, UserInfo, string, boolean, string[]] => [
      `asks nobody about the ${field} of this server`,
      { ...user('ann'), credential: { [field]: 'x' } },
      'get pods n/a',
      false,
      [],
    ]),
    [
      'asks nobody about a service account of this server',
      { ...user('ann'), credential: { isServiceAccount: true } },
      'get pods n/a',
      false,
      [],
    ],
    ['asks within a scope', scoped, 'get pods n/a', true, ['ann get']],
    ['a scope is the last word', scoped, 'create pods n/', false, []],
  ]
  for (const [name, who, text, allowed, asks] of cases) {
    it(name, async () => {
      const decision = await decide(who, text)
      expect([decision.allowed, asked]).to.deep.equal([allowed, asks])
    })
  }

  it('gives both reasons if both deny', async () => {
    answer = async () => ({ allowed: false, reason: 'not there' })
    expect(await decide(user('ann'), 'get pods n/a')).to.deep.equal({
      allowed: false,
      reason: 'not there',
    })
  })

  it('has no decision if the other authorizer fails', async () => {
    answer = () => Promise.reject(new Error('down'))
    expect(await decide(user('ann'), 'get pods n/a').catch(String)).to.equal('Error: down')
  })
})
