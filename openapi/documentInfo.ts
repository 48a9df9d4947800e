/** The `info` of every document. */
export interface DocumentInfo {
  title: string
  /** As `/version` gives it. */
  version: string
}

/** How clients prove who they are, in the words both versions of OpenAPI share. */
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

/** The description of a response: both versions demand one. */
export function reasonPhrase(code: string): string {
  return phrases[code] ?? code
}
