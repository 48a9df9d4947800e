import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { expect } from 'chai'
import { Browser } from './browser.ts'
import { alertOf, keyOf, LoginServer } from './loginServer.ts'
import type { Page } from './browser.ts'
import { certifiedKey, SamlProvider } from './samlProvider.ts'

describe('login through a SAML provider', function () {
  this.timeout(20_000)
  let server: LoginServer
  let provider: SamlProvider
  let callback: string
  let folder: string
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
  /** @param change of the response on its way. */
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

  it('spec config.auth.saml, config.auth.saml.attributes: makes a user of name, email address and groups', async () => {
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

  it('spec config.auth.saml.attributes: splits groups that come as one text', async () => {
    provider.user = { id: 'saml-1', attributes: { user: 'sam', groups: 'x; y' } }
    await configure({ groupsDelim: '; ' })
    expect((await identityOf(await browse()))['groups']).to.deep.equal(['x', 'y'])
  })

  it('spec config.auth.saml.groups: lets in whom a group allows, and passes on what it is told to', async () => {
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

  it('spec config.auth.saml.trust: verifies with caData or with ca, or not at all', async () => {
    const other = await certifiedKey()
    await configure({ caData: base64(other.cert) })
    expect(alertOf(await browse())).to.match(/^401 the answer of saml is not right: /)
    await configure({ caData: undefined, ca: join(folder, 'ca.pem') })
    keyOf(await browse())
    await configure({ caData: undefined, insecureSkipSignatureValidation: true })
    keyOf(await browse((xml) => xml.replace('sam@idp.test', 'sam2@idp.test')))
    await configure()
    const page = await browse((xml) => xml.replace('sam@idp.test', 'boss@idp.test'))
    expect(alertOf(page)).to.match(/^401 the answer of saml is not right: /)
  })

  it('spec config.auth.saml.issuers: entityIssuer is the issuer of requests and the audience, ssoIssuer that of responses', async () => {
    await configure({ entityIssuer: 'urn:test:platform' })
    keyOf(await browse())
    expect(requestXml()).to.match(/<saml:Issuer[^>]*>urn:test:platform</)
    provider.options = { audience: 'urn:test:other' }
    expect(alertOf(await browse())).to.match(/audience/)
    provider.options = {}
    await configure({ ssoIssuer: 'urn:test:other' })
    expect(alertOf(await browse())).to.match(/^401 .* it is of the issuer urn:test:idp/)
    await configure({ ssoIssuer: 'urn:test:idp' })
    keyOf(await browse())
  })

  it('spec config.auth.saml.nameIDPolicyFormat: asks for a format by its URI or the end of it; persistent when not set', async () => {
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

  it('refuses another Destination than redirectURI, and another recipient', async () => {
    await configure()
    const moved = (xml: string) =>
      xml.replace(/Destination="[^"]*"/, 'Destination="https://evil.test"')
    expect(alertOf(await browse(moved))).to.match(/^401/)
    provider.options = { recipient: 'https://evil.test' }
    expect(alertOf(await browse())).to.match(/^401 .* the assertion does not answer this login/)
  })

  it('refuses a response that is over, one that is replayed, and one to another login', async () => {
    await configure()
    provider.options = { lifetimeInSeconds: -600 }
    expect(alertOf(await browse())).to.match(/^401 the answer of saml is not right: /)
    provider.options = {}
    let old = ''
    keyOf(await browse((xml) => (old = xml)))
    expect(alertOf(await browse(() => old))).to.match(/^401 the answer of saml is not right: /)
    // The frame is not signed: the request that it names may be changed, the one in the assertion may not.
    const reframed = (xml: string) => {
      const id = /InResponseTo="([^"]*)"/.exec(xml)?.[1] ?? ''
      return old.replace(/InResponseTo="[^"]*"/, `InResponseTo="${id}"`)
    }
    expect(alertOf(await browse(reframed))).to.match(/^401 the answer of saml is not right: /)
  })

  const forged = (assertion: string) =>
    assertion
      .replace(/<ds:Signature[^]*<\/ds:Signature>|<Signature[^]*<\/Signature>/, '')
      .replace(/ID="[^"]*"/, 'ID="_forged"')
      .replaceAll('saml-1', 'victim')
  const assertionOf = (xml: string) => /<saml:Assertion[^]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
  const wrappings: Record<string, (xml: string) => string> = {
    'no signature': (xml) => xml.replace(assertionOf(xml), forged(assertionOf(xml))),
    'a forged assertion before the signed one': (xml) =>
      xml.replace(assertionOf(xml), forged(assertionOf(xml)) + assertionOf(xml)),
    'a forged assertion behind the signed one': (xml) =>
      xml.replace(assertionOf(xml), assertionOf(xml) + forged(assertionOf(xml))),
    'the signed assertion inside a forged one': (xml) => {
      const signed = assertionOf(xml)
      return xml.replace(
        signed,
        forged(signed).replace('</saml:Assertion>', `${signed}</saml:Assertion>`),
      )
    },
    'the signed assertion in an extension': (xml) => {
      const signed = assertionOf(xml)
      return xml.replace(signed, `<samlp:Extensions>${signed}</samlp:Extensions>${forged(signed)}`)
    },
    'a document type': (xml) => `<!DOCTYPE x [<!ENTITY e "victim">]>${xml}`,
    'a comment in the name': (xml) => xml.replace('saml-1<', 'vic<!-- -->tim<'),
    'no XML': () => 'x',
    nothing: () => '',
  }
  for (const [name, change] of Object.entries(wrappings)) {
    it(`refuses ${name} (signature wrapping)`, async () => {
      await configure()
      const page = await browse(change)
      expect(alertOf(page)).to.match(/^401 the answer of saml is not right: /)
    })
  }

  it('sends the cookie of the login with the post of another site', async () => {
    const { headers } = await fetch(`${server.url}/auth/saml/login`)
    expect(headers.get('set-cookie')).to.match(/HttpOnly; Secure; SameSite=None$/)
  })
})
