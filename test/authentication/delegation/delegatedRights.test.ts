import { expect } from 'chai'
import { DelegateClient } from '../../../apiserver/authentication/delegation/delegateClient.ts'
import { DelegatedRights } from '../../../apiserver/authentication/delegation/delegatedRights.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import { request, user } from '../../authorization/rbac/rights.ts'
import {
  addressOf,
  json,
  startDelegate,
  type DelegateServer,
} from '../../support/servers/delegate.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'

describe('DelegatedRights', () => {
  let delegate: DelegateServer
  let clock: FakeClock
  let client: DelegateClient
  let rights: DelegatedRights

  beforeEach(async () => {
    delegate = await startDelegate()
    clock = new FakeClock()
    client = new DelegateClient({ address: addressOf(delegate.url), clock })
    const ttls = { allowedTtlMs: 10_000, deniedTtlMs: 5_000 }
    const given = { client, names: defaultNames, clock, random: new FakeRandom() }
    rights = new DelegatedRights({ ...given, ...ttls })
  })

  afterEach(async () => {
    client.close()
    await delegate.stop()
  })

  const say = (status: unknown) => {
    delegate.answer = (_asked, response) => json(response, 201, { status })
  }
  const specs = () => delegate.asked.map(({ body }) => (body as { spec: unknown }).spec)
  const ann = { ...user('ann', 'crew'), uid: 'u-1', extra: { key: ['value'] } }
  const get = request(ann, 'get apps/deployments/scale n/web')

  it('sends everything known about user and request (reference 7.9)', async () => {
    say({ allowed: true, reason: 'because' })
    const decision = await rights.authorize({ ...get, version: 'v1' })
    expect(decision).to.deep.equal({ allowed: true, reason: 'because' })
    expect(delegate.asked[0]?.path).to.equal('/apis/authorization.k8s.io/v1/subjectaccessreviews')
    expect(specs()).to.deep.equal([
      {
        resourceAttributes: {
          namespace: 'n',
          verb: 'get',
          group: 'apps',
          version: 'v1',
          resource: 'deployments',
          subresource: 'scale',
          name: 'web',
        },
        user: 'ann',
        uid: 'u-1',
        groups: ['crew'],
        extra: { key: ['value'] },
      },
    ])
  })

  it('sends non-resource paths (reference 7.9)', async () => {
    say({ allowed: false })
    const decision = await rights.authorize(request(user('bob'), 'get /metrics'))
    expect(decision).to.deep.equal({ allowed: false, reason: '' })
    expect(specs()).to.deep.equal([
      { nonResourceAttributes: { path: '/metrics', verb: 'get' }, user: 'bob' },
    ])
  })

  it('sends the scope, so that the other server restricts too', async () => {
    say({ allowed: true })
    const scope = { clusters: [{ cluster: 'one' }] }
    await rights.authorize({ ...get, user: { ...ann, credential: { scope } } })
    expect(specs()).to.have.nested.property('[0].extra.platform/scope[0]', JSON.stringify(scope))
  })

  for (const [allowed, ttlMs] of [
    [true, 10_000],
    [false, 5_000],
  ] as const) {
    it(`${allowed ? 'an allowed decision' : 'a denied decision'} is cached for its time (reference 7.7)`, async () => {
      say({ allowed })
      const asked = async () => {
        await rights.authorize(get)
        return delegate.asked.length
      }
      expect([await asked(), await asked()]).to.deep.equal([1, 1])
      clock.advance(ttlMs - 1)
      expect(await asked()).to.equal(1)
      clock.advance(1)
      expect(await asked()).to.equal(2)
    })
  }

  it('decisions are cached per user and request', async () => {
    say({ allowed: true })
    await rights.authorize(get)
    await rights.authorize({ ...get, user: { ...ann, groups: [] } })
    await rights.authorize({ ...get, name: 'other' })
    expect(delegate.asked.length).to.equal(3)
  })

  it('requests with long client-chosen values are not cached (reference 7.7)', async () => {
    say({ allowed: false })
    const long = { ...get, name: 'x'.repeat(10_000) }
    await rights.authorize(long)
    await rights.authorize(long)
    expect(delegate.asked.length).to.equal(2)
  })

  it('a denial is denied, and a response both allowed and denied is an error', async () => {
    say({ allowed: false, denied: true, reason: 'never' })
    expect(await rights.authorize(get)).to.deep.equal({ allowed: false, reason: 'never' })
    say({ allowed: true, denied: true })
    const both = await rights.authorize({ ...get, name: 'b' }).catch(String)
    expect(both).to.equal(
      'Error: webhook subject access review returned both allow and deny response',
    )
  })
})
