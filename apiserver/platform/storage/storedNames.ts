import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/**
 * Names on which stored data depends, by setting: they occur in its keys, in groups, labels and names of objects, and
 * in fields and roles. Only the path segment is limited to URLs, which are generated.
 */
export function storedNames(names: NamesProfile): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, word]: [string, string]) =>
      name === 'proxySegment' ? [] : [[`names.${name}`, word]],
    ),
  )
}
