import { goQuote } from '../../../../meta/goQuote.ts'
import { trimEnd } from '../../../../meta/trim.ts'
import type { PodCertificateProjection, Volume, VolumeProjection } from '../../shapes/coreV1.ts'

/**
 * Warnings about overlapping file paths in one volume, of which only the last file exists. Source:
 * seen on kube-apiserver 1.37.2.
 */
export function overlapWarnings(volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume) => {
    const { configMap, secret, downwardAPI, projected } = volume
    const named = (what: string, files: readonly { path?: string }[] = []) =>
      tell(volume, what, overlaps(files.map(({ path }) => ({ path: trimmed(path), source: '' }))))
    return [
      ...named(`ConfigMap ${goQuote(configMap?.name ?? '')}`, configMap?.items),
      ...named(`Secret ${goQuote(secret?.secretName ?? '')}`, secret?.items),
      ...named('DownwardAPI', downwardAPI?.items),
      ...projectedWarnings(volume, projected?.sources ?? []),
    ]
  })
}

function tell({ name = '' }: Volume, what: string, found: readonly string[]): string[] {
  return found.map((text) => `volume ${goQuote(name)} (${what}): overlapping paths: ${text}`)
}

function projectedWarnings(volume: Volume, sources: readonly VolumeProjection[]): string[] {
  const noneText = `volume ${goQuote(volume.name ?? '')} (Projected) has no sources provided`
  const all: File[] = []
  return sources.flatMap((source) => {
    if (Object.keys(source).length === 0) return [noneText]
    const before = all.length
    all.push(...filesOf(source))
    return tell(volume, 'Projected', overlaps(all, before))
  })
}

interface File {
  path: string
  /** Source for the warning; empty if the volume has a single source. */
  source: string
}

/** Files of a projection; with several sources, those of the first source with files. */
function filesOf(projection: VolumeProjection): File[] {
  const { configMap, secret, downwardAPI } = projection
  if (configMap?.items) return from(`ConfigMap ${goQuote(configMap.name ?? '')}`, configMap.items)
  if (secret?.items) return from(`Secret ${goQuote(secret.name ?? '')}`, secret.items)
  return downwardAPI?.items ? from('DownwardAPI', downwardAPI.items) : issuedFiles(projection)
}

/** Files that are issued rather than read from an object. */
function issuedFiles(projection: VolumeProjection): File[] {
  const { serviceAccountToken: token, clusterTrustBundle: bundle } = projection
  if (token) return from('ServiceAccountToken', [token])
  if (bundle === undefined) return certificateFiles(projection.podCertificate ?? {})
  return from(`ClusterTrustBundle ${goQuote(bundle.name ?? bundle.signerName ?? '')}`, [bundle])
}

function from(source: string, files: readonly { path?: string }[]): File[] {
  return files.map(({ path }) => ({ path: trimmed(path), source }))
}

const certificateNames = {
  certificateChainPath: 'PodCertificate chain',
  keyPath: 'PodCertificate key',
  credentialBundlePath: 'PodCertificate credential bundle',
} as const

function certificateFiles(certificate: PodCertificateProjection): File[] {
  return (['certificateChainPath', 'keyPath', 'credentialBundlePath'] as const).flatMap((field) => {
    const path = certificate[field] ?? ''
    return path === '' ? [] : [{ path: trimmed(path), source: certificateNames[field] }]
  })
}

function trimmed(path = ''): string {
  return trimEnd(path, (char) => char === '/')
}

/**
 * Maximum number of files of a volume to compare, since each is compared with all previous ones.
 */
const maxCompared = 1_000

/** Maximum number of overlaps that are reported. */
const maxReported = 100

/** Overlapping files. `from`: earlier files were already reported. */
function overlaps(files: readonly File[], from = 0): string[] {
  const found: string[] = []
  files.slice(from, maxCompared).forEach((file, index) => {
    if (found.length >= maxReported || !isSomewhere(file)) return
    for (const other of files.slice(0, from + index)) {
      const isOverlapping =
        isSomewhere(other) && (isBelow(other.path, file.path) || isBelow(file.path, other.path))
      if (isOverlapping) found.push(`${shown(file)} with ${shown(other)}`)
      if (found.length >= maxReported) return
    }
  })
  return found
}

function isSomewhere({ path }: File): boolean {
  return path !== ''
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/')
}

function shown({ path, source }: File): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`
}
