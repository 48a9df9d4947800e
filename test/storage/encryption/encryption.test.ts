import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'
import { Encryption } from '../../../apiserver/storage/encryption/encryption.ts'
import { isSealed } from '../../../apiserver/storage/encryption/sealing.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { KmsPlugin } from './kmsPlugin.ts'
import { encryptionOf, identity, keyed, kms, writeRules } from './setUp.ts'

const secret = '/management/core/secrets/default/a'
const value = Buffer.from('{"kind":"Secret","data":{"a":"c2VjcmV0"}}\n')
let folder: string
let opened: Encryption[]
function withFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'encryption-'))
    opened = []
  })
  afterEach(async () => {
    for (const one of opened) one.stop()
    await rm(folder, { recursive: true })
  })
}

async function encryption(providers: object[], resources?: string[]): Promise<Encryption> {
  const made = await encryptionOf(folder, providers, resources)
  opened.push(made)
  return made
}

const messageOf = (call: () => unknown): string => {
  try {
    call()
    return 'no error'
  } catch (error) {
    return (error as Error).message
  }
}

describe('Encryption', () => {
  withFolder()

  const providers = [
    ['aesgcm', 16],
    ['aesgcm', 24],
    ['aesgcm', 32],
    ['aescbc', 16],
    ['aescbc', 32],
    ['secretbox', 32],
  ] as const
  for (const [provider, bytes] of providers) {
    it(`opens what ${provider} sealed with ${bytes} bytes, and seals the same value differently`, async () => {
      const made = await encryption([keyed(provider, 'key1', 1, bytes)])
      const sealed = made.seal(secret, value)
      expect(sealed.toString('latin1')).to.match(new RegExp(`^k8s:enc:${provider}:v1:key1:`))
      expect(sealed.includes('Secret')).to.equal(false)
      expect(made.open(secret, sealed).toString()).to.equal(value.toString())
      expect(made.seal(secret, value).equals(sealed)).to.equal(false)
    })
  }

  it('opens values written by the real server', async () => {
    // Recorded with kube-apiserver 1.37.2, where the key is the complete key in etcd.
    const real = JSON.parse(
      await readFile(new URL('realValues.json', import.meta.url), 'utf8'),
    ) as { key: string; stored: string }[]
    const key = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')
    const short = Buffer.from('0123456789abcdef').toString('base64')
    const providersOf = [
      { aesgcm: { keys: [{ name: 'key1', secret: key }] } },
      { aescbc: { keys: [{ name: 'key2', secret: short }] } },
      { secretbox: { keys: [{ name: 'key3', secret: key }] } },
    ]
    const made = await encryption(providersOf, ['*.*'])
    for (const { key: path, stored } of real) {
      const bytes = made.open(path, Buffer.from(stored, 'base64'))
      expect(bytes.subarray(0, 4).toString('latin1')).to.equal('k8s\0')
      expect(bytes.includes('demo')).to.equal(true)
    }
    expect(real.length).to.equal(3)
  })

  it('applies the most specific rule, on every plane', async () => {
    const path = join(folder, 'rules.yaml')
    await writeRules(path, [
      { resources: ['secrets'], providers: [keyed('aesgcm', 'a', 1)] },
      { resources: ['*.apps'], providers: [keyed('aesgcm', 'b', 2)] },
      { resources: ['*.'], providers: [identity] },
      { resources: ['*.*'], providers: [keyed('aesgcm', 'c', 3)] },
    ])
    const made = await Encryption.open({
      ...{ path, isReloaded: false, clock: realClock, random: realRandom },
    })
    opened.push(made)
    const keyOf = (key: string) => {
      const sealed = made.seal(key, value)
      return isSealed(sealed) ? sealed.toString('latin1').split(':')[4] : 'plain'
    }
    expect([
      keyOf('/management/core/secrets/default/a'),
      keyOf('/planes/0b1c/core/secrets/default/a'),
      keyOf('/planes/0b1c/apps/deployments/default/a'),
      keyOf('/management/core/configmaps/default/a'),
      keyOf('/management/example.com/things/a'),
    ]).to.deep.equal(['a', 'a', 'b', 'plain', 'c'])
  })

  it('reads every key of the list, writes the first, and reports the others as stale', async () => {
    const old = await encryption([keyed('aesgcm', 'old', 1)])
    const sealed = old.seal(secret, value)
    const both = await encryption([keyed('secretbox', 'new', 2), keyed('aesgcm', 'old', 1)])
    expect(both.open(secret, sealed).equals(value)).to.equal(true)
    expect([
      both.isStale(secret, sealed),
      both.isStale(secret, both.seal(secret, value)),
    ]).to.deep.equal([true, false])
    expect([both.isStale(secret, value), old.isStale(secret, sealed)]).to.deep.equal([true, false])
  })

  it('names a missing or wrong key', async () => {
    const sealed = (await encryption([keyed('aesgcm', 'key1', 1)])).seal(secret, value)
    const [other, wrong, plain] = [
      await encryption([keyed('aesgcm', 'key2', 1)]),
      await encryption([keyed('aesgcm', 'key1', 2)]),
      await encryption([identity]),
    ]
    const lacking = `${secret} is encrypted by aesgcm with the key "key1"`
    expect(messageOf(() => plain.open(secret, sealed))).to.equal(
      `${lacking}, which --encryption-provider-config does not have for it`,
    )
    expect(messageOf(() => other.open(secret, sealed))).to.match(
      new RegExp(`^${lacking}, but cannot be decrypted by it: no matching key was found`),
    )
    expect(messageOf(() => wrong.open(secret, sealed))).to.match(
      new RegExp(`^${lacking}, but cannot be decrypted by it: `),
    )
  })

  it('refuses an unencrypted value unless identity is a provider', async () => {
    const strict = await encryption([keyed('aesgcm', 'key1', 1)])
    expect(messageOf(() => strict.open(secret, value))).to.match(
      /^.* is not encrypted, and its rule/,
    )
    const lenient = await encryption([keyed('aesgcm', 'key1', 1), identity])
    expect(lenient.open(secret, value)).to.equal(value)
  })

  it('refuses bytes that were changed or moved to another object', async () => {
    const made = await encryption([keyed('aesgcm', 'key1', 1)])
    const sealed = made.seal(secret, value)
    expect(messageOf(() => made.open('/management/core/secrets/default/b', sealed))).to.match(
      /cannot be decrypted/,
    )
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
    expect(messageOf(() => made.open(secret, sealed))).to.match(/cannot be decrypted/)
    expect(messageOf(() => made.open(secret, sealed.subarray(0, 30)))).to.match(
      /cannot be decrypted/,
    )
  })

  it('reloads a changed file, and keeps the previous one if it is invalid', async () => {
    const path = join(folder, 'live.yaml')
    const seen: string[] = []
    await writeRules(path, [{ resources: ['secrets'], providers: [keyed('aesgcm', 'a', 1)] }])
    const made = await Encryption.open({
      ...{ path, isReloaded: true, random: realRandom },
      clock: { now: () => realClock.now(), setTimer: (call) => realClock.setTimer(call, 5) },
      onReloaded: () => seen.push('reloaded'),
      onRefused: () => seen.push('refused'),
    })
    opened.push(made)
    await writeRules(path, [{ resources: ['secrets'], providers: [] }])
    await waitUntil(() => seen.length === 1)
    const first = made.seal(secret, value)
    await writeRules(path, [
      { resources: ['secrets'], providers: [keyed('secretbox', 'b', 2), keyed('aesgcm', 'a', 1)] },
    ])
    await waitUntil(() => seen.includes('reloaded'))
    expect(made.seal(secret, value).toString('latin1')).to.match(/^k8s:enc:secretbox:v1:b:/)
    expect(made.open(secret, first).equals(value)).to.equal(true)
    expect(made.isStale(secret, first)).to.equal(true)
  })

  describe('with a KMS', () => {
    let plugin: KmsPlugin
    beforeEach(async () => {
      plugin = await KmsPlugin.start(join(folder, 'kms.sock'))
    })
    afterEach(() => plugin.stop())

    it('calls it once for all values of a key, and again after a restart', async () => {
      const first = await encryption([kms('vault', plugin.endpoint)])
      const sealed = [first.seal(secret, value), first.seal(secret, value)]
      expect(sealed[0]?.toString('latin1')).to.match(/^k8s:enc:kms:v2:vault:/)
      expect(sealed[0]?.equals(sealed[1] ?? value)).to.equal(false)
      expect(first.prepare(sealed)).to.equal(undefined)
      const second = await encryption([kms('vault', plugin.endpoint)])
      await second.prepare(sealed)
      expect(sealed.map((one) => second.open(secret, one).equals(value))).to.deep.equal([
        true,
        true,
      ])
      expect(plugin.decrypted).to.equal(1)
    })

    it('reports values of an earlier key of the KMS as stale', async () => {
      const first = await encryption([kms('vault', plugin.endpoint)])
      const sealed = first.seal(secret, value)
      plugin.keyId = 'key-2'
      const second = await encryption([kms('vault', plugin.endpoint)])
      await second.prepare([sealed])
      expect(second.open(secret, sealed).equals(value)).to.equal(true)
      expect([second.isStale(secret, sealed), first.isStale(secret, sealed)]).to.deep.equal([
        true,
        false,
      ])
    })

    it('refuses to write and names the reason while the KMS is unhealthy', async () => {
      plugin.healthz = 'sealed vault'
      const made = await encryption([kms('vault', plugin.endpoint)])
      const why =
        'kmsv2 Provider vault is not healthy, error: got unexpected healthz status: sealed vault'
      expect(messageOf(() => made.seal(secret, value))).to.equal(
        `${secret} cannot be encrypted: ${why}`,
      )
      expect(messageOf(() => made.checkKms())).to.equal(why)
    })

    it('cannot open values while the KMS is unreachable, and reports it', async () => {
      const sealed = (await encryption([kms('vault', plugin.endpoint)])).seal(secret, value)
      plugin.stop()
      const made = await encryption([kms('vault', plugin.endpoint)])
      await made.prepare([sealed])
      expect(messageOf(() => made.open(secret, sealed))).to.match(
        /is encrypted by kms with the provider "vault", but cannot be decrypted by it: failed to decrypt DEK/,
      )
    })
  })
})
