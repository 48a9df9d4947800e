import type { Volume } from '../../shapes/coreV1.ts'
import { fractionWarning } from '../quantityRules.ts'
import { sourceWarnings } from './deprecatedSources.ts'

/** Warnings about volumes. Source: seen on kube-apiserver 1.37.2. */
export function volumeWarnings(path: string, volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`
    const { resources = {} } = volume.ephemeral?.volumeClaimTemplate?.spec ?? {}
    const claim = `${at}.ephemeral.volumeClaimTemplate.spec.resources`
    return [
      ...sourceWarnings(at, volume),
      ...fractionWarning(`${claim}.requests[storage]`, resources.requests?.['storage']),
      ...fractionWarning(`${claim}.limits[storage]`, resources.limits?.['storage']),
    ]
  })
}
