import type * as OpenId from 'openid-client'
import { brokenLogin } from '../loginRefusals.ts'
import type { Claims } from './claims.ts'
import { openId, type Tokens } from './codeFlow.ts'

/** What is kept of a login, to ask again with. */
export interface KeptTokens {
  refreshToken?: string | undefined
  /** The newest there is. */
  idToken?: string | undefined
}

export interface RefreshOptions {
  configuration: OpenId.Configuration
  /** Further parameters of the token request. */
  parameters: Record<string, string>
  displayName: string
}

export interface RefreshedTokens {
  tokens: Tokens
  claims: Claims & { sub: string }
  /** False: the provider sent no new ID token, and the claims are those of the last one. */
  isWhole: boolean
  kept: KeptTokens
}

/** New tokens for those of a login; undefined: there is none to ask with.
 *  @throws StatusError Unauthorized where the provider takes the token no more; Error where it cannot be asked.
 *  Source: RFC 6749 section 6; OpenID Connect Core 12. */
export async function refreshedTokens(
  { refreshToken, idToken }: KeptTokens,
  { configuration, parameters, displayName }: RefreshOptions,
): Promise<RefreshedTokens | undefined> {
  if (refreshToken === undefined || idToken === undefined) return undefined
  const client = await openId()
  const { decodeJwt } = await import('jose')
  // Checked when it came.
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

/** Any other answer may be about this server and not about the user: a client secret that was changed, too many requests. */
function isRefusal(error: unknown, client: typeof OpenId): boolean {
  return error instanceof client.ResponseBodyError && error.error === 'invalid_grant'
}

function ended(displayName: string, cause?: unknown) {
  return brokenLogin(`${displayName} does not know the login any more`, cause)
}
