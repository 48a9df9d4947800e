import { BuiltInTypes } from '../../../../apiserver/apis/kubernetes/builtInTypes.ts'
import { expect } from 'chai'
import { authenticationResources } from '../../../../apiserver/apis/kubernetes/authentication/tokenReviews.ts'
import { JwtKeys } from '../../../../apiserver/authentication/tokens/jwtKeys.ts'
import { ServiceAccountTokens } from '../../../../apiserver/authentication/tokens/serviceAccountTokens.ts'
import { secretKeeper } from '../../../../apiserver/runtime/files/secretFile.ts'
import { defaultNames } from '../../../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import type { ResourceDefinition } from '../../../../apiserver/registry/resource.ts'
import { contextOf, user } from '../../../authorization/rbac/rights.ts'
import { FakeClock } from '../../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../../support/fakes/fakeRandom.ts'
import { refusal } from '../../../support/refusal.ts'

const apiVersion = 'authentication.k8s.io/v1'
const ann = { ...user('ann', 'g'), uid: 'u', extra: { key: ['value'] } }
const shown = { username: 'ann', uid: 'u', groups: ['g'], extra: { key: ['value'] } }

describe('authentication reviews', () => {
  const clock = new FakeClock()
  const random = new FakeRandom()
  const keys = new JwtKeys({ keeper: secretKeeper(undefined, ''), clock, maxLifeMs: 0 })
  const tokens = new ServiceAccountTokens(
    { keys, clock, random, scopeClaim: 'scope' },
    { issuer: () => 'here', audiences: ['also-here'], find: () => undefined },
  )
  const { tokenReviews, selfReviews } = authenticationResources({
    names: defaultNames,
    types: new BuiltInTypes(),
    authenticate: (token) => {
      if (token === 'narrow') return { ...ann, credential: { scope: { roles: [{ role: 'r' }] } } }
      return token === 'good' ? ann : undefined
    },
    tokens: () => tokens,
  })
  const ask = async (kind: ResourceDefinition, spec?: unknown): Promise<ApiObject> => {
    const object = { kind: kind.kind, apiVersion, metadata: {}, spec }
    const request = { ...contextOf(ann), namespace: '', name: '', query: new URLSearchParams() }
    const answer = await kind.answers?.create?.(object, request)
    if (answer === undefined) throw new Error('the kind does not answer')
    return answer
  }

  it('SelfSubjectReview returns the caller without the credential (reference 7.9)', async () => {
    expect(await ask(selfReviews)).to.deep.equal({
      kind: 'SelfSubjectReview',
      apiVersion,
      metadata: { creationTimestamp: '2030-01-01T00:00:00Z' },
      status: { userInfo: shown },
    })
  })

  const cases: [string, object, object][] = [
    [
      'a good token',
      { token: 'good' },
      { authenticated: true, user: shown, audiences: ['here', 'also-here'] },
    ],
    [
      'a token with a scope, which has to narrow there too',
      { token: 'narrow' },
      {
        authenticated: true,
        user: {
          ...shown,
          extra: { ...shown.extra, 'platform/scope': ['{"roles":[{"role":"r"}]}'] },
        },
        audiences: ['here', 'also-here'],
      },
    ],
    ['a bad token', { token: 'bad' }, { user: {}, error: 'invalid bearer token' }],
    [
      'a token for this server',
      { token: 'good', audiences: ['there', 'here'] },
      { authenticated: true, user: shown, audiences: ['here'] },
    ],
    [
      'a token for another server',
      { token: 'good', audiences: ['there'] },
      {
        user: {},
        error: 'token audiences ["here" "also-here"] is invalid for the target audiences ["there"]',
      },
    ],
  ]
  for (const [what, spec, status] of cases) {
    it(`TokenReview of ${what} (reference 7.9)`, async () => {
      expect((await ask(tokenReviews, spec))['status']).to.deep.equal(status)
    })
  }

  it('TokenReview without a token: 400 (reference 7.9)', async () => {
    expect(await refusal(ask(tokenReviews, {}))).to.deep.include({
      code: 400,
      message: 'token is required for TokenReview in authentication',
    })
  })
})
