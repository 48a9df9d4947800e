import { kubernetesVersion } from './kubernetesVersion.ts'

/** Content of `/version` besides the Kubernetes version. */
export interface BuildInfo {
  /** Version of this server, appended to the Kubernetes version as build metadata (`0.1.0`). */
  serverVersion: string
  /** Full commit id, or empty. */
  gitCommit: string
  /** RFC 3339, UTC. */
  buildDate: string
  /** Operating system and architecture, such as `linux/amd64`. */
  platform: string
  /** Emulated minor version. Absent: the newest one. */
  emulatedMinor?: number
  /** The runtime and its version, in place of a Go program's compiler (`node20.20.0`). */
  runtime: string
}

/**
 * Document of `/version`. `gitVersion` is the Kubernetes version with the server's own version as
 * build metadata (`v1.37.2+0.1.0`), which version comparisons ignore, so kubectl and helm see the
 * Kubernetes version. The emulated version is the same by default, and the minimum compatibility
 * version is the minor version before it. Source: reference 6.8; Semantic Versioning section 10.
 */
function versionInfo(build: BuildInfo): Record<string, string> {
  const [major = '', minor = ''] = kubernetesVersion.slice(1).split('.')
  const emulated = build.emulatedMinor ?? Number(minor)
  const metadata = build.serverVersion.replace(/[^0-9A-Za-z.-]/g, '.')
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: String(emulated),
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(emulated - 1),
    gitVersion: `${kubernetesVersion}${metadata === '' ? '' : `+${metadata}`}`,
    gitCommit: build.gitCommit,
    gitTreeState: 'clean',
    buildDate: build.buildDate,
    goVersion: build.runtime,
    compiler: 'tsc',
    platform: build.platform,
  }
}

/** The body of `/version`, indented because clients print it unchanged. */
export function versionDocument(build: BuildInfo): Buffer {
  return Buffer.from(JSON.stringify(versionInfo(build), null, 2))
}
