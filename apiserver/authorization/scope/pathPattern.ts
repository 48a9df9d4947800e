/** Patterns for paths outside the API: `/metrics`, `/debug/*` (everything below), `*` (every path).
 *  Source: specification, "Scope", nonResourceURLs. */

/** Reports whether `*` occurs only as the whole last segment. */
export function isPathPattern(pattern: string): boolean {
  if (pattern === '*') return true
  const fixed = pattern.endsWith('/*') ? pattern.slice(0, -1) : pattern
  return fixed.startsWith('/') && !fixed.includes('*')
}

export function matchesPath(pattern: string, path: string): boolean {
  if (!isPathPattern(pattern)) return false
  if (pattern === '*' || pattern === path) return true
  return pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1))
}
