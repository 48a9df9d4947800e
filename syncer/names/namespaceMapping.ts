/**
 * `sync.toHost.namespaces.mappings.byName`: host namespaces by virtual names or by patterns with one `*`. `${name}` is
 * replaced by the virtual cluster's name. Source: platform facts 6.7.
 */
export type NamespacesByName = Readonly<Record<string, string>>

/** The host namespace of a virtual one; undefined: it is not mapped. An exact name takes precedence over patterns. */
export function mappedNamespace(
  namespace: string,
  byName: NamespacesByName,
  virtualCluster: string,
): string | undefined {
  const named = Object.entries(byName).map(([from, to]) => ({
    from: withName(from, virtualCluster),
    to: withName(to, virtualCluster),
  }))
  const exact = named.find(({ from }) => from === namespace)
  if (exact !== undefined) return exact.to
  for (const { from, to } of named) {
    const star = starOf(namespace, from)
    if (star !== undefined) return to.replace('*', () => star)
  }
  return undefined
}

/** Reports whether any virtual namespace may be mapped to this host namespace. */
export function isMappedTo(
  hostNamespace: string,
  byName: NamespacesByName,
  virtualCluster: string,
): boolean {
  return Object.values(byName)
    .map((to) => withName(to, virtualCluster))
    .some((to) => to === hostNamespace || starOf(hostNamespace, to) !== undefined)
}

/** Errors of a mapping; empty: it is valid. */
export function mappingProblems(path: string, byName: NamespacesByName): string[] {
  return Object.entries(byName).flatMap(([from, to]) => {
    const stars = [from, to].map((text) => text.split('*').length - 1)
    if (from === '' || to === '') return [`${path} needs a name on both sides`]
    if (stars[0] !== stars[1] || Math.max(...stars) > 1)
      return [`${path}[${from}] needs one * on both sides, or none`]
    return []
  })
}

function withName(text: string, virtualCluster: string): string {
  return text.replaceAll('${name}', () => virtualCluster)
}

function starOf(name: string, pattern: string): string | undefined {
  const [before, after] = pattern.split('*')
  if (before === undefined || after === undefined) return undefined
  const fits =
    name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
  return fits ? name.slice(before.length, name.length - after.length) : undefined
}
