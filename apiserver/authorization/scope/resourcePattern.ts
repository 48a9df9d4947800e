/**
 * Patterns for resources: `pods`, `pods/log`, `*` (all, including subresources), `pods/*` (every
 * subresource of pods), `*` with `/log` (this subresource of all). Source: specification, "Scope";
 * the audit policy's patterns.
 */

const form = /^(\*|[^*/\s]+)(\/(\*|[^*/\s]+))?$/

/** Reports whether a string is a resource pattern. `*` must be a whole part. */
export function isResourcePattern(pattern: string): boolean {
  return form.test(pattern)
}

/** Reports whether a pattern matches a resource; `subresource` is empty for the resource itself. */
export function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  if (pattern === '*') return true
  const slash = pattern.indexOf('/')
  if (slash < 0) return subresource === '' && pattern === resource
  if (subresource === '') return false
  return isSame(pattern.slice(0, slash), resource) && isSame(pattern.slice(slash + 1), subresource)
}

function isSame(part: string, text: string): boolean {
  return part === '*' || part === text
}
