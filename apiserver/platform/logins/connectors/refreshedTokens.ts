import type * as OpenId from 'openid-client'
import { brokenLogin } from '../loginRefusals.ts'
import type { Claims } from './identityClaims.ts'
import { openId, type Tokens } from './codeFlow.ts'

/** Tokens of a login that are kept for refreshing it. */
export interface KeptTokens {
  refreshToken?: string | undefined
  /** The newest ID token. */
  idToken?: string | undefined
}

export interface RefreshOptions {
  configuration: OpenId.Configuration
  /** Additional parameters of the token request. */
  parameters: Record<string, string>
  displayName: string
}

export interface RefreshedTokens {
  tokens: Tokens
  claims: Claims & { sub: string }
  /** True if the provider sent a new ID token; otherwise the claims are from the last one. */
  isWhole: boolean
  kept: KeptTokens
}

/**
 * Refreshes the tokens of a login; undefined: no refresh token.
 * @throws StatusError Unauthorized if the provider rejects the token; Error if the provider is unavailable.
 * Source: RFC 6749 section 6; OpenID Connect Core 12.
 */
export async function refreshedTokens(
  { refreshToken, idToken }: KeptTokens,
  { configuration, parameters, displayName }: RefreshOptions,
): Promise<RefreshedTokens | undefined> {
  if (refreshToken === undefined || idToken === undefined) return undefined
  const client = await openId()
  const { decodeJwt } = await import('jose')
  // The token was verified when it was received.
  const before = decodeJwt(idToken)
  const subject = before.sub ?? ''
  const tokens = await client
    .refreshTokenGrant(configuration, refreshToken, parameters)
    .catch((error: unknown) => {
      throw isRefusal(error, client) ? ended(displayName, error) : error
    })
  const claims = tokens.claims()
  if (claims !== undefined && claims.sub !== subject) throw ended(displayName)
  return {
    tokens,
    claims: claims ?? { ...before, sub: subject },
    isWhole: claims !== undefined,
    kept: {
      refreshToken: tokens.refresh_token ?? refreshToken,
      idToken: tokens.id_token ?? idToken,
    },
  }
}

/**
 * Reports whether the provider rejected the user. Other errors may concern this server: a changed client secret, too
 * many requests.
 */
function isRefusal(error: unknown, client: typeof OpenId): boolean {
  return error instanceof client.ResponseBodyError && error.error === 'invalid_grant'
}

function ended(displayName: string, cause?: unknown) {
  return brokenLogin(`${displayName} no longer knows the login`, cause)
}
