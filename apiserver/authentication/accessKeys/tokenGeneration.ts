import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/** The types of keys that stand for a login: they are the user's tokens, which a change of `User.spec.tokenGeneration`
 *  ends. Keys that people make for programs stay. Source: specification, "Authentication" 6. */
const tokenTypes: readonly string[] = ['Login', 'OIDCRefreshToken', 'Reset']

export function isTokenType(type: string): boolean {
  return tokenTypes.includes(type)
}

/** A token generation as it is compared and noted: a number, or the digits of one that no double holds. */
export type TokenGeneration = number | string

/** @param value `spec.tokenGeneration` of a user. */
export function tokenGenerationOf(value: number | bigint = 0): TokenGeneration {
  return typeof value === 'bigint' ? String(value) : value
}

/** The same as an integer. */
export function integerOf(generation: TokenGeneration): number | bigint {
  return typeof generation === 'string' ? BigInt(generation) : generation
}

/** @param noted the value of the annotation. */
export function notedGeneration(noted = '0'): TokenGeneration {
  const number = Number(noted)
  return Number.isSafeInteger(number) ? number : noted
}

/** The annotation of such a key with the generation it was made under; absent: 0. */
export function generationAnnotation({ domain }: NamesProfile): string {
  return `${domain}/token-generation`
}
