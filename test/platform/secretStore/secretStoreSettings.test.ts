import { expect } from 'chai'
import { issueAuthority, issueLeaf } from '../../../apiserver/http/pki/issueCertificates.ts'
import { namesProfile } from '../../../apiserver/meta/names/namesProfile.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import {
  addressVariable,
  type SecretStoreSettings,
} from '../../../apiserver/platform/secretStore/secretStoreSettings.ts'
import { turns } from '../../support/eventually.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'
import { KeyValueServer } from '../../support/keyValue/keyValueServer.ts'
import { coreSecret, projectSecret, SecretPlane } from '../../support/secretPlane.ts'
import { create, put } from '../../support/stores.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { settingsFor } from './secretStoreSuite.ts'

const mine = { namespace: 'p-one', name: 'mine' }
const annotations = {
  'platform/secretStore-kv-mount-path': 'secret',
  'platform/secretStore-kv-secret-path': 'a/b',
}

describe('SecretStoreSync settings', () => {
  let server: KeyValueServer
  let plane: SecretPlane
  let settings: SecretStoreSettings

  beforeEach(async () => {
    server = new KeyValueServer()
    settings = settingsFor(`http://${await server.listen()}`, 'root')
    plane = await SecretPlane.open()
  })

  afterEach(async () => {
    await plane.close()
    await server.close()
  })

  const start = async (given: Partial<SecretStoreSettings> = {}) => {
    await plane.start()
    plane.sync?.update({ ...settings, ...given })
  }
  const make = () => create(plane.projectSecrets, projectSecret({ a: 'MQ==' }, { annotations }))
  const newest = () => plane.projectSecrets.newest(mine).object
  const told = () => {
    const { conditions = [] } = newest()['status'] as { conditions?: Record<string, string>[] }
    const { status, reason, message } = conditions[0] ?? {}
    return { status, reason, message }
  }
  const isTold = (reason: string) => waitUntil(() => told().reason === reason)
  const isGone = () =>
    waitUntil(() => plane.stores.storage.newest(plane.projectSecrets.keyOf(mine)) === undefined)

  it('false sends no request to the store (spec config.secretStore.enabled)', async () => {
    await start({ enabled: false })
    await make()
    plane.stores.clock.advance(120_000)
    await turns(20)
    expect([server.requests, newest().metadata.finalizers]).to.deep.equal([[], undefined])
  })

  it('does nothing until the settings are known', async () => {
    await plane.start()
    await make()
    await turns(20)
    expect(server.requests).to.deep.equal([])
  })

  it('after disabling, deleted objects are released without the store', async () => {
    await start()
    await make()
    await isTold('Synced')
    plane.sync?.update({ ...settings, enabled: false })
    const asked = server.requests.length
    await plane.projectSecrets.delete(mine, {}, systemContext())
    await isGone()
    // A read of the store may have been in progress when the sync was switched off.
    const writes = server.requests.slice(asked).filter((line) => !line.startsWith('GET '))
    expect(writes).to.deep.equal([])
  })

  it('defaults to that of the environment (spec config.secretStore.address)', async () => {
    plane.environment['SECRET_STORE_ADDR'] = settings.address
    await start({ address: '' })
    await make()
    await isTold('Synced')
  })

  it('the variable with the address follows the names profile', () => {
    expect([
      addressVariable(namesProfile()),
      addressVariable(namesProfile({ secretStore: 'safe' })),
    ]).to.deep.equal(['SECRET_STORE_ADDR', 'SAFE_ADDR'])
  })

  for (const address of ['', 'store.example.com', 'ftp://store']) {
    it(`an invalid address is reported: "${address}"`, async () => {
      await start({ address })
      await make()
      await turns(20)
      expect(plane.reports.map(String)).to.deep.equal([
        address === ''
          ? 'Error: project secrets are not synced: no address is set'
          : 'Error: project secrets are not synced: the address of the secret store is not an HTTP URL',
      ])
    })
  }

  it('an address may have a path', async () => {
    await start({ address: `${settings.address}/store/` })
    await make()
    await isTold('Refused')
    expect(server.requests[0]).to.equal('GET /store/v1/secret/data/a/b')
  })

  it('namespace and token are headers of every request (spec config.secretStore.namespace, config.secretStore.auth)', async () => {
    await start({ namespace: 'team/one' })
    await make()
    await isTold('Synced')
    const sent = server.headers.map((headers) => [
      headers['x-vault-namespace'],
      headers['x-vault-token'],
      headers['x-vault-request'],
    ])
    expect(sent).to.deep.equal(Array(sent.length).fill(['team/one', 'root', 'true']))
    expect(server.requests.slice(0, 2)).to.deep.equal([
      'GET /v1/secret/data/a/b',
      'POST /v1/secret/data/a/b',
    ])
  })

  describe('tokenSecretRef (spec config.secretStore.auth)', () => {
    const reference = { name: 'store', key: 'token', optional: false }
    const tokenSecret = (data: Record<string, string>) =>
      coreSecret(data, { name: 'store', namespace: 'platform' })
    const root = Buffer.from('root\n').toString('base64')

    it('names the secret with the token, which may change', async () => {
      await create(plane.secrets, tokenSecret({ token: 'eA==' }))
      await start({ token: '', tokenSecretRef: reference })
      await make()
      await isTold('Forbidden')
      await put(plane.secrets, tokenSecret({ token: root }))
      plane.stores.clock.advance(60_000)
      await isTold('Synced')
    })

    it('may name another key', async () => {
      await create(plane.secrets, tokenSecret({ other: root }))
      await start({ token: '', tokenSecretRef: { ...reference, key: 'other' } })
      await make()
      await isTold('Synced')
    })

    it('is ignored if there is a token', async () => {
      await start({ tokenSecretRef: reference })
      await make()
      await isTold('Synced')
    })

    it('if missing, sends no request, and retries', async () => {
      await start({ token: '', tokenSecretRef: reference })
      await make()
      await isTold('Unreachable')
      expect([told().message, server.requests]).to.deep.equal([
        'the secret platform/store with the token is missing',
        [],
      ])
      await create(plane.secrets, tokenSecret({ token: root }))
      plane.stores.clock.advance(1_000)
      await isTold('Synced')
    })

    it('if missing and optional, sends requests without a token', async () => {
      await start({ token: '', tokenSecretRef: { ...reference, optional: true } })
      await make()
      await isTold('Forbidden')
      expect(server.headers[0]).to.not.have.property('x-vault-token')
    })
  })

  describe('a failing store', () => {
    it('is retried with growing delays, and the failure is logged and reported once', async () => {
      const failure = () =>
        server.faults.push((response) => {
          response.statusCode = 503
          response.end('{"errors":["sealed"]}')
        })
      for (let count = 0; count < 4; count++) failure()
      await start()
      await make()
      await isTold('Unreachable')
      for (let count = 0; count < 20 && told().reason !== 'Synced'; count++) {
        plane.stores.clock.advance(100)
        await waitUntil(() => true)
      }
      expect([told().reason, plane.reports.map(String)]).to.deep.equal([
        'Synced',
        ['SecretStoreError: the secret store answers 503'],
      ])
    })

    it('is reported as unreachable without ports or times', async () => {
      await server.close()
      await start()
      await make()
      await isTold('Unreachable')
      expect(told().message).to.equal('the secret store cannot be reached: ECONNREFUSED')
      server = new KeyValueServer()
    })

    it('is reported when its response is invalid', async () => {
      server.faults.push((response) => void response.end('<html>'))
      server.faults.push((response) => void response.end('<html>'))
      await start()
      await make()
      await isTold('Unreachable')
      expect(told().message).to.equal('the response of the secret store is not JSON')
    })

    it('is followed to its active node by a redirect', async () => {
      server.faults.push((response) => {
        response.writeHead(307, { location: `${settings.address}/v1/secret/data/a/b` })
        response.end()
      })
      await start()
      await make()
      await isTold('Synced')
    })

    it('is not followed to another protocol with the token', async () => {
      // Reporting an error changes the object, which triggers another sync.
      for (let count = 0; count < 2; count++) {
        server.faults.push((response) => {
          response.writeHead(307, { location: 'https://127.0.0.1:1/v1/secret/data/a/b' })
          response.end()
        })
      }
      await start()
      await make()
      await isTold('Refused')
      await waitUntil(() => server.requests.length === 2)
      expect(told().message).to.equal('the secret store redirects to another protocol')
    })

    it('is read again after a concurrent write of another client', async () => {
      server.faults.push((response) => {
        response.end('{"data":{"data":{},"metadata":{"version":7}}}')
      })
      await start()
      await make()
      await waitUntil(() => server.requests.length >= 2)
      plane.stores.clock.advance(100)
      await isTold('Synced')
    })
  })

  it('is abandoned by a stop, without messages or timers', async () => {
    const timers = plane.stores.clock.timers
    server.faults.push(() => undefined)
    await start()
    await make()
    await waitUntil(() => server.requests.length === 1)
    plane.sync?.stop()
    await turns(20)
    expect([told(), plane.reports, plane.stores.clock.timers]).to.deep.equal([
      { status: undefined, reason: undefined, message: undefined },
      [],
      timers,
    ])
  })

  describe('over TLS', () => {
    beforeEach(async () => {
      await server.close()
      const sources = { clock: new FakeClock(Date.now()), random: new FakeRandom() }
      const authority = await issueAuthority(undefined, sources)
      server = new KeyValueServer({ tls: await issueLeaf(authority, ['127.0.0.1'], sources) })
      settings = settingsFor(`https://${await server.listen()}`, 'root')
    })

    it('false refuses an untrusted certificate (spec config.secretStore.skipTLSVerify)', async () => {
      await start()
      await make()
      await isTold('Unreachable')
      expect([told().message, server.requests]).to.deep.equal([
        'the secret store cannot be reached: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        [],
      ])
    })

    it('true accepts any certificate (spec config.secretStore.skipTLSVerify)', async () => {
      await start({ skipTLSVerify: true })
      await make()
      await isTold('Synced')
    })
  })
})
