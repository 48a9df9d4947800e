import { parseObject } from '../../meta/json/parseObject.ts'
import type { JwtKeys } from './jwtKeys.ts'

/** The payload of a token. Times are seconds since the epoch. Source: RFC 7519 section 4.1. */
export interface JwtClaims {
  iss: string
  sub: string
  aud: string[]
  iat: number
  exp: number
  [name: string]: unknown
}

const algorithm = 'RS256'

/** A signed token in compact form. `fields` are those of its header beside algorithm and key. */
export async function signJwt(
  claims: JwtClaims,
  keys: JwtKeys,
  fields: Readonly<Record<string, string>> = { typ: 'JWT' },
): Promise<string> {
  const { JWS } = await jose()
  const key = await keys.signingKey()
  const options = { format: 'compact', alg: algorithm, fields } as const
  const signed: unknown = await JWS.createSign(options, key)
    .update(JSON.stringify(claims), 'utf8')
    .final()
  return String(signed)
}

/** What a token says, if one of the keys signed it; undefined: it is not such a token. Its times and its audience are for
 *  the caller to look at. The header's word about the algorithm counts for nothing: there is one. */
export async function verifiedClaims(token: string, keys: JwtKeys): Promise<JwtClaims | undefined> {
  const header = headerOf(token)
  if (header === undefined || header['alg'] !== algorithm || 'crit' in header) return undefined
  const { kid } = header
  const key = typeof kid === 'string' ? await keys.verifyingKey(kid) : undefined
  if (key === undefined) return undefined
  const { JWS } = await jose()
  try {
    const verifier = JWS.createVerify(key, { algorithms: [algorithm], allowEmbeddedKey: false })
    const { payload } = await verifier.verify(token)
    return claimsOf(payload.toString('utf8'))
  } catch {
    // The library throws for a token that it did not verify, and for nothing else here.
    return undefined
  }
}

const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Whether a bearer token is a signed one at all, and not an access key. */
export function looksLikeJwt(token: string): boolean {
  return compactForm.test(token)
}

function headerOf(token: string): Record<string, unknown> | undefined {
  if (!looksLikeJwt(token)) return undefined
  return parseObject(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8'))
}

function claimsOf(text: string): JwtClaims | undefined {
  const claims = parseObject(text)
  if (claims === undefined) return undefined
  const { iss, sub, aud, iat, exp } = claims
  const isComplete =
    typeof iss === 'string' &&
    typeof sub === 'string' &&
    Array.isArray(aud) &&
    typeof iat === 'number' &&
    typeof exp === 'number'
  // The fields that every token has were looked at.
  return isComplete ? (claims as JwtClaims) : undefined
}

/** Slow to load, and seldom needed. */
async function jose() {
  return (await import('node-jose')).default
}
