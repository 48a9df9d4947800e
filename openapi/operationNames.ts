import type { GroupVersion } from '../apiserver/meta/types.ts'

/** Prefix of operation ids such as `ExampleDevV1`; `CoreV1` for the core group. Source: reference 6.6. */
export function idPrefix(groupVersion: GroupVersion): string {
  return capitalized(groupId(groupVersion.group)) + capitalized(groupVersion.version)
}

/** Tag of every operation of a group version, such as `exampleDev_v1`. */
export function tagOf({ group, version }: GroupVersion): string {
  return `${groupId(group)}_${version}`
}

/**
 * Group in names, such as `exampleDev`. Drops the suffix `.k8s.io`, since clients know these groups
 * without it.
 */
export function groupId(group: string): string {
  const [first = '', ...rest] = (group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''))
    .split(/[^0-9A-Za-z]+/)
    .filter((part) => part !== '')
  return first + rest.map(capitalized).join('')
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Kind with its article: `a Widget`, `an Index`. */
export function withArticle(kind: string): string {
  return `${/^[AEIOU]/i.test(kind) ? 'an' : 'a'} ${kind}`
}
