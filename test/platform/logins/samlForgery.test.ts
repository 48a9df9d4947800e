import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { Browser } from './support/browser.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'
import { SamlProvider } from './support/samlProvider.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const assertionOf = (xml: string) => /<saml:Assertion[^]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
const responseOf = (xml: string) => /<samlp:Response[^]*<\/samlp:Response>/.exec(xml)?.[0] ?? ''
const signatureOf = (xml: string) => /<Signature [^]*?<\/Signature>/.exec(xml)?.[0] ?? ''

/** Assertion for another user, with another id and without a signature. */
const evil = (assertion: string) =>
  assertion
    .replace(signatureOf(assertion), '')
    .replace(/ ID="[^"]*"/, ' ID="_evil"')
    .replaceAll('saml-1', 'victim')
const within = (outer: string, inner: string) =>
  outer.replace('</saml:Assertion>', `${inner}</saml:Assertion>`)

interface Forgery {
  name: string
  change: (xml: string) => string
  why: string
}

/**
 * Forgeries that keep the signed part in the document with a valid signature, and add another one
 * in the place that is read. Source: "On Breaking SAML: Be Whoever You Want to Be", the eight kinds
 * of wrapping.
 */
const ofAssertion: Forgery[] = [
  {
    name: 'XSW3: an evil assertion before the signed one',
    change: (xml) => xml.replace(assertionOf(xml), (signed) => evil(signed) + signed),
    why: 'Invalid signature: multiple assertions',
  },
  {
    name: 'an evil assertion behind the signed one',
    change: (xml) => xml.replace(assertionOf(xml), (signed) => signed + evil(signed)),
    why: 'Invalid signature: multiple assertions',
  },
  {
    name: 'XSW4: an evil assertion around the signed one',
    change: (xml) => xml.replace(assertionOf(xml), (signed) => within(evil(signed), signed)),
    why: 'Invalid signature',
  },
  {
    name: 'XSW5: an evil assertion with the signature, the signed one behind it',
    change: (xml) =>
      xml.replace(assertionOf(xml), (signed) => {
        const signature = signatureOf(signed)
        const original = signed.replace(signature, '')
        return within(evil(signed), signature) + original
      }),
    why: 'Invalid signature: multiple assertions',
  },
  {
    name: 'XSW6: an evil assertion with the signature, the signed one inside that',
    change: (xml) =>
      xml.replace(assertionOf(xml), (signed) => {
        const signature = signatureOf(signed)
        const original = signed.replace(signature, '')
        return within(evil(signed), signature.replace('</Signature>', `${original}</Signature>`))
      }),
    why: "Invalid signature: Referenced node does not refer to it's parent element",
  },
  {
    name: 'XSW7: the signed assertion in an extension',
    change: (xml) =>
      xml.replace(
        assertionOf(xml),
        (signed) => `<samlp:Extensions>${signed}</samlp:Extensions>${evil(signed)}`,
      ),
    why: 'Invalid signature',
  },
  {
    name: 'XSW8: the signed assertion in an object of the signature',
    change: (xml) =>
      xml.replace(assertionOf(xml), (signed) => {
        const signature = signatureOf(signed)
        const original = signed.replace(signature, '')
        const object = `<Object>${original}</Object></Signature>`
        return within(evil(signed), signature.replace('</Signature>', object))
      }),
    why: "Invalid signature: Referenced node does not refer to it's parent element",
  },
  {
    name: 'an assertion whose id is that of the signed one',
    change: (xml) =>
      xml.replace(assertionOf(xml), (signed) => {
        const id = / ID="[^"]*"/.exec(signed)?.[0] ?? ''
        return evil(signed).replace(' ID="_evil"', id) + signed
      }),
    why: 'Invalid signature: multiple assertions',
  },
  {
    name: 'no signature at all',
    change: (xml) => xml.replace(assertionOf(xml), (signed) => evil(signed)),
    why: 'Invalid signature',
  },
  {
    name: 'another user under the signature',
    change: (xml) => xml.replaceAll('saml-1', 'victim'),
    why: 'Invalid signature',
  },
  {
    name: 'a comment in the name of another user',
    change: (xml) => xml.replace('saml-1<', 'vic<!-- -->tim<'),
    why: 'Invalid signature',
  },
  {
    name: 'a document type',
    change: (xml) => `<!DOCTYPE x [<!ENTITY e "victim">]>${xml}`,
    why: 'it defines a document type',
  },
  {
    name: 'a key of the verifier as the secret of the signature (algorithm confusion)',
    change: (xml) => {
      const signed = /<SignedInfo>[^]*?<\/SignedInfo>/.exec(xml)?.[0] ?? ''
      const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'
      const info = signed.replace(/(<SignatureMethod Algorithm=")[^"]*/, `$1${hmac}`)
      const canonical = info.replace(
        '<SignedInfo',
        '<SignedInfo xmlns="http://www.w3.org/2000/09/xmldsig#"',
      )
      const certificate = /<X509Certificate>([^<]*)/.exec(xml)?.[1] ?? ''
      const lines = certificate.match(/.{1,64}/g) ?? []
      const frame = (word: string) => `-----${word} CERTIFICATE-----`
      const secret = `${[frame('BEGIN'), ...lines, frame('END')].join('\n')}\n`
      const value = createHmac('sha1', secret).update(canonical).digest('base64')
      return xml.replace(signed, info).replace(/<SignatureValue>[^<]*/, `<SignatureValue>${value}`)
    },
    why: 'Invalid signature',
  },
  {
    name: 'an error of the provider',
    change: (xml) =>
      xml.replace(assertionOf(xml), '').replace('status:Success', 'status:Responder'),
    why: 'SAML provider returned Responder error: unspecified',
  },
  {
    name: 'a reference of the signature to nothing',
    change: (xml) => xml.replace(/ URI="#[^"]*"/, ' URI="#_nobody"'),
    why: 'Invalid signature: ID cannot refer to more than one element',
  },
  {
    name: 'a reference of the signature to the whole document',
    change: (xml) => xml.replace(/ URI="#[^"]*"/, ' URI=""'),
    why: 'signature reference uri not found',
  },
  ...['<a/>', '<a>', '<!-- -->', '<?a b?>', '<a b="'].map((flood) => ({
    name: `a flood of ${flood}, which takes minutes to parse`,
    change: (xml: string) => xml.replace('</samlp:Response>', `${flood.repeat(2_000)}$&`),
    why: 'it has more than 1500 elements',
  })),
  {
    name: 'a flood of attributes, which takes minutes to look up',
    change: (xml) => xml.replace('</samlp:Response>', `<a${' b="x"'.repeat(6_000)}/>$&`),
    why: 'it has more than 5000 attributes',
  },
  { name: 'what is no XML', change: () => 'x', why: 'Not a valid XML document' },
  { name: 'nothing', change: () => '', why: 'there is none' },
  {
    name: 'no assertion',
    change: (xml) => xml.replace(assertionOf(xml), ''),
    why: 'Missing SAML assertion',
  },
]

const ofResponse: Forgery[] = [
  {
    name: 'XSW1: an evil response around the signed one',
    change: (xml) => {
      const signed = responseOf(xml)
      const signature = signatureOf(signed)
      const around = evil(signed.replace(signature, ''))
      const original = signed.replace(signature, '')
      const object = `${signature.replace('</Signature>', `<Object>${original}</Object></Signature>`)}`
      return around.replace('</samlp:Response>', `${object}</samlp:Response>`)
    },
    why: 'Invalid signature, too many transforms',
  },
  {
    name: 'XSW2: the signed response beside its signature in an evil one',
    change: (xml) => {
      const signed = responseOf(xml)
      const signature = signatureOf(signed)
      const original = signed.replace(signature, '')
      return evil(original).replace('</samlp:Response>', `${original}${signature}</samlp:Response>`)
    },
    why: "Invalid signature: Referenced node does not refer to it's parent element",
  },
  {
    name: 'another user under the signature of the response',
    change: (xml) => xml.replaceAll('saml-1', 'victim'),
    why: 'Invalid signature',
  },
]

describe('forged SAML responses', function () {
  this.timeout(20_000)
  let server: LoginServer
  let provider: SamlProvider

  before(async () => {
    server = await LoginServer.start()
    const redirectURI = `${server.url}/auth/saml/callback`
    provider = new SamlProvider(redirectURI)
    await provider.start()
    const saml = { redirectURI, ssoURL: provider.url, caData: base64(provider.cert) }
    await server.configure({ auth: { saml } })
  })
  after(async () => {
    await provider.close()
    await server.stop()
  })
  beforeEach(() => (provider.options = {}))

  const browse = async (change: (xml: string) => string) => {
    const browser = new Browser('x')
    browser.changeForm = (fields) => {
      const xml = Buffer.from(fields.get('SAMLResponse') ?? '', 'base64').toString()
      fields.set('SAMLResponse', base64(change(xml)))
    }
    return browser.open(`${server.url}/auth/saml/login`)
  }

  it('differ from valid ones: a signed assertion, and a signed response', async () => {
    keyOf(await browse((xml) => xml))
    provider.options = { signResponse: true }
    keyOf(await browse((xml) => xml))
  })

  it('are told from those with a thousand groups', async () => {
    const { user } = provider
    const groups = Array.from({ length: 1_000 }, (_, at) => `group-${at}`)
    provider.user = { ...user, attributes: { groups } }
    try {
      keyOf(await browse((xml) => xml))
    } finally {
      provider.user = user
    }
  })

  it('cannot split a name by a comment, which no signature covers', async () => {
    const { identity } = await server.keyObject(
      keyOf(await browse((xml) => xml.replace('saml-1<', 'sa<!-- -->ml-1<'))),
    )
    expect((identity as { userId: string }).userId).to.equal('saml-1')
  })

  for (const [options, forgeries] of [
    [{}, ofAssertion],
    [{ signResponse: true }, ofResponse],
  ] as const) {
    for (const { name, change, why } of forgeries) {
      it(`are refused: ${name}`, async () => {
        provider.options = options
        let changed = false
        const page = await browse((xml) => {
          const forged = change(xml)
          changed = forged !== xml
          return forged
        })
        expect(changed).to.equal(true)
        expect(alertOf(page)).to.equal(`401 invalid response of saml: ${why}`)
      })
    }
  }
})
