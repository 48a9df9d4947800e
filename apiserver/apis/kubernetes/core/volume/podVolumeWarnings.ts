import type { Volume } from '../pod/podTypes.ts'
import { fractionWarning } from '../quantities.ts'
import type { ClaimSpec } from './claimRules.ts'

/** Sources of volumes that nothing serves any more, with the names that are told. */
const oldSources: Readonly<Record<string, readonly [string, string]>> = {
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

/** Warnings about volumes. Source: seen on kube-apiserver 1.37.2. */
export function volumeWarnings(path: string, volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`
    const old = Object.entries(oldSources)
      .filter(([source]) => volume[source] !== undefined)
      .map(([, [shown, why]]) => `${at}.${shown}: ${why}`)
    // The schema has looked at the type.
    const ephemeral = volume['ephemeral'] as
      { volumeClaimTemplate?: { spec?: ClaimSpec } } | undefined
    const { resources = {} } = ephemeral?.volumeClaimTemplate?.spec ?? {}
    const claim = `${at}.ephemeral.volumeClaimTemplate.spec.resources`
    return [
      ...old,
      ...fractionWarning(`${claim}.requests[storage]`, resources.requests?.['storage']),
      ...fractionWarning(`${claim}.limits[storage]`, resources.limits?.['storage']),
    ]
  })
}
