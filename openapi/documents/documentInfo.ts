/** `info` of every document. */
export interface DocumentInfo {
  title: string
  /** Version as in `/version`. */
  version: string
}

/** Authentication of clients, in the terms common to both versions of OpenAPI. */
export const bearerToken = {
  type: 'apiKey',
  description: 'An access key: `Bearer <token>`',
  name: 'authorization',
  in: 'header',
} as const

const phrases: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  401: 'Unauthorized',
}

/** Description of a response, which both versions require. */
export function reasonPhrase(code: string): string {
  return phrases[code] ?? code
}
