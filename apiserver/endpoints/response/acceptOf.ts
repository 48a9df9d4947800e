import type { IncomingMessage } from 'node:http'

/** The effective `Accept` header: the first of several lines. Source: the real server's answers. */
export function acceptOf({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string | undefined {
  const { accept } = headers
  // The runtime joins several lines with commas.
  if (accept === undefined || !accept.includes(',')) return accept
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'accept') return rawHeaders[index + 1]
  }
  return accept
}

/**
 * Reports whether Accept allows one of a route's types: routes only know whole types, case-sensitively, and the
 * wildcard for all. Source: reference 1.5.
 */
export function isAccepted(accept: string, mediaTypes: readonly string[]): boolean {
  if (accept === '') return true
  return accept.split(',').some((clause) => {
    const name = (clause.split(';', 1)[0] ?? '').trim()
    return name === '*/*' || mediaTypes.includes(name)
  })
}
