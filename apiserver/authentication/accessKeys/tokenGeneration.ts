import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/**
 * Types of keys that represent a login: a change of `User.spec.tokenGeneration` revokes them. Keys
 * created for programs stay valid. Source: specification, "Authentication" 6.
 */
const tokenTypes: readonly string[] = ['Login', 'OIDCRefreshToken', 'Reset']

export function isTokenType(type: string): boolean {
  return tokenTypes.includes(type)
}

/**
 * A token generation in comparable form: a number, or a string of digits if a double cannot hold
 * it.
 */
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

/** The annotation with the token generation in which a key was created; absent: 0. */
export function generationAnnotation({ domain }: NamesProfile): string {
  return `${domain}/token-generation`
}
