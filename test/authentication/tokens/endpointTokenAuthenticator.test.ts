import { expect } from 'chai'
import { endpointAudience } from '../../../apiserver/authentication/tokens/endpointToken.ts'
import {
  EndpointTokenAuthenticator,
  type TokenIdentity,
} from '../../../apiserver/authentication/tokens/endpointTokenAuthenticator.ts'
import { signJwt, type JwtClaims } from '../../../apiserver/authentication/tokens/jwt.ts'
import { JwtKeys } from '../../../apiserver/authentication/tokens/jwtKeys.ts'
import { namesProfile } from '../../../apiserver/meta/names/namesProfile.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

const names = namesProfile({ platform: 'acme', domain: 'acme.dev' })
const ann: TokenIdentity = {
  name: 'ann@acme',
  uid: 'u1',
  groups: ['staff'],
  isDisabled: false,
  tokenGeneration: 3,
}

describe('EndpointTokenAuthenticator', function () {
  this.timeout(20_000)
  const clock = new FakeClock()
  const keys = new JwtKeys({
    keeper: { read: async () => undefined, isShared: false, replace: async (_, text) => text },
    clock,
    maxLifeMs: 1_000_000,
  })
  let user: TokenIdentity | undefined
  let team: TokenIdentity | undefined
  let changed: (change: { user: string | undefined }) => void
  const authenticator = new EndpointTokenAuthenticator({
    keys,
    names,
    clock,
    identities: {
      user: (name) => (name === 'ann' ? user : undefined),
      team: (name) => (name === 'ops' ? team : undefined),
      onChange: (listener) => void (changed = listener),
    },
    adminGroups: ['system:masters'],
  })

  beforeEach(() => {
    user = ann
    team = { ...ann, name: 'acme:team:ops', uid: 't1', tokenGeneration: 0 }
  })

  const annsHolder = { uid: 'u1', name: 'ann', kind: 'User', gen: 3 }

  function tokenOf(holder: unknown = annsHolder, given: Partial<JwtClaims> = {}): Promise<string> {
    const iat = clock.now() / 1000
    const standard = {
      iss: 'https://acme.dev',
      sub: 'ann@acme',
      aud: [endpointAudience(names)],
      iat,
    }
    return signJwt({ ...standard, exp: iat + 100, 'acme.dev': holder, ...given }, keys)
  }

  it('authenticates the user, restricted by the scope (spec auth.5)', async () => {
    const scope = { clusters: [{ cluster: 'one' }] }
    expect(await authenticator.authenticate(await tokenOf({ ...annsHolder, scope }))).to.deep.equal(
      {
        name: 'ann@acme',
        uid: 'u1',
        groups: ['staff'],
        extra: {},
        credential: { user: 'ann', scope },
      },
    )
  })

  it('authenticates a team', async () => {
    const token = await tokenOf({ uid: 't1', name: 'ops', kind: 'Team', gen: 0 })
    const found = await authenticator.authenticate(token)
    expect([found?.name, found?.credential]).to.deep.equal(['acme:team:ops', { team: 'ops' }])
  })

  it('authenticates an administrator without a User object', async () => {
    const token = await tokenOf({ uid: '', name: 'root', kind: 'AcmeAdmin', gen: 0 })
    expect(await authenticator.authenticate(token)).to.deep.equal({
      name: 'root',
      uid: '',
      groups: ['system:masters'],
      extra: {},
      credential: {},
    })
  })

  const changes: { name: string; change: () => void }[] = [
    { name: 'disabled', change: () => (user = { ...ann, isDisabled: true }) },
    { name: 'deleted', change: () => (user = undefined) },
    { name: 'another of the same name', change: () => (user = { ...ann, uid: 'u2' }) },
    { name: 'of a new token generation', change: () => (user = { ...ann, tokenGeneration: 4 }) },
  ]
  for (const { name, change } of changes) {
    it(`is refused once its user is ${name}, even if verified before (spec auth.6, user.tokenGeneration)`, async () => {
      const token = await tokenOf()
      expect((await authenticator.authenticate(token))?.name).to.equal('ann@acme')
      change()
      expect(await authenticator.authenticate(token)).to.equal(undefined)
    })
  }

  for (const { name, change } of changes) {
    it(`fires onRevoked once when its user is ${name}`, async () => {
      const shown = await authenticator.authenticate(await tokenOf())
      let told = 0
      if (shown !== undefined) authenticator.onRevoked(shown, () => told++)
      changed({ user: 'ann' })
      expect(told).to.equal(0)
      change()
      changed({ user: 'ann' })
      changed({ user: 'ann' })
      expect(told).to.equal(1)
    })
  }

  it('expires, whether verified before or not', async () => {
    const [seen, unseen] = await Promise.all([tokenOf(), tokenOf()])
    expect((await authenticator.authenticate(seen))?.name).to.equal('ann@acme')
    clock.advance(100_000)
    expect(await authenticator.authenticate(seen)).to.equal(undefined)
    expect(await authenticator.authenticate(unseen)).to.equal(undefined)
  })

  const others: { name: string; make: () => string | Promise<string> }[] = [
    { name: 'an access key', make: () => 'abcdefghij' },
    {
      name: 'a token of another audience',
      make: () => tokenOf(annsHolder, { aud: ['elsewhere'] }),
    },
    { name: 'a token without a holder', make: () => tokenOf(null) },
    { name: 'a token of an unknown kind', make: () => tokenOf({ ...annsHolder, kind: 'Robot' }) },
    { name: 'a token without a generation', make: () => tokenOf({ ...annsHolder, gen: '3' }) },
  ]
  for (const { name, make } of others) {
    it(`refuses ${name}`, async () => {
      expect(await authenticator.authenticate(await make())).to.equal(undefined)
    })
  }
})
