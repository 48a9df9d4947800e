import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/**
 * Types of keys that represent a login: they are the user's tokens, revoked by a change of `User.spec.tokenGeneration`.
 * Keys created for programs stay. Source: specification, "Authentication" 6.
 */
const tokenTypes: readonly string[] = ['Login', 'OIDCRefreshToken', 'Reset']

export function isTokenType(type: string): boolean {
  return tokenTypes.includes(type)
}

/** A token generation in comparable form: a number, or its digits if a double cannot hold it. */
export type TokenGeneration = number | string

/** The generation of a user. @param value `spec.tokenGeneration` of a user. */
export function tokenGenerationOf(value: number | bigint = 0): TokenGeneration {
  return typeof value === 'bigint' ? String(value) : value
}

/** The generation as an integer. */
export function integerOf(generation: TokenGeneration): number | bigint {
  return typeof generation === 'string' ? BigInt(generation) : generation
}

/** The generation in an annotation. @param noted the value of the annotation. */
export function notedGeneration(noted = '0'): TokenGeneration {
  const number = Number(noted)
  return Number.isSafeInteger(number) ? number : noted
}

/** The annotation of a token key with the generation it was created in; absent: 0. */
export function generationAnnotation({ domain }: NamesProfile): string {
  return `${domain}/token-generation`
}
