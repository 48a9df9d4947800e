import type { Adapter, AdapterPayload } from 'oidc-provider'
import type {
  IdentityClientSettings,
  IdentityProviderSettings,
} from '../../platformConfig/identityProviderSettings.ts'
import { isAllowedRedirect } from './redirectUris.ts'

/** The clients of one configuration, as an adapter of the library. */
export class ProviderClients implements Adapter {
  readonly #settings: IdentityProviderSettings

  constructor(settings: IdentityProviderSettings) {
    this.#settings = settings
  }

  find(clientId: string): Promise<AdapterPayload | undefined> {
    const client = this.#client(clientId)
    return Promise.resolve(client && metadataOf(client))
  }

  isAllowedRedirect(clientId: string, uri: string): boolean {
    const client = this.#client(clientId)
    if (client === undefined) return false
    return isAllowedRedirect(uri, {
      registered: client.redirectURIs,
      isPublic: client.clientSecret === '',
      hasWildcards: this.#settings.wildcardRedirect,
    })
  }

  /** Reports whether a page of this origin may call the token endpoint: a client redirects to that origin. */
  isAllowedOrigin(clientId: string, origin: string): boolean {
    const uris = this.#client(clientId)?.redirectURIs ?? []
    return uris.some((uri) => URL.canParse(uri) && new URL(uri).origin === origin)
  }

  #client(clientId: string): IdentityClientSettings | undefined {
    return this.#settings.clients.find((client) => client.clientId === clientId && clientId !== '')
  }

  upsert = unsupported
  findByUserCode = unsupported
  findByUid = unsupported
  consume = unsupported
  destroy = unsupported
  revokeByGrantId = unsupported
}

/** Rejects changes: clients are only changed in the configuration. */
function unsupported(): Promise<never> {
  return Promise.reject(new Error('clients of the provider stand in the configuration'))
}

function metadataOf({ name, clientId, clientSecret }: IdentityClientSettings): AdapterPayload {
  const isPublic = clientSecret === ''
  return {
    client_id: clientId,
    ...(name === '' ? {} : { client_name: name }),
    ...(isPublic ? {} : { client_secret: clientSecret }),
    // A secret in the body is accepted, too.
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // Required by the library but never compared: isAllowedRedirect() decides instead.
    redirect_uris: ['https://client.invalid/'],
  }
}
