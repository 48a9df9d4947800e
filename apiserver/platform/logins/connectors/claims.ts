import { isObject } from '../../../meta/json/isObject.ts'

export type Claims = Readonly<Record<string, unknown>>

/** What is no object has no claims. */
export function claimsOf(value: unknown): Claims {
  return isObject(value) ? value : {}
}

/** The text of a claim; undefined: there is none. A number counts as the text that it is written as. */
export function textClaim(claims: Claims, name: string): string | undefined {
  const value = claims[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A text or a list of texts. */
export function listClaim(claims: Claims, name: string): string[] {
  const value = claims[name]
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!Array.isArray(value)) return []
  return value.filter((item): item is string => typeof item === 'string')
}

/** Whether the provider left a claim out and says where it can be asked for: there were too many groups.
 *  Source: OpenID Connect Core 5.6.2. */
export function isLeftOut(claims: Claims, name: string): boolean {
  const names = claims['_claim_names']
  return claims[name] === undefined && isObject(names) && name in names
}

/** Claims as they are kept: what is no text is written as JSON. */
export function extraClaims(claims: Claims, allowed: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    allowed.flatMap((name) => {
      const value = claims[name]
      if (value === undefined || value === null) return []
      return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
    }),
  )
}
