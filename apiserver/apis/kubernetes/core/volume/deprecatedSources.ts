/** Volume sources that are no longer supported, with their names in warnings. */
const deprecatedSources: Readonly<Record<string, readonly [string, string]>> = {
  photonPersistentDisk: ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  gitRepo: ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  scaleIO: ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  flocker: ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  storageos: ['storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  quobyte: ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  glusterfs: ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  cephfs: ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  rbd: ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
}

/** Warnings about the deprecated sources of a volume, in order; by default about all of them. */
export function sourceWarnings(
  path: string,
  volume: Readonly<Record<string, unknown>>,
  sources: readonly string[] = Object.keys(deprecatedSources),
): string[] {
  return sources.flatMap((source) => {
    const [shown, why] = deprecatedSources[source] ?? []
    return volume[source] === undefined ? [] : [`${path}.${shown}: ${why}`]
  })
}
