import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { expect } from 'chai'
import { Browser } from './support/browser.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'
import type { Page } from './support/browser.ts'
import { certifiedKey, SamlProvider } from './support/samlProvider.ts'

describe('login through a SAML provider', function () {
  this.timeout(20_000)
  let server: LoginServer
  let provider: SamlProvider
  let callback: string
  let folder: string
  const wrong = '401 invalid response of saml: '
  const over = 'No valid subject confirmation found among those available in the SAML assertion'
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  before(async () => {
    server = await LoginServer.start()
    callback = `${server.url}/auth/saml/callback`
    provider = new SamlProvider(callback)
    await provider.start()
    folder = await mkdtemp(join(tmpdir(), 'saml-'))
    await writeFile(join(folder, 'ca.pem'), provider.cert)
  })
  after(async () => {
    await rm(folder, { recursive: true })
    await provider.close()
    await server.stop()
  })
  beforeEach(() => {
    provider.options = {}
    provider.user = { id: 'saml-1', attributes: { user: 'sam', mail: 'sam@idp.test' } }
  })

  const configure = (saml: Record<string, unknown> = {}) => {
    const caData = base64(provider.cert)
    const attributes = { usernameAttr: 'user', emailAttr: 'mail', groupsAttr: 'groups' }
    const common = { redirectURI: callback, ssoURL: provider.url, ...attributes }
    return server.configure({ auth: { saml: { ...common, caData, ...saml } } })
  }
  /** @param change change of the response in transit. */
  const browse = async (change?: (xml: string) => string): Promise<Page> => {
    const browser = new Browser('x')
    if (change !== undefined) {
      browser.changeForm = (fields) => {
        const xml = Buffer.from(fields.get('SAMLResponse') ?? '', 'base64').toString()
        fields.set('SAMLResponse', base64(change(xml)))
      }
    }
    return browser.open(`${server.url}/auth/saml/login`)
  }
  const identityOf = async (page: Page) => {
    const { identity } = await server.keyObject(keyOf(page))
    const { identityRefresh: _, ...told } = identity as Record<string, unknown>
    return told
  }
  const requestXml = () =>
    inflateRawSync(Buffer.from(provider.asked.get('SAMLRequest') ?? '', 'base64')).toString()

  it('creates a user with name, email address and groups (spec config.auth.saml, config.auth.saml.ssoURL, config.auth.saml.usernameAttr, config.auth.saml.emailAttr, config.auth.saml.groupsAttr)', async () => {
    provider.user = {
      id: 'saml-1',
      attributes: { user: 'sam', mail: 'sam@idp.test', groups: ['a', 'b'] },
    }
    await configure()
    expect(await identityOf(await browse())).to.deep.equal({
      userId: 'saml-1',
      username: 'sam',
      preferredUsername: 'sam',
      email: 'sam@idp.test',
      emailVerified: true,
      groups: ['a', 'b'],
      connector: 'saml',
    })
    expect(((await server.get('users/sam'))['spec'] as { email: string }).email).to.equal(
      'sam@idp.test',
    )
  })

  it('splits groups sent as one string (spec config.auth.saml.groupsDelim)', async () => {
    provider.user = { id: 'saml-1', attributes: { user: 'sam', groups: 'x; y' } }
    await configure({ groupsDelim: '; ' })
    expect((await identityOf(await browse()))['groups']).to.deep.equal(['x', 'y'])
  })

  it('accepts members of a group, and passes on the configured groups (spec config.auth.saml.allowedGroups, config.auth.saml.filterGroups)', async () => {
    provider.user = { id: 'saml-1', attributes: { user: 'sam', groups: ['x', 'y'] } }
    await configure({ allowedGroups: ['z'] })
    expect(alertOf(await browse())).to.equal(
      '403 the user is in none of the groups that may log in',
    )
    await configure({ allowedGroups: ['y'] })
    expect((await identityOf(await browse()))['groups']).to.deep.equal(['x', 'y'])
    await configure({ allowedGroups: ['y'], filterGroups: true })
    expect((await identityOf(await browse()))['groups']).to.deep.equal(['y'])
  })

  it('verifies with caData or with ca, or not at all (spec config.auth.saml.caData, config.auth.saml.ca, config.auth.saml.insecureSkipSignatureValidation)', async () => {
    const other = await certifiedKey()
    await configure({ caData: base64(other.cert) })
    expect(alertOf(await browse())).to.equal(`${wrong}Invalid signature`)
    await configure({ caData: undefined, ca: join(folder, 'ca.pem') })
    keyOf(await browse())
    await configure({ caData: undefined, insecureSkipSignatureValidation: true })
    keyOf(await browse((xml) => xml.replace('sam@idp.test', 'sam2@idp.test')))
    await configure()
    const page = await browse((xml) => xml.replace('sam@idp.test', 'boss@idp.test'))
    expect(alertOf(page)).to.equal(`${wrong}Invalid signature`)
  })

  it('entityIssuer is the issuer of requests and the audience, ssoIssuer that of responses (spec config.auth.saml.entityIssuer, config.auth.saml.ssoIssuer)', async () => {
    await configure({ entityIssuer: 'urn:test:platform' })
    keyOf(await browse())
    expect(requestXml()).to.match(/<saml:Issuer[^>]*>urn:test:platform</)
    provider.options = { audience: 'urn:test:other' }
    expect(alertOf(await browse())).to.equal(
      `${wrong}SAML assertion audience mismatch. Expected: urn:test:platform Received: urn:test:other`,
    )
    provider.options = {}
    await configure({ ssoIssuer: 'urn:test:other' })
    expect(alertOf(await browse())).to.equal(`${wrong}it is of the issuer urn:test:idp`)
    await configure({ ssoIssuer: 'urn:test:idp' })
    keyOf(await browse())
  })

  it('requests a name format by its URI or its last part, persistent by default (spec config.auth.saml.nameIDPolicyFormat)', async () => {
    for (const [nameIDPolicyFormat, want] of [
      [undefined, 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
      ['transient', 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'],
      ['emailAddress', 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
      ['urn:test:format', 'urn:test:format'],
    ]) {
      await configure(nameIDPolicyFormat === undefined ? {} : { nameIDPolicyFormat })
      await browse()
      expect(requestXml()).to.include(`Format="${want}"`)
    }
  })

  it('refuses another Destination than redirectURI, and another recipient (spec config.auth.saml.redirectURI)', async () => {
    await configure()
    const moved = (xml: string) =>
      xml.replace(/Destination="[^"]*"/, 'Destination="https://evil.test"')
    expect(alertOf(await browse(moved))).to.equal(`${wrong}its destination is https://evil.test`)
    provider.options = { recipient: 'https://evil.test' }
    expect(alertOf(await browse())).to.equal(`${wrong}the assertion does not belong to this login`)
  })

  it('refuses an expired response, a replayed one, and one to another login', async () => {
    await configure()
    provider.options = { lifetimeInSeconds: -600 }
    expect(alertOf(await browse())).to.equal(`${wrong}${over}`)
    provider.options = {}
    let old = ''
    keyOf(await browse((xml) => (old = xml)))
    expect(alertOf(await browse(() => old))).to.equal(`${wrong}InResponseTo is not valid`)
    // The response element is not signed: its request id may be changed, but not that in the
    // assertion.
    const reframed = (xml: string) => {
      const id = /InResponseTo="([^"]*)"/.exec(xml)?.[1] ?? ''
      return old.replace(/InResponseTo="[^"]*"/, `InResponseTo="${id}"`)
    }
    expect(alertOf(await browse(reframed))).to.equal(
      `${wrong}InResponseTo does not match subjectInResponseTo`,
    )
  })

  it('allows clock differences of less than a minute', async () => {
    await configure()
    provider.options = { lifetimeInSeconds: -40 }
    keyOf(await browse())
    provider.options = { lifetimeInSeconds: -75 }
    expect(alertOf(await browse())).to.equal(`${wrong}${over}`)
  })

  it('refuses an email address of another account', async () => {
    await server.makeUser('boss', { email: 'boss@idp.test', username: 'boss' })
    provider.user = { id: 'saml-9', attributes: { user: 'eve', mail: 'boss@idp.test' } }
    await configure()
    expect(alertOf(await browse())).to.equal(
      '403 another account has the email address boss@idp.test; an administrator can link it to this login with the annotation platform/sso-identity: saml:saml-9',
    )
  })

  it('works as an additional connector, whose provider responds to redirectURI (spec config.auth.connectors, config.auth.saml.redirectURI)', async () => {
    const redirectURI = `${server.url}/auth/work/callback`
    const other = new SamlProvider(redirectURI)
    await other.start()
    const saml = { ssoURL: other.url, caData: base64(other.cert) }
    const set = (settings: object) =>
      server.configure({
        auth: { connectors: [{ id: 'work', displayName: 'Work', saml: { ...saml, ...settings } }] },
      })
    await set({ redirectURI })
    const page = await new Browser('x').open(`${server.url}/auth/work/login`)
    expect((await server.keyObject(keyOf(page)))['identity']).to.include({ connector: 'work' })
    await set({})
    const refused = await new Browser('x').open(`${server.url}/auth/work/login`)
    await other.close()
    expect(alertOf(refused)).to.equal(
      '401 invalid response of Work: the assertion does not belong to this login',
    )
  })

  it('gets the login cookie with the cross-site post', async () => {
    await configure()
    const { headers } = await fetch(`${server.url}/auth/saml/login`)
    expect(headers.get('set-cookie')).to.match(/HttpOnly; Secure; SameSite=None$/)
  })
})
