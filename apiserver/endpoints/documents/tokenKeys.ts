import type { JwtKeys } from '../../authentication/tokens/jwtKeys.ts'
import { jsonType } from '../../encoding/mediaTypes.ts'
import { routeMethodNotAllowed, routeNotAcceptable } from '../../meta/statusErrors.ts'
import { acceptOf, isAccepted } from '../response/acceptOf.ts'
import type { Exchange } from '../exchange.ts'
import { writeBody } from '../response/response.ts'

/** Keys that verify this server's tokens. */
export interface TokenIssuer {
  keys: readonly JwtKeys[]
  /** `iss` of its tokens, which is also the base URL of these documents. */
  url(): string
}

const discoveryPath = '/.well-known/openid-configuration'
const keysPath = '/openid/v1/jwks'
const keysType = 'application/jwk-set+json'

export const tokenKeyPaths: readonly string[] = [discoveryPath, keysPath]

/**
 * Serves the location of the public keys, and the keys. False: another path.
 * Source: reference 6.9; OpenID Connect Discovery 1.0 section 4; Kubernetes documentation, "Service account issuer
 * discovery".
 */
export async function serveTokenKeys(exchange: Exchange, issuer: TokenIssuer): Promise<boolean> {
  if (!tokenKeyPaths.includes(exchange.path)) return false
  if (exchange.method !== 'GET') throw routeMethodNotAllowed()
  if (exchange.path === discoveryPath) {
    await write(exchange, discovery(issuer.url()), jsonType)
    return true
  }
  const sets = await Promise.all(issuer.keys.map((one) => one.publicKeys()))
  const keys = sets.flatMap((set) => set.keys)
  await write(exchange, { keys }, keysType)
  return true
}

function discovery(url: string): Record<string, unknown> {
  return {
    issuer: url,
    jwks_uri: url + keysPath,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

async function write(exchange: Exchange, document: unknown, mediaType: string): Promise<void> {
  // Clients that do not know the media type of keys request JSON.
  const isMeant = isAccepted(acceptOf(exchange.request) ?? '', [mediaType, jsonType])
  if (!isMeant) throw routeNotAcceptable([mediaType])
  const body = Buffer.from(`${JSON.stringify(document)}\n`)
  const extra = { 'Cache-Control': 'public, max-age=3600' }
  await writeBody(exchange, body, { code: 200, mediaType, extra })
}
