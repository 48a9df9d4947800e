/** Formats for the values of a secret. */
export const secretFormats = ['plain', 'json', 'yaml', 'env', 'dotenv'] as const
export type SecretFormat = (typeof secretFormats)[number]
