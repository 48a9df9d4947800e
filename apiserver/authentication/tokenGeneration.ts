import type { NamesProfile } from '../meta/namesProfile.ts'

/** The types of keys that stand for a login: they are the user's tokens, which a change of `User.spec.tokenGeneration`
 *  ends. Keys that people make for programs stay. Source: specification, "Authentication" 6. */
const tokenTypes: readonly string[] = ['Login', 'OIDCRefreshToken', 'Reset']

export function isTokenType(type: string): boolean {
  return tokenTypes.includes(type)
}

/** The annotation of such a key with the generation it was made under; absent: 0. */
export function generationAnnotation({ domain }: NamesProfile): string {
  return `${domain}/token-generation`
}
