/** The platform as an OpenID provider. Source: specification, "oidc" of the other status fields. */
export interface IdentityProviderSettings {
  enabled: boolean
  /** Whether a `*` in the redirect URI of a client stands for something. */
  wildcardRedirect: boolean
  clients: readonly IdentityClientSettings[]
}

export interface IdentityClientSettings {
  /** Shown to people; empty: the id is. */
  name: string
  clientId: string
  /** A secret; empty: the client is public, it can keep none. */
  clientSecret: string
  redirectURIs: readonly string[]
}

interface Fields {
  enabled?: boolean
  wildcardRedirect?: boolean
  clients?: readonly Partial<IdentityClientSettings>[]
}

/** @param oidc `status.oidc`, valid by the schema; undefined: nothing is set. */
export function identityProviderSettings(oidc: unknown): IdentityProviderSettings {
  // The schema says so.
  const { enabled = false, wildcardRedirect = false, clients = [] } = (oidc ?? {}) as Fields
  return {
    enabled,
    wildcardRedirect,
    clients: clients.map(({ name = '', clientId = '', clientSecret = '', redirectURIs = [] }) => ({
      ...{ name, clientId, clientSecret, redirectURIs },
    })),
  }
}
