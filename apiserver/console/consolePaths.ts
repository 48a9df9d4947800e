import type { IncomingHttpHeaders } from 'node:http'

/** Base path of the console. */
export const consolePath = '/console'

/** The API explorer, a page of the console with an address of its own. */
const explorerPath = '/docs'

/** Reports whether a path, percent-decoded and without its query, belongs to the console. */
export function isConsolePath(path: string): boolean {
  return path === consolePath || path.startsWith(`${consolePath}/`)
}

/**
 * The address that a browser at `path` is sent to, relative to that path, so that it holds behind a proxy's prefix too;
 * undefined: nothing is redirected. API clients do not accept HTML.
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
