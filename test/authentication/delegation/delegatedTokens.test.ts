import { expect } from 'chai'
import { DelegateClient } from '../../../apiserver/authentication/delegation/delegateClient.ts'
import { DelegatedTokens } from '../../../apiserver/authentication/delegation/delegatedTokens.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import {
  addressOf,
  json,
  startDelegate,
  type DelegateServer,
} from '../../support/servers/delegate.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'
import { waitUntil } from '../../support/waitUntil.ts'

const secondMs = 1_000

describe('DelegatedTokens', () => {
  let delegate: DelegateServer
  let clock: FakeClock
  let client: DelegateClient
  let tokens: DelegatedTokens

  beforeEach(async () => {
    delegate = await startDelegate()
    clock = new FakeClock()
    client = new DelegateClient({ address: addressOf(delegate.url), clock })
    const given = { client, names: defaultNames, clock, random: new FakeRandom() }
    tokens = new DelegatedTokens({ ...given, ttlMs: 10 * secondMs })
  })

  afterEach(async () => {
    client.close()
    await delegate.stop()
  })

  const say = (status: unknown) => {
    delegate.answer = (_asked, response) => json(response, 201, { kind: 'TokenReview', status })
  }
  const failure = (run: Promise<unknown>) =>
    run.then(
      () => 'no error',
      (error: unknown) => String(error),
    )

  it('sends a TokenReview and uses its user (reference 7.9)', async () => {
    const extra = { 'a/b': ['c'] }
    say({ authenticated: true, user: { username: 'ann', uid: 'u', groups: ['g'], extra } })
    expect(await tokens.authenticate('secret')).to.deep.equal({
      name: 'ann',
      uid: 'u',
      groups: ['g', 'system:authenticated'],
      extra,
    })
    expect(delegate.asked).to.deep.equal([
      {
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/tokenreviews',
        authorization: 'Bearer delegate-token',
        body: {
          kind: 'TokenReview',
          apiVersion: 'authentication.k8s.io/v1',
          spec: { token: 'secret' },
        },
      },
    ])
  })

  for (const [name, status] of [
    ['authenticated', { authenticated: true, user: { username: 'ann' } }],
    ['unknown', {}],
  ] as const) {
    it(`caches for ten seconds that a token is ${name} (reference 7.7)`, async () => {
      say(status)
      const asked = async () => {
        await tokens.authenticate('secret')
        return delegate.asked.length
      }
      expect([await asked(), await asked()]).to.deep.equal([1, 1])
      clock.advance(10 * secondMs - 1)
      expect(await asked()).to.equal(1)
      clock.advance(1)
      expect(await asked()).to.equal(2)
    })
  }

  it('sends one request for concurrent uses of the same token', async () => {
    say({ authenticated: true, user: { username: 'ann' } })
    const all = await Promise.all([1, 2, 3].map(() => tokens.authenticate('secret')))
    expect(all.map((user) => user?.name)).to.deep.equal(['ann', 'ann', 'ann'])
    expect(delegate.asked.length).to.equal(1)
  })

  it('does not cache failed reviews', async () => {
    say({ error: 'invalid bearer token' })
    expect(await tokens.authenticate('secret')).to.equal(undefined)
    say({ authenticated: true, user: { username: 'ann' } })
    expect((await tokens.authenticate('secret'))?.name).to.equal('ann')
  })

  for (const said of [{}, { username: '' }, undefined]) {
    it(`a response without a user name is unauthenticated: ${JSON.stringify(said)}`, async () => {
      say({ authenticated: true, user: said })
      expect(await tokens.authenticate('secret')).to.equal(undefined)
    })
  }

  it('reads the scope of a key, and refuses an unreadable one', async () => {
    const scope = { projects: [{ project: 'shop' }] }
    const extra = { 'platform/scope': [JSON.stringify(scope)] }
    say({ authenticated: true, user: { username: 'ann', extra } })
    expect(await tokens.authenticate('narrow')).to.deep.include({
      extra: {},
      credential: { scope },
    })
    say({ authenticated: true, user: { username: 'ann', extra: { 'platform/scope': ['x'] } } })
    expect(await failure(tokens.authenticate('broken'))).to.match(/is not a scope/)
  })

  it('tries five times while an error may be temporary (reference 7.7)', async () => {
    delegate.answer = (_asked, response) => json(response, 429, { message: 'too busy' })
    const asking = failure(tokens.authenticate('secret'))
    for (let times = 1; times < 5; times++) {
      await waitUntil(() => delegate.asked.length === times && clock.timers === 1)
      clock.advance(500 * 1.5 ** (times - 1) * 1.2)
    }
    expect(await asking).to.equal('DelegateError: too busy')
    expect(delegate.asked.length).to.equal(5)
  })

  it('tries once for a permanent error', async () => {
    const message = 'tokenreviews.authentication.k8s.io is forbidden: User "x" cannot create'
    delegate.answer = (_asked, response) => json(response, 403, { message })
    expect(await failure(tokens.authenticate('secret'))).to.equal(`DelegateError: ${message}`)
    expect(delegate.asked.length).to.equal(1)
  })

  it('names the request that was not authenticated', async () => {
    await delegate.stop()
    const path = `${delegate.url}/apis/authentication.k8s.io/v1/tokenreviews`
    const words = await failure(tokens.authenticate('secret'))
    expect(words).to.match(/^DelegateError: Post ".*": connect ECONNREFUSED/)
    expect(words).to.include(path)
    delegate = await startDelegate()
  })
})
