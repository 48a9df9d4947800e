import type { NamesProfile } from '../meta/names/namesProfile.ts'

/** The names that what is stored depends on, by their settings: they stand in its keys, in groups, labels and names of
 *  objects, and in fields and roles. Only the path segment stands in addresses alone, which are made anew. */
export function storedNames(names: NamesProfile): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, word]: [string, string]) =>
      name === 'proxySegment' ? [] : [[`names.${name}`, word]],
    ),
  )
}
