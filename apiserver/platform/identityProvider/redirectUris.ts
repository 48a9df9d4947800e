/** What a client may be sent back to. */
export interface RedirectRules {
  /** As the configuration has them. */
  registered: readonly string[]
  /** The client has no secret. */
  isPublic: boolean
  /** Whether a `*` in a registered URI stands for something. */
  hasWildcards: boolean
}

/** Characters that a URI has by its grammar, without the fragment's mark and the star. A browser reads a few others as
 *  something else than they are. Source: RFC 3986 section 2. */
const plainForm = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?@!$&'()+,;=%[\]]+$/
/** Schemes in which a browser runs or shows what the address itself says. */
const unsafeScheme = /^(javascript|data|vbscript|blob|file|about|filesystem|view-source):/i
/** Plain HTTP of the machine that the browser runs on, in the one spelling of each name. */
const loopbackForm = /^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(:\d{1,5})?((?:[/?].*)?)$/

/** Whether a client may be sent to an address: it is registered, character by character. Beyond that a star stands for
 *  something where stars are allowed, and a public client, whose user's own machine receives the answer, may have any
 *  port there. Source: specification, "oidc"; RFC 9700 section 2.1; RFC 8252 section 7.3. */
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

/** Without registered addresses a public client may listen at any path, as command-line programs do. */
function isOfOwnMachine(uri: string, registered: readonly string[]): boolean {
  const [, origin = '', port, rest = ''] = loopbackForm.exec(uri) ?? []
  if (origin === '') return false
  return registered.length === 0 || (port !== undefined && registered.includes(origin + rest))
}

const patternForm = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)([^/?#@\\:]+)(:(?:\d+|\*))?((?:[/?][^#\\]*)?)$/

/** A star stands for one or more characters of a label of the host, of the port, or of a part of the path or query; never
 *  for a dot of the host, a slash, or what would begin another part of the address, and never for the host's end. */
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
