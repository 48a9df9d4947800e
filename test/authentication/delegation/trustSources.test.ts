import { expect } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DelegateClient } from '../../../apiserver/authentication/delegation/delegateClient.ts'
import { TrustSources } from '../../../apiserver/authentication/delegation/trustSources.ts'
import {
  defaultDelegation,
  type DelegationOptions,
} from '../../../apiserver/runtime/options/delegationOptions.ts'
import { authority } from '../../support/certificates.ts'
import {
  addressOf,
  json,
  startDelegate,
  type DelegateServer,
} from '../../support/servers/delegate.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'
import { waitUntil } from '../../support/waitUntil.ts'

describe('TrustSources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'))
  let pems: [string, string]
  let delegate: DelegateServer
  let client: DelegateClient
  let clock: FakeClock
  let failures: string[]
  let changes: number
  let sources: TrustSources | undefined
  let watches: ServerResponse[]

  before(async () => {
    pems = [(await authority('one')).cert, (await authority('two')).cert]
  })

  beforeEach(async () => {
    delegate = await startDelegate()
    clock = new FakeClock()
    client = new DelegateClient({ address: addressOf(delegate.url), clock })
    failures = []
    watches = []
    changes = 0
  })

  afterEach(async () => {
    sources?.stop()
    client.close()
    await delegate.stop()
  })

  after(() => rmSync(folder, { recursive: true }))

  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const open = async (options: Partial<DelegationOptions>, asks = true) => {
    sources = new TrustSources({
      options: { ...defaultDelegation, ...options },
      client: asks ? client : undefined,
      clock,
      random: new FakeRandom(),
      changed: () => changes++,
      failed: (error) => void failures.push(String(error)),
    })
    await sources.start()
    return sources
  }
  /** Response to a list of the config map; watches stay open. */
  const serve = (data: Record<string, string> | undefined) => {
    delegate.answer = ({ path }, response) => {
      if (path.includes('watch=true')) return void watches.push(response)
      const items = data === undefined ? [] : [{ metadata: { resourceVersion: '7' }, data }]
      json(response, 200, { metadata: { resourceVersion: '7' }, items })
    }
  }
  const event = (type: string, data: Record<string, string>, resourceVersion = '8') =>
    `${JSON.stringify({ type, object: { metadata: { resourceVersion }, data } })}\n`
  const complete = () => ({
    'client-ca-file': pems[0],
    'requestheader-client-ca-file': pems[1],
    'requestheader-allowed-names': '["proxy"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  })
  const trusted = () => {
    const { clients, frontProxy } = sources?.trust ?? {}
    return [clients?.pem, frontProxy?.bundle.pem, frontProxy?.allowedNames]
  }

  it('reads files at start and every minute', async () => {
    const clientCaFile = file('clients.crt', pems[0])
    const requestheaderClientCaFile = file('proxies.crt', pems[1])
    const options = { clientCaFile, requestheaderClientCaFile }
    await open({ ...options, requestheaderAllowedNames: ['a'] }, false)
    expect(trusted()).to.deep.equal([pems[0], pems[1], ['a']])
    const seen = changes
    file('clients.crt', pems[1])
    clock.advance(60_000)
    await waitUntil(() => changes > seen)
    expect(trusted()[0]).to.equal(pems[1])
  })

  it('an invalid file leaves the previous content in effect', async () => {
    await open({ clientCaFile: file('bad.crt', pems[0]) }, false)
    file('bad.crt', 'words')
    clock.advance(60_000)
    await waitUntil(() => failures.length > 0)
    expect(failures).to.deep.equal(['Error: no PEM certificate found'])
    expect(trusted()[0]).to.equal(pems[0])
  })

  it('refuses to start with an invalid file', async () => {
    const clientCaFile = join(folder, 'none')
    expect(await open({ clientCaFile }, false).catch(String)).to.match(
      /^StartError: cannot read .*none: it does not exist/,
    )
  })

  it('reads a config map for what no file gives, and follows it (reference 9.3)', async () => {
    serve(complete())
    await open({})
    expect(trusted()).to.deep.equal([pems[0], pems[1], ['proxy']])
    await waitUntil(() => watches.length === 1)
    expect(
      delegate.asked.map(({ path }) => path.replace(/.*fieldSelector/, 'fieldSelector')),
    ).to.deep.equal([
      'fieldSelector=metadata.name%3Dextension-apiserver-authentication',
      'fieldSelector=metadata.name%3Dextension-apiserver-authentication&watch=true' +
        '&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=7',
    ])
    const text = event('MODIFIED', { ...complete(), 'requestheader-allowed-names': '["b"]' })
    watches[0]?.write(text.slice(0, 50))
    watches[0]?.write(text.slice(50))
    await waitUntil(() => trusted()[2]?.[0] === 'b')
  })

  it('resumes where a watch ended, and lists again after an error', async () => {
    serve(complete())
    await open({})
    await waitUntil(() => watches.length === 1)
    watches[0]?.end(event('BOOKMARK', {}, '9'))
    await waitUntil(() => watches.length === 2)
    expect(delegate.asked.at(-1)?.path).to.match(/resourceVersion=9$/)
    watches[1]?.end(`${JSON.stringify({ type: 'ERROR', object: { code: 410 } })}\n`)
    await waitUntil(() => clock.timers === 1)
    clock.advance(2_000)
    await waitUntil(() => watches.length === 3)
    expect(delegate.asked.at(-1)?.path).to.match(/resourceVersion=7$/)
  })

  it('a deleted config map leaves the last content in effect', async () => {
    serve(complete())
    await open({})
    await waitUntil(() => watches.length === 1)
    watches[0]?.write(event('DELETED', {}))
    watches[0]?.write(event('ADDED', { 'client-ca-file': pems[1] }))
    await waitUntil(() => trusted()[0] === pems[1])
    expect(trusted()).to.deep.equal([pems[1], pems[1], ['proxy']])
  })

  it('a file takes precedence over the config map', async () => {
    serve(complete())
    await open({ clientCaFile: file('own.crt', pems[1]) })
    expect(trusted()).to.deep.equal([pems[1], pems[1], ['proxy']])
  })

  it('sends no request if look-ups are off, or files give everything', async () => {
    await open({ authenticationSkipLookup: true })
    const all = file('all.crt', pems[0])
    await open({ clientCaFile: all, requestheaderClientCaFile: all })
    expect(delegate.asked).to.deep.equal([])
  })

  it('a missing config map gives nothing (reference 9.3)', async () => {
    serve(undefined)
    await open({})
    expect(trusted()).to.deep.equal([undefined, undefined, undefined])
  })

  it('keeps the readable parts if one key is unreadable', async () => {
    serve({ ...complete(), 'requestheader-allowed-names': 'proxy' })
    await open({})
    expect(trusted()).to.deep.equal([pems[0], undefined, undefined])
    expect(failures[0]).to.match(/SyntaxError/)
  })

  it('does not start without the right to read, unless configured to tolerate it', async () => {
    const message = 'configmaps is forbidden'
    delegate.answer = (_asked, response) => json(response, 403, { message })
    const what = `unable to load configmap based request-header-client-ca-file: ${message}`
    expect(await open({}).catch(String)).to.equal(`StartError: ${what}`)
    await open({ authenticationTolerateLookupFailure: true })
    expect(failures[0]).to.equal(`Error: ${what}`)
  })
})
