/**
 * Settings of the platform as an OpenID provider. Source: specification, "oidc" of the other status
 * fields.
 */
export interface IdentityProviderSettings {
  enabled: boolean
  /** True if a `*` in a client's redirect URI is a wildcard. */
  wildcardRedirect: boolean
  clients: readonly IdentityClientSettings[]
}

export interface IdentityClientSettings {
  /** Display name; empty: the id is shown. */
  name: string
  clientId: string
  /** A secret; empty: the client is public and cannot keep a secret. */
  clientSecret: string
  redirectURIs: readonly string[]
}

interface Fields {
  enabled?: boolean
  wildcardRedirect?: boolean
  clients?: readonly Partial<IdentityClientSettings>[]
}

/** Settings of the identity provider. @param oidc `status.oidc`, valid by the schema; undefined: unset. */
export function identityProviderSettings(oidc: unknown): IdentityProviderSettings {
  // Sound by the schema.
  const { enabled = false, wildcardRedirect = false, clients = [] } = (oidc ?? {}) as Fields
  return {
    enabled,
    wildcardRedirect,
    clients: clients.map(({ name = '', clientId = '', clientSecret = '', redirectURIs = [] }) => ({
      ...{ name, clientId, clientSecret, redirectURIs },
    })),
  }
}
