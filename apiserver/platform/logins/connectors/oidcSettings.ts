import type { ClientSettings } from './connector.ts'

/**
 * Settings of the provider. Source: specification, "OIDC fields". The key of the platform's own claim is
 * `platformUsernameClaim` here.
 */
export interface OidcSettings extends ClientSettings {
  issuerUrl?: string
  postLogoutRedirectURI?: string
  caFile?: string
  insecureCa?: boolean
  preferredUsername?: string
  platformUsernameClaim?: string
  usernameClaim?: string
  emailClaim?: string
  allowedExtraClaims?: readonly string[]
  usernamePrefix?: string
  groupsClaim?: string
  groups?: readonly string[]
  scopes?: readonly string[]
  getUserInfo?: boolean
  groupsPrefix?: string
  resource?: string
}
