import type { PathMatch } from './matchPath.ts'

/**
 * Replaces each match by its result; null and undefined remove it. The document is modified in place.
 * Source: platform facts 6.4.
 */
export function replaceMatches(matches: readonly PathMatch[], results: readonly unknown[]): void {
  const shortened = new Set<unknown[]>()
  matches.forEach(({ parent, key }, at) => {
    const result = results[at] ?? null
    if (!Array.isArray(parent)) {
      if (result === null) Reflect.deleteProperty(parent, key)
      else parent[key] = result
    } else {
      parent[Number(key)] = result === null ? removed : result
      if (result === null) shortened.add(parent)
    }
  })
  // After all replacements: the indexes of matches refer to the original document.
  for (const list of shortened) {
    const kept = list.filter((element) => element !== removed)
    list.splice(0, list.length, ...kept)
  }
}

const removed = Symbol('removed')
