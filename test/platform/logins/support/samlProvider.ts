import 'reflect-metadata' // @peculiar/x509 does not load without it
import * as x509 from '@peculiar/x509'
import { KeyObject, webcrypto } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'

export interface SamlUser {
  id: string
  attributes: Readonly<Record<string, string | string[]>>
}

/** The options of the package `samlp`, which has no types. */
interface IssuerOptions {
  issuer: string
  cert: string
  key: string
  getPostURL: (
    audience: string,
    document: unknown,
    request: unknown,
    done: (error: null, url: string) => void,
  ) => void
  getUserFromRequest: () => unknown
  profileMapper: () => unknown
  audience?: string
  recipient?: string
  destination?: string
  signResponse?: boolean
  lifetimeInSeconds?: number
}

/** Real SAML identity provider: the package `samlp`. Every visitor is logged in as `user`. */
export class SamlProvider {
  user: SamlUser = { id: 'saml-1', attributes: {} }
  /** Overrides of the provider's behaviour. */
  options: Partial<IssuerOptions> = {}
  issuer = 'urn:test:idp'
  url = ''
  cert = ''
  /** Query of the last authentication request. */
  asked = new URLSearchParams()
  #key = ''
  #server: Server | undefined
  readonly #callback: string

  constructor(callback: string) {
    this.#callback = callback
  }

  async start(): Promise<void> {
    const made = await certifiedKey()
    this.cert = made.cert
    this.#key = made.key
    // @ts-expect-error the package has no types; what is used of it is IssuerOptions.
    const { default: samlp } = (await import('samlp')) as {
      default: { auth(options: IssuerOptions): express.RequestHandler }
    }
    const app = express()
    app.get('/saml', (request, response, next) => {
      this.asked = new URLSearchParams(request.url.split('?')[1])
      void samlp.auth(this.#issuerOptions())(request, response, next)
    })
    const server = createServer(app)
    this.#server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/saml`
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  #issuerOptions(): IssuerOptions {
    return {
      issuer: this.issuer,
      cert: this.cert,
      key: this.#key,
      destination: this.#callback,
      recipient: this.#callback,
      getPostURL: (_audience, _document, _request, done) => done(null, this.#callback),
      getUserFromRequest: () => this.user,
      profileMapper: () => ({
        getClaims: () => this.user.attributes,
        getNameIdentifier: () => ({ nameIdentifier: this.user.id }),
      }),
      ...this.options,
    }
  }
}

/** RSA key with a self-signed certificate. */
export async function certifiedKey(): Promise<{ cert: string; key: string }> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=idp',
    keys,
    signingAlgorithm: algorithm,
    serialNumber: '01',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()
  return { cert: certificate.toString('pem'), key }
}
