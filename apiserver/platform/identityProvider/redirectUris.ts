/** Rules for redirect URIs of a client. */
export interface RedirectRules {
  /** URIs in the configuration. */
  registered: readonly string[]
  /** True if the client has no secret. */
  isPublic: boolean
  /** True if a `*` in a registered URI is a wildcard. */
  hasWildcards: boolean
}

/**
 * Characters that the grammar of URIs allows, except for the fragment mark and the star. Browsers interpret a few
 * others differently. Source: RFC 3986 section 2.
 */
const plainForm = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?@!$&'()+,;=%[\]]+$/
/** Schemes for which a browser executes or shows content of the URI itself. */
const unsafeScheme = /^(javascript|data|vbscript|blob|file|about|filesystem|view-source):/i
/** Plain HTTP on the browser's own machine, in the one spelling of each name. */
const loopbackForm = /^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(:\d{1,5})?((?:[/?].*)?)$/

/**
 * Reports whether a redirect URI is allowed: it equals a registered URI. In addition a star is a wildcard if enabled,
 * and a public client, which receives the response on the user's machine, may use any port there. Source:
 * specification, "oidc"; RFC 9700 section 2.1; RFC 8252 section 7.3.
 */
export function isAllowedRedirect(uri: string, rules: RedirectRules): boolean {
  if (!isPlain(uri)) return false
  const { registered, isPublic, hasWildcards } = rules
  if (registered.includes(uri)) return true
  if (hasWildcards && registered.some((pattern) => matchesPattern(uri, pattern))) return true
  return isPublic && isOfOwnMachine(uri, registered)
}

function isPlain(uri: string): boolean {
  if (!plainForm.test(uri) || unsafeScheme.test(uri) || !URL.canParse(uri)) return false
  const { username, password } = new URL(uri)
  return username === '' && password === ''
}

/**
 * Reports whether a public client listens on the user's machine: without registered URIs any path
 * is allowed, since command-line programs need that.
 */
function isOfOwnMachine(uri: string, registered: readonly string[]): boolean {
  const [, origin = '', port, rest = ''] = loopbackForm.exec(uri) ?? []
  if (origin === '') return false
  return registered.length === 0 || (port !== undefined && registered.includes(origin + rest))
}

const patternForm = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)([^/?#@\\:]+)(:(?:\d+|\*))?((?:[/?][^#\\]*)?)$/

/**
 * Reports whether a URI matches a pattern. A star matches one or more characters of a host label,
 * of the port, or of a part of the path or query. It never matches a dot of the host, a slash, a
 * delimiter of another part of the URI, or the host's end.
 */
function matchesPattern(uri: string, pattern: string): boolean {
  if (!pattern.includes('*')) return false
  const [, scheme, host, port = '', rest = ''] = patternForm.exec(pattern) ?? []
  if (scheme === undefined || host === undefined) return false
  if (host.slice(host.lastIndexOf('.') + 1).includes('*')) return false
  const form = [
    quoted(scheme),
    quoted(host, '[A-Za-z0-9-]+'),
    quoted(port, '[0-9]+'),
    quoted(rest, '[A-Za-z0-9._~-]+'),
  ].join('')
  return new RegExp(`^${form}$`).test(uri) && !/\/\.{1,2}(?=[/?]|$)/.test(uri)
}

function quoted(text: string, star = ''): string {
  return text
    .split('*')
    .map((literal) => literal.replace(/[.+?^${}()|[\]\\/-]/g, '\\$&'))
    .join(star)
}
