import { parseObject } from '../../meta/json/parseObject.ts'
import type { JwtKeys } from './jwtKeys.ts'

/** The payload of a token. Times are in seconds since the epoch. Source: RFC 7519 section 4.1. */
export interface JwtClaims {
  iss: string
  sub: string
  aud: string[]
  iat: number
  exp: number
  [name: string]: unknown
}

/** Algorithm for keys that name none. */
const defaultAlgorithm = 'RS256'

/**
 * Signs a token in compact form. `fields` are additional header fields, besides algorithm and key
 * ID.
 */
export async function signJwt(
  claims: JwtClaims,
  keys: JwtKeys,
  fields: Readonly<Record<string, string>> = { typ: 'JWT' },
): Promise<string> {
  const { JWS } = await jose()
  const key = await keys.signingKey()
  const options = { format: 'compact', alg: key.alg || defaultAlgorithm, fields } as const
  const signed: unknown = await JWS.createSign(options, key)
    .update(JSON.stringify(claims), 'utf8')
    .final()
  return String(signed)
}

/**
 * Payload of a token signed by one of the keys; undefined: invalid. The caller checks times and
 * audience. The algorithm in the header is not trusted: only the key's algorithm is accepted.
 */
export async function verifiedClaims(token: string, keys: JwtKeys): Promise<JwtClaims | undefined> {
  const header = headerOf(token)
  if (header === undefined || 'crit' in header) return undefined
  const { kid } = header
  const key = typeof kid === 'string' ? await keys.verifyingKey(kid) : undefined
  if (key === undefined) return undefined
  const algorithm = key.alg || defaultAlgorithm
  if (header['alg'] !== algorithm) return undefined
  const { JWS } = await jose()
  try {
    const verifier = JWS.createVerify(key, { algorithms: [algorithm], allowEmbeddedKey: false })
    const { payload } = await verifier.verify(token)
    return claimsOf(payload.toString('utf8'))
  } catch {
    // The library throws here only if a token fails verification.
    return undefined
  }
}

const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Reports whether a bearer token looks like a signed token rather than an access key. */
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
  // The fields common to all tokens were checked.
  return isComplete ? (claims as JwtClaims) : undefined
}

/** Loaded on demand, since it loads slowly and is rarely needed. */
async function jose() {
  return (await import('node-jose')).default
}
