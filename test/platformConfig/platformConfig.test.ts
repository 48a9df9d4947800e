import { expect } from 'chai'
import { namespaceResource } from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { secretResource } from '../../apiserver/apis/kubernetes/core/secret.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import { openPlatformConfig } from '../../apiserver/platform/openPlatformConfig.ts'
import type { PlatformConfig } from '../../apiserver/platformConfig/platformConfig.ts'
import { StartError } from '../../apiserver/runtime/startError.ts'
import { eventually } from '../support/eventually.ts'
import { refusal } from '../support/refusal.ts'
import { change, openStores, type Stores } from '../support/stores.ts'

const target = { namespace: 'platform', name: 'platform-manager-config' }
const yaml = (text: string) => Buffer.from(text)

describe('PlatformConfig', () => {
  let stores: Stores
  let reported: unknown[]

  beforeEach(async () => {
    stores = await openStores()
    reported = []
  })
  afterEach(() => stores.close())

  async function open(file?: string, over: Stores = stores): Promise<PlatformConfig> {
    const config = openPlatformConfig(
      { names: defaultNames, environment: { TTL: '60', SECRET: 'shh' } },
      (error) => void reported.push(error),
    )
    const secrets = over.storeOf(secretResource)
    const namespaces = over.storeOf(namespaceResource)
    await config.start(
      { secrets, namespaces },
      file === undefined ? undefined : { path: 'config.yaml', contents: yaml(file) },
    )
    return config
  }

  const edit = (text: string) =>
    change(stores.storeOf(secretResource), target, (object) => {
      object['data'] = { config: yaml(text).toString('base64') }
    })

  it('has the defaults if nothing is stored, and stores nothing', async () => {
    const config = await open()
    expect(config.current()).to.deep.equal({
      accessKeyMaxTTLSeconds: 0,
      loginAccessKeyTTLSeconds: 1_728_000,
      customHttpHeaders: {},
      projectNamespacePrefix: 'p-',
      audit: {},
      secretStore: {
        enabled: false,
        address: '',
        skipTLSVerify: false,
        namespace: '',
        token: '',
        tokenSecretRef: undefined,
        syncIntervalMs: 60_000,
      },
      identityProvider: { enabled: false, wildcardRedirect: false, clients: [] },
      disableConfigEndpoint: false,
      authenticateVersionEndpoint: false,
      auth: { loginAccessKeyTTLSeconds: 1_728_000 },
      uiSettings: {},
      host: '',
    })
    expect(config.view(true).stored).to.equal(undefined)
    expect(stores.storage.revision).to.equal(0)
  })

  it('takes effect when set, notifies, and survives a restart', async () => {
    const config = await open()
    const told: number[] = []
    const end = config.onChange((settings) => told.push(settings.accessKeyMaxTTLSeconds))
    await config.set({ raw: yaml('auth: {accessKeyMaxTTLSeconds: $TTL}') })
    expect(config.current().accessKeyMaxTTLSeconds).to.equal(60)
    end()
    await config.set({ raw: yaml('auth: {accessKeyMaxTTLSeconds: 7}') })
    expect(told).to.deep.equal([60])
    const again = await open(undefined, stores.restarted())
    expect(again.current().accessKeyMaxTTLSeconds).to.equal(7)
  })

  it('follows its Secret, including deletions', async () => {
    const config = await open()
    await config.set({ raw: yaml('projectNamespacePrefix: q-') })
    await edit('projectNamespacePrefix: r-')
    await eventually(stores.clock, () => config.current().projectNamespacePrefix === 'r-')
    await stores.storeOf(secretResource).delete(
      target,
      {},
      {
        user: { name: '', uid: '', groups: [], extra: {} },
        dryRun: false,
        warn: () => undefined,
      },
    )
    await eventually(stores.clock, () => config.current().projectNamespacePrefix === 'p-')
    expect(reported).to.deep.equal([])
  })

  it('uses a stored configuration with invalid URLs, and reports it', async () => {
    const config = await open('projectNamespacePrefix: q-')
    await edit('projectNamespacePrefix: t-\nauth: {oidc: {issuerUrl: nowhere}}')
    await eventually(stores.clock, () => reported.length === 1)
    expect(config.current().projectNamespacePrefix).to.equal('t-')
    reported = []
    const started = await open(undefined, stores.restarted())
    expect(started.current().projectNamespacePrefix).to.equal('t-')
    expect(reported.map(String)).to.deep.equal([
      'Error: the stored platform configuration is not valid: auth.oidc.issuerUrl: Invalid value: ' +
        '"nowhere": must be an absolute http or https URL without user, password, query and ' +
        'fragment; it stays in effect',
    ])
  })

  it('keeps the current configuration if the Secret is invalid, reports it, and refuses to start on it', async () => {
    const config = await open('projectNamespacePrefix: q-')
    await edit('projectNamespacePrefix: [q]')
    await eventually(stores.clock, () => reported.length === 1)
    const why =
      'is not valid: projectNamespacePrefix: Invalid value: "array": ' +
      'spec.raw.projectNamespacePrefix in body must be of type string: "array"'
    expect(String(reported[0])).to.equal(
      `Error: the stored platform configuration is not used: it ${why}`,
    )
    expect(config.current().projectNamespacePrefix).to.equal('q-')
    const failure = await open(undefined, stores.restarted()).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(StartError)
    expect(String(failure)).to.equal(
      `StartError: the stored platform configuration ${why}; set a valid one with --platform-config`,
    )
    const healed = await open('projectNamespacePrefix: s-', stores.restarted())
    expect(healed.current().projectNamespacePrefix).to.equal('s-')
  })

  it('imports a file once, and again when the file has changed', async () => {
    const config = await open('projectNamespacePrefix: a-')
    await config.set({ raw: yaml('projectNamespacePrefix: b-') })
    const same = await open('projectNamespacePrefix: a-', stores.restarted())
    expect(same.current().projectNamespacePrefix).to.equal('b-')
    const changed = await open('projectNamespacePrefix: c-', stores.restarted())
    expect(changed.current().projectNamespacePrefix).to.equal('c-')
  })

  const badFiles: { name: string; text: string; want: string }[] = [
    {
      name: 'a wrong field',
      text: 'disableConfigEndpoint: 1',
      want: 'is not valid: disableConfigEndpoint: Invalid value: "integer": spec.raw.disableConfigEndpoint in body must be of type boolean: "integer"',
    },
    {
      name: 'a setting nobody knows',
      text: 'auth: {colour: red}',
      want: 'has unknown settings: auth.colour',
    },
    {
      name: 'what is no YAML: nothing of it is shown',
      text: 'a: b\nsecret: [hidden',
      want: 'is not valid: is not readable as YAML (line 2)',
    },
  ]
  for (const { name, text, want } of badFiles) {
    it(`does not start on a file with ${name}`, async () => {
      const failure = await open(text).catch((error: unknown) => error)
      expect(String(failure)).to.equal(`StartError: the platform configuration config.yaml ${want}`)
      expect(stores.storage.revision).to.equal(0)
    })
  }

  it('refuses a write with an older resourceVersion: 409', async () => {
    const config = await open('{}')
    const resourceVersion = config.view(true).stored?.resourceVersion
    await config.set({ raw: yaml('projectNamespacePrefix: b-'), resourceVersion })
    const { code, reason } = await refusal(config.set({ raw: yaml('{}'), resourceVersion }))
    expect([code, reason]).to.deep.equal([409, 'Conflict'])
  })

  it('masks secrets, including in the document and placeholders', async () => {
    const text =
      'auth: {oidc: {clientId: c, clientSecret: $SECRET, scopes: [s]}}\nsecretStore: {auth: {token: t}}'
    const config = await open(text)
    const { raw, status } = config.view(false)
    expect(raw.toString()).to.equal(
      'auth:\n  oidc:\n    clientId: c\n    clientSecret: "***"\n    scopes:\n    - s\nsecretStore:\n  auth:\n    token: "***"\n',
    )
    expect(status).to.deep.equal({
      auth: {
        oidc: { clientId: 'c', clientSecret: '***', scopes: ['s'] },
        loginAccessKeyTTLSeconds: 1_728_000,
      },
      projectNamespacePrefix: 'p-',
      secretStore: { auth: { token: '***' }, syncInterval: '1m' },
    })
    expect(config.view(true).raw.toString()).to.equal(text)
  })

  it('has the settings of the secret store, and the default key of a token reference', async () => {
    const config = await open(
      'secretStore: {enabled: true, address: "https://a", namespace: team, skipTLSVerify: true, syncInterval: 1h30m, ' +
        'auth: {tokenSecretRef: {name: s}}}',
    )
    expect(config.current().secretStore).to.deep.equal({
      enabled: true,
      address: 'https://a',
      skipTLSVerify: true,
      namespace: 'team',
      token: '',
      tokenSecretRef: { name: 's', key: 'token', optional: false },
      syncIntervalMs: 5_400_000,
    })
  })
})
