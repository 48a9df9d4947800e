import { expect } from 'chai'
import type { Answer, HttpClient } from '../../../endpoints/support/httpClient.ts'
import {
  clientOf,
  management,
  openBob,
  useTestServer,
} from '../../../endpoints/support/testServer.ts'

const tokens = `${management}/directclusterendpointtokens`
const daySeconds = 24 * 60 * 60

function claimsOf(answer: Answer): Record<string, unknown> {
  expect(answer.status, answer.text).to.equal(201)
  const [, payload = ''] = String(answer.field('status', 'token')).split('.')
  // A token's payload is a JSON object.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
}

function lifeOf({ iat, exp }: Record<string, unknown>): number {
  return Number(exp) - Number(iat)
}

describe('DirectClusterEndpointToken', function () {
  this.timeout(20_000)
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient

  before(async () => {
    admin = server().admin
    bob = await openBob(server())
  })

  it('metadata and spec may be empty (spec token.empty, token.token, endpoint.DirectClusterEndpointToken.create)', async () => {
    const answer = await bob.post(tokens, { metadata: {}, spec: {}, status: { token: 'sent' } })
    const claims = claimsOf(answer)
    const uid = (await admin.get(`${management}/users/bob`)).field('metadata', 'uid')
    const { iat, exp, ...rest } = claims
    expect(Number(exp) - Number(iat)).to.equal(daySeconds)
    expect(rest).to.deep.equal({
      iss: server().running.url,
      sub: 'bob',
      aud: ['direct-cluster-endpoint.platform'],
      platform: { uid, name: 'bob', kind: 'User', gen: 0 },
    })
  })

  it('spec DirectClusterEndpointToken: accepts an empty body', async () => {
    expect(lifeOf(claimsOf(await bob.post(tokens, {})))).to.equal(daySeconds)
  })

  const lives: [ttl: number, seconds: number][] = [
    [0, daySeconds],
    [1, 1],
    [3600, 3600],
    [30 * daySeconds, 30 * daySeconds],
  ]
  for (const [ttl, seconds] of lives) {
    it(`a ttl of ${ttl} gives ${seconds} seconds (spec token.ttl)`, async () => {
      expect(lifeOf(claimsOf(await bob.post(tokens, { spec: { ttl } })))).to.equal(seconds)
    })
  }

  const refused: [ttl: number, why: string][] = [
    [-1, 'must be greater than or equal to 0'],
    [30 * daySeconds + 1, 'must be less than or equal to 2592000'],
  ]
  for (const [ttl, why] of refused) {
    it(`refuses a ttl of ${ttl}: 422`, async () => {
      const answer = await bob.post(tokens, { spec: { ttl } })
      expect([answer.status, answer.field('details', 'causes')]).to.deep.equal([
        422,
        [
          {
            reason: 'FieldValueInvalid',
            message: `Invalid value: ${ttl}: ${why}`,
            field: 'spec.ttl',
          },
        ],
      ])
    })
  }

  it('carries its scope (spec token.scope, auth.5)', async () => {
    const scope = { clusters: [{ cluster: 'one' }] }
    const claims = claimsOf(await bob.post(tokens, { spec: { scope } }))
    expect(Reflect.get(Object(claims['platform']), 'scope')).to.deep.equal(scope)
  })

  it('carries the token generation of its user', async () => {
    await admin.post(`${management}/users`, {
      metadata: { name: 'gen' },
      spec: { tokenGeneration: 7 },
    })
    const key = await admin.post(`${management}/ownedaccesskeys`, {
      metadata: { name: 'gen' },
      spec: { user: 'gen' },
    })
    const client = clientOf(server().running, String(key.field('spec', 'key')))
    const claims = claimsOf(await client.post(tokens, {}))
    expect(Reflect.get(Object(claims['platform']), 'gen')).to.equal(7)
  })

  it('signs nothing in a dry run', async () => {
    const answer = await bob.post(`${tokens}?dryRun=All`, {})
    expect([answer.status, answer.field('status')]).to.deep.equal([201, {}])
  })

  it('is refused by the management API with 401 (spec auth.5)', async () => {
    const token = String((await admin.post(tokens, {})).field('status', 'token'))
    const client = clientOf(server().running, token)
    for (const path of [`${management}/users`, '/api/v1/namespaces', '/apis', tokens]) {
      expect((await client.get(path)).status, path).to.equal(401)
    }
  })

  describe('of a scoped key', () => {
    const scope = { rules: [{ resources: [{ group: 'management.platform' }] }] }
    let scoped: HttpClient

    before(async () => {
      const key = await admin.post(`${management}/ownedaccesskeys`, {
        metadata: { name: 'scoped' },
        spec: { user: 'bob', scope },
      })
      scoped = clientOf(server().running, String(key.field('spec', 'key')))
    })

    it("has the key's scope by default (facts 2)", async () => {
      const claims = claimsOf(await scoped.post(tokens, {}))
      expect(Reflect.get(Object(claims['platform']), 'scope')).to.deep.equal(scope)
    })

    it('cannot have another scope (facts 2)', async () => {
      const wider = { clusters: [{ cluster: '*' }] }
      const answer = await scoped.post(tokens, { spec: { scope: wider } })
      expect([answer.status, answer.field('details', 'causes', 0, 'field')]).to.deep.equal([
        422,
        'spec.scope',
      ])
    })
  })

  const others: [method: string, ask: () => Promise<Answer>][] = [
    ['get', () => admin.get(`${tokens}/one`)],
    ['list', () => admin.get(tokens)],
    ['delete', () => admin.delete(`${tokens}/one`)],
  ]
  for (const [method, ask] of others) {
    it(`serves no ${method}: 405 (facts 1.0)`, async () => {
      expect((await ask()).status).to.equal(405)
    })
  }
})
