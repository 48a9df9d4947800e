import type { IncomingHttpHeaders } from 'node:http'

/** Base path of the console. */
export const consolePath = '/console'

/** Path of the API explorer, a page of the console with its own address. */
const explorerPath = '/docs'

/** Reports whether a path, percent-decoded and without its query, belongs to the console. */
export function isConsolePath(path: string): boolean {
  return path === consolePath || path.startsWith(`${consolePath}/`)
}

/**
 * Redirect target for a browser at `path`, relative to that path so that it works behind a proxy
 * with a path prefix; undefined: no redirect. API clients do not accept HTML.
 */
export function redirectOf(
  path: string,
  { accept = '' }: Pick<IncomingHttpHeaders, 'accept'>,
): string | undefined {
  if (path === consolePath) return 'console/'
  if (path !== '/' && path !== explorerPath) return undefined
  if (!accept.includes('text/html')) return undefined
  return path === '/' ? 'console/' : 'console/#/docs'
}
