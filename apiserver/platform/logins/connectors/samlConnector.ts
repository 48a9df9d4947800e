import { readFile } from 'node:fs/promises'
import type { CacheProvider, Profile, SAML, SamlConfig } from '@node-saml/node-saml'
import { messageOf } from '../../../meta/messageOf.ts'
import type { ExternalIdentity } from '../users/externalIdentity.ts'
import { brokenLogin } from '../loginRefusals.ts'
import type { Connector, ConnectorOptions, LoginReturn, LoginStart } from './connector.ts'
import { checkResponse, samlIdentity } from './samlIdentity.ts'
import { checkMarkup } from './samlMarkup.ts'
import type { SamlSettings } from './samlSettings.ts'

/** Tolerated clock skew. */
const clockSkewMs = 60_000
const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Login through a SAML 2.0 provider: the request is a redirect, the response is posted. */
export class SamlConnector implements Connector {
  readonly id: string
  readonly displayName: string
  readonly #options: ConnectorOptions
  readonly #settings: SamlSettings

  constructor(options: ConnectorOptions, settings: SamlSettings) {
    this.id = options.id
    this.displayName = options.displayName
    this.#options = options
    this.#settings = settings
  }

  async start(state: string): Promise<LoginStart> {
    const requests = new Requests()
    const saml = await this.#saml(requests)
    const redirect = await saml.getAuthorizeUrlAsync(state, undefined, {})
    return { redirect, kept: requests.ids(), isPosted: true }
  }

  async finish({ form, kept }: LoginReturn): Promise<ExternalIdentity> {
    // Sound: start() stored it.
    const requests = new Requests(kept as string[])
    const saml = await this.#saml(requests)
    const encoded = form.get('SAMLResponse') ?? ''
    const profile = await this.#profile(saml, encoded, requests).catch((error: unknown) => {
      const why = reasonOf(error)
      throw brokenLogin(`invalid response of ${this.displayName}: ${why}`, error)
    })
    return samlIdentity(profile, this.#settings, this.id)
  }

  async #profile(saml: SAML, encoded: string, requests: Requests): Promise<Profile> {
    if (encoded === '') throw new Error('there is none')
    const xml = Buffer.from(encoded, 'base64').toString('utf8')
    // Entity definitions do not belong in a response, and are used to attack parsers.
    if (/<!DOCTYPE/i.test(xml)) throw new Error('it defines a document type')
    checkMarkup(xml)
    const [requestId = ''] = requests.ids()
    const skips = this.#settings.insecureSkipSignatureValidation === true
    const { profile } = skips
      ? await unverified(saml, xml, requestId)
      : await saml.validatePostResponseAsync({ SAMLResponse: encoded })
    if (profile === null) throw new Error('it names nobody')
    const { ssoIssuer } = this.#settings
    checkResponse(profile, { xml, requestId, ssoIssuer, redirectUri: this.#options.redirectUri })
    return profile
  }

  async #saml(requests: CacheProvider): Promise<SAML> {
    const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml')
    const { ssoURL = '', entityIssuer, nameIDPolicyFormat, ssoIssuer } = this.#settings
    const { redirectUri } = this.#options
    const config: SamlConfig = {
      callbackUrl: redirectUri,
      entryPoint: ssoURL,
      issuer: entityIssuer ?? redirectUri,
      audience: entityIssuer ?? redirectUri,
      idpCert: await this.#certificates(),
      ...(ssoIssuer === undefined ? {} : { idpIssuer: ssoIssuer }),
      identifierFormat: nameIdFormat(nameIDPolicyFormat),
      validateInResponseTo: ValidateInResponseTo.always,
      cacheProvider: requests,
      acceptedClockSkewMs: clockSkewMs,
      disableRequestedAuthnContext: true,
      // Either the response or the assertion is signed, depending on the provider.
      wantAssertionsSigned: false,
      wantAuthnResponseSigned: false,
    }
    return new SAML(config)
  }

  async #certificates(): Promise<string[]> {
    const { caData, ca, insecureSkipSignatureValidation } = this.#settings
    if (insecureSkipSignatureValidation === true) return ['none']
    const pem =
      caData === undefined
        ? await readFile(ca ?? '', 'utf8')
        : Buffer.from(caData, 'base64').toString('utf8')
    const certificates = pem.match(pemCertificate) ?? []
    if (certificates.length === 0) throw new Error(`${this.id} has no certificate in PEM`)
    return certificates
  }
}

/** The reason of an error; the parser quotes its input, which must not be shown. */
function reasonOf(error: unknown): string {
  const why = messageOf(error)
  return why.includes('xmldom') ? 'it is not well-formed' : why
}

/** Parses an unsigned assertion with all other checks. */
async function unverified(saml: SAML, xml: string, requestId: string) {
  // These methods of the library are private, and it has no option to skip only the signature.
  const steps = saml as unknown as {
    getSignedAssertion(xml: string): Promise<string | null>
    processValidlySignedAssertionAsync(
      assertion: string,
      response: string,
      inResponseTo: string,
    ): Promise<{ profile: Profile | null }>
  }
  const assertion = await steps.getSignedAssertion(xml)
  if (assertion === null) throw new Error('it has no assertion')
  return steps.processValidlySignedAssertionAsync(assertion, xml, requestId)
}

/** The request that a response may refer to, once. */
class Requests implements CacheProvider {
  readonly #ids = new Map<string, string>()

  constructor(ids: readonly string[] = []) {
    for (const id of ids) this.#ids.set(id, new Date().toISOString())
  }

  ids(): string[] {
    return [...this.#ids.keys()]
  }

  async saveAsync(id: string, value: string) {
    this.#ids.set(id, value)
    return { value, createdAt: Date.now() }
  }

  async getAsync(id: string) {
    return this.#ids.get(id) ?? null
  }

  async removeAsync(id: string | null) {
    return id
  }
}

const olderFormats = [
  'emailAddress',
  'unspecified',
  'X509SubjectName',
  'WindowsDomainQualifiedName',
]

/** The format of a name ID, given as a full URI or its last component. Source: SAML 2.0 core, section 8.3. */
function nameIdFormat(format = 'persistent'): string {
  if (format.includes(':')) return format
  const version = olderFormats.includes(format) ? '1.1' : '2.0'
  return `urn:oasis:names:tc:SAML:${version}:nameid-format:${format}`
}
