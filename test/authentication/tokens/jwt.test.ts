import { expect } from 'chai'
import { createHmac, createPublicKey, createSign, generateKeyPairSync } from 'node:crypto'
import {
  signJwt,
  verifiedClaims,
  type JwtClaims,
} from '../../../apiserver/authentication/tokens/jwt.ts'
import { JwtKeys } from '../../../apiserver/authentication/tokens/jwtKeys.ts'
import type { SecretKeeper } from '../../../apiserver/runtime/files/secretFile.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

const dayMs = 24 * 60 * 60 * 1000
const claims: JwtClaims = {
  iss: 'https://platform.example',
  sub: 'ann',
  aud: ['here'],
  iat: 100,
  exp: 200,
  extra: { list: [1, 'é'] },
}

function memoryKeeper(): SecretKeeper & { text: string | undefined; writes: number } {
  return {
    text: undefined,
    writes: 0,
    async read() {
      return this.text
    },
    isShared: false,
    async replace(_, text) {
      this.text = text
      this.writes++
      return text
    },
  }
}

function keysOf(keeper = memoryKeeper(), clock = new FakeClock()): JwtKeys {
  return new JwtKeys({ keeper, clock, maxLifeMs: 30 * dayMs })
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function partsOf(token: string): {
  header: Record<string, unknown>
  payload: string
  rest: string
} {
  const [header = '', payload = '', rest = ''] = token.split('.')
  // The server created the header, which is an object.
  const decoded = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>
  return { header: decoded, payload, rest }
}

describe('jwt', function () {
  this.timeout(20_000)
  const keys = keysOf()
  let token: string

  before(async () => {
    token = await signJwt(claims, keys)
  })

  it('is signed with RS256 and names its key (spec token.token)', async () => {
    const { keys: published } = await keys.publicKeys()
    expect(partsOf(token).header).to.deep.equal({
      typ: 'JWT',
      alg: 'RS256',
      kid: Reflect.get(published[0] ?? {}, 'kid'),
    })
  })

  it('returns the claims of its own token', async () => {
    expect(await verifiedClaims(token, keys)).to.deep.equal(claims)
  })

  it('publishes no private key parts', async () => {
    const { keys: published } = await keys.publicKeys()
    expect(published.map((key) => Object.keys(key).sort())).to.deep.equal([
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ])
  })

  const attacks: { name: string; forge: () => string | Promise<string> }[] = [
    { name: 'no token at all', forge: () => 'an-access-key' },
    { name: 'three parts that are no JSON', forge: () => 'a.b.c' },
    {
      name: 'the algorithm none',
      forge: () => {
        const { header, payload } = partsOf(token)
        return `${encoded({ ...header, alg: 'none' })}.${payload}.`
      },
    },
    {
      name: 'the algorithm none with a signature',
      forge: () => {
        const { header, payload, rest } = partsOf(token)
        return `${encoded({ ...header, alg: 'none' })}.${payload}.${rest}`
      },
    },
    {
      name: 'HS256 with the public key as its secret',
      forge: async () => {
        const { header, payload } = partsOf(token)
        const { keys: published } = await keys.publicKeys()
        const key = createPublicKey({ key: published[0] ?? {}, format: 'jwk' })
        const secret = key.export({ type: 'spki', format: 'pem' })
        const signed = `${encoded({ ...header, alg: 'HS256' })}.${payload}`
        return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
      },
    },
    {
      name: 'an unknown key',
      forge: () => {
        const { header, payload, rest } = partsOf(token)
        return `${encoded({ ...header, kid: 'other' })}.${payload}.${rest}`
      },
    },
    {
      name: 'no key named',
      forge: () => {
        const { header, payload, rest } = partsOf(token)
        const { kid: _, ...other } = header
        return `${encoded(other)}.${payload}.${rest}`
      },
    },
    {
      name: 'a key that it carries itself',
      forge: () => {
        const { header, payload } = partsOf(token)
        const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
        const jwk = publicKey.export({ format: 'jwk' })
        const signed = `${encoded({ ...header, jwk })}.${payload}`
        const signature = createSign('sha256').update(signed).sign(privateKey, 'base64url')
        return `${signed}.${signature}`
      },
    },
    {
      name: 'a changed payload',
      forge: () => {
        const { rest } = partsOf(token)
        return `${token.split('.')[0] ?? ''}.${encoded({ ...claims, sub: 'admin' })}.${rest}`
      },
    },
    {
      name: 'a changed signature',
      forge: () => {
        const at = token.lastIndexOf('.') + 10
        return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      },
    },
    {
      name: 'an extension that must be understood',
      forge: () => {
        const { header, payload, rest } = partsOf(token)
        return `${encoded({ ...header, crit: ['exp'] })}.${payload}.${rest}`
      },
    },
    { name: 'more parts', forge: () => `${token}.${token}` },
  ]
  for (const { name, forge } of attacks) {
    it(`refuses ${name}`, async () => {
      expect(await verifiedClaims(await forge(), keys)).to.equal(undefined)
    })
  }

  it("refuses tokens signed by another server's keys", async () => {
    expect(await verifiedClaims(await signJwt(claims, keysOf()), keys)).to.equal(undefined)
  })
})

describe('JwtKeys', function () {
  this.timeout(20_000)

  it('creates one key at first use, even for concurrent callers', async () => {
    const keeper = memoryKeeper()
    const keys = keysOf(keeper)
    expect(keeper.writes).to.equal(0)
    const kids = await Promise.all([1, 2, 3].map(async () => (await keys.signingKey()).kid))
    expect(new Set(kids).size).to.equal(1)
    expect(keeper.writes).to.equal(1)
  })

  it('uses the stored key after a restart', async () => {
    const keeper = memoryKeeper()
    const token = await signJwt(claims, keysOf(keeper))
    expect(await verifiedClaims(token, keysOf(keeper))).to.deep.equal(claims)
  })

  it('signs with a new key after 90 days, and verifies with the old one while its tokens may live', async () => {
    const clock = new FakeClock()
    const keeper = memoryKeeper()
    const keys = keysOf(keeper, clock)
    const old = await signJwt(claims, keys)
    clock.advance(90 * dayMs)
    const fresh = await signJwt(claims, keys)
    expect(partsOf(fresh).header['kid']).not.to.equal(partsOf(old).header['kid'])
    expect(await verifiedClaims(old, keys)).to.deep.equal(claims)
    expect((await keys.publicKeys()).keys.length).to.equal(2)
    clock.advance(30 * dayMs)
    expect(await verifiedClaims(old, keys)).to.equal(undefined)
    expect(await verifiedClaims(fresh, keys)).to.deep.equal(claims)
  })

  it('retries after a failure', async () => {
    const keeper = memoryKeeper()
    let fails = true
    const keys = new JwtKeys({
      keeper: {
        read: async () => {
          if (fails) throw new Error('no disk')
          return keeper.read()
        },
        isShared: false,
        replace: (previous, text) => keeper.replace(previous, text),
      },
      clock: new FakeClock(),
      maxLifeMs: dayMs,
    })
    const failure: unknown = await keys.signingKey().catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Error)
    fails = false
    expect((await keys.signingKey()).kid).not.to.equal('')
  })
})
