import { expect } from 'chai'
import { JwtKeys } from '../../../apiserver/authentication/tokens/jwtKeys.ts'
import {
  ServiceAccountTokens,
  type TokenContents,
} from '../../../apiserver/authentication/tokens/serviceAccountTokens.ts'
import { secretKeeper } from '../../../apiserver/runtime/files/secretFile.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'

const issuer = 'https://one.example'

describe('ServiceAccountTokens', function () {
  this.timeout(20_000)
  const clock = new FakeClock()
  const random = new FakeRandom()
  const uids = new Map<string, { uid: string; deletionTimestamp?: string }>()
  const keys = new JwtKeys({
    keeper: secretKeeper(undefined, ''),
    clock,
    maxLifeMs: Infinity,
    signingMs: Infinity,
  })
  const signer = { keys, clock, random, scopeClaim: 'example/scope' }
  const tokensOf = (ofIssuer: string) =>
    new ServiceAccountTokens(signer, {
      issuer: () => ofIssuer,
      audiences: ['https://kubernetes.default.svc'],
      find: (resource, { namespace, name }) => {
        const metadata = uids.get(`${resource}/${namespace}/${name}`)
        return metadata && { kind: '', apiVersion: 'v1', metadata: { name, ...metadata } }
      },
    })
  const tokens = tokensOf(issuer)

  beforeEach(() => {
    clock.jumpTo(Date.UTC(2030, 0, 1))
    uids.clear()
    uids.set('serviceaccounts/shop/robot', { uid: 'r1' })
    uids.set('pods/shop/p', { uid: 'p1' })
    uids.set('secrets/shop/s', { uid: 's1' })
    uids.set('nodes//n', { uid: 'n1' })
  })

  const claim = { namespace: 'shop', serviceaccount: { name: 'robot', uid: 'r1' } }
  const issue = async (more: Partial<TokenContents> = {}) => {
    const contents = { claim, audiences: [issuer], lifeSeconds: 3600, ...more }
    return (await tokens.issue(contents)).token
  }
  const decoded = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

  it('has the claims of a real token, in order, and no type in its header (reference 6.9)', async () => {
    const token = await issue({
      claim: { ...claim, node: { name: 'n', uid: 'n1' }, pod: { name: 'p', uid: 'p1' } },
      warnAfterSeconds: 3607,
    })
    const [header, payload] = token.split('.')
    const [{ kid } = {}] = (await keys.publicKeys()).keys as { kid?: string }[]
    expect(decoded(header)).to.deep.equal({ alg: 'RS256', kid })
    const iat = Date.UTC(2030, 0, 1) / 1000
    const { jti, ...claims } = decoded(payload) as { jti: string }
    expect(jti).to.match(/^[0-9a-f-]{36}$/)
    expect(claims).to.deep.equal({
      aud: [issuer],
      exp: iat + 3600,
      iat,
      iss: issuer,
      'kubernetes.io': {
        namespace: 'shop',
        serviceaccount: { name: 'robot', uid: 'r1' },
        node: { name: 'n', uid: 'n1' },
        pod: { name: 'p', uid: 'p1' },
        warnafter: iat + 3607,
      },
      nbf: iat,
      sub: 'system:serviceaccount:shop:robot',
    })
  })

  it('authenticates the account with its groups and bound objects', async () => {
    const bound = { ...claim, pod: { name: 'p', uid: 'p1' }, node: { name: 'gone', uid: '' } }
    const { token, credentialId } = await tokens.issue({
      claim: bound,
      audiences: [issuer],
      lifeSeconds: 600,
      scope: { roles: [] },
    })
    expect(await tokens.review(token)).to.deep.equal({
      user: {
        name: 'system:serviceaccount:shop:robot',
        uid: 'r1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/credential-id': [credentialId],
          'authentication.kubernetes.io/node-name': ['gone'],
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['p1'],
        },
        credential: { isServiceAccount: true, scope: { roles: [] } },
      },
      audiences: [issuer],
    })
  })

  it('is valid only for its audiences', async () => {
    const ledger = await issue({ audiences: ['ledger', 'other'] })
    expect(await tokens.review(ledger, ['ledger'])).to.have.deep.property('audiences', ['ledger'])
    expect(await tokens.review(ledger)).to.deep.equal({
      error:
        'token audiences ["ledger" "other"] is invalid for the target audiences ' +
        '["https://one.example" "https://kubernetes.default.svc"]',
    })
    expect(await tokens.authenticate(ledger)).to.equal(undefined)
  })

  it('refuses tokens of another plane and tokens of other kinds', async () => {
    expect(await tokensOf('https://two.example').review(await issue())).to.equal(undefined)
    expect(await tokens.review('key')).to.equal(undefined)
    expect(await tokens.review('a.b.c')).to.equal(undefined)
    const [header = '', payload = '', signature = ''] = (await issue()).split('.')
    const forged = Buffer.from(payload, 'base64url').toString().replace('robot', 'admin')
    const token = [header, Buffer.from(forged).toString('base64url'), signature].join('.')
    expect(await tokens.review(token)).to.equal(undefined)
  })

  const bound = (what: 'pod' | 'secret' | 'node', name: string, uid: string) => ({
    claim: { ...claim, [what]: { name, uid } },
  })
  const past = { deletionTimestamp: '2029-12-31T23:58:59Z' }
  const just = { deletionTimestamp: '2029-12-31T23:59:30Z' }
  const invalidated = 'service account token has been invalidated'
  const cases: {
    name: string
    contents?: Partial<TokenContents>
    change: () => void
    error: string | undefined
  }[] = [
    {
      name: 'a minute after its end',
      change: () => clock.jumpTo(Date.UTC(2030, 0, 1, 1, 1)),
      error: undefined,
    },
    {
      name: 'later',
      change: () => clock.jumpTo(Date.UTC(2030, 0, 1, 1, 1, 1)),
      error: 'service account token has expired',
    },
    {
      name: 'before its time',
      change: () => clock.jumpTo(Date.UTC(2029, 11, 31, 23, 58)),
      error: 'service account token is not valid yet',
    },
    {
      name: 'of an account that is gone',
      change: () => uids.delete('serviceaccounts/shop/robot'),
      error: 'serviceaccounts "robot" not found',
    },
    {
      name: 'of an account that was made anew',
      change: () => uids.set('serviceaccounts/shop/robot', { uid: 'r2' }),
      error: 'service account UID (r2) does not match claim (r1)',
    },
    {
      name: 'of an account that is being deleted for long',
      change: () => uids.set('serviceaccounts/shop/robot', { uid: 'r1', ...past }),
      error: 'service account has been deleted',
    },
    {
      name: 'of an account that is being deleted just now',
      change: () => uids.set('serviceaccounts/shop/robot', { uid: 'r1', ...just }),
      error: undefined,
    },
    {
      name: 'bound to a pod that is gone',
      contents: bound('pod', 'p', 'p1'),
      change: () => uids.delete('pods/shop/p'),
      error: invalidated,
    },
    {
      name: 'bound to another pod',
      contents: bound('pod', 'p', 'p0'),
      change: () => undefined,
      error: 'pod UID (p1) does not match service account pod ref claim (p0)',
    },
    {
      name: 'bound to a secret that is gone',
      contents: bound('secret', 's', 's1'),
      change: () => uids.delete('secrets/shop/s'),
      error: invalidated,
    },
    {
      name: 'bound to a secret that was made anew',
      contents: bound('secret', 's', 's1'),
      change: () => uids.set('secrets/shop/s', { uid: 's2' }),
      error: 'secret UID (s2) does not match service account secret ref claim (s1)',
    },
    {
      name: 'bound to a node that is gone',
      contents: bound('node', 'n', 'n1'),
      change: () => uids.delete('nodes//n'),
      error: invalidated,
    },
    {
      name: 'bound to a pod whose node is gone',
      contents: {
        claim: { ...claim, pod: { name: 'p', uid: 'p1' }, node: { name: 'n', uid: 'n1' } },
      },
      change: () => uids.delete('nodes//n'),
      error: undefined,
    },
  ]
  for (const { name, contents, change, error } of cases) {
    it(`a token ${name}: ${error ?? 'is valid'}`, async () => {
      const token = await issue(contents)
      expect(await tokens.review(token), 'before').to.have.property(
        name === 'bound to another pod' ? 'error' : 'user',
      )
      change()
      const verdict = await tokens.review(token)
      if (error === undefined) expect(verdict).to.have.property('user')
      else expect(verdict).to.deep.equal({ error })
    })
  }
})
