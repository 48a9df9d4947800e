import { isObject } from '../../../meta/json/isObject.ts'

export type Claims = Readonly<Record<string, unknown>>

/** The claims in a value; none if it is not an object. */
export function claimsOf(value: unknown): Claims {
  return isObject(value) ? value : {}
}

/** The value of a claim as a string; undefined: absent. A number is converted to a string. */
export function textClaim(claims: Claims, name: string): string | undefined {
  const value = claims[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value of a claim as a list; a single string becomes a list. */
export function listClaim(claims: Claims, name: string): string[] {
  const value = claims[name]
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!Array.isArray(value)) return []
  return value.filter((item): item is string => typeof item === 'string')
}

/**
 * Reports whether the provider omitted a claim and refers to another endpoint, because the user has too many groups.
 * Source: OpenID Connect Core 5.6.2.
 */
export function isLeftOut(claims: Claims, name: string): boolean {
  const names = claims['_claim_names']
  return claims[name] === undefined && isObject(names) && name in names
}

/** Claims to keep; values other than strings are written as JSON. */
export function extraClaims(claims: Claims, allowed: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    allowed.flatMap((name) => {
      const value = claims[name]
      if (value === undefined || value === null) return []
      return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
    }),
  )
}
