import { kubernetesVersion } from './kubernetesVersion.ts'

/** What `/version` says beside the Kubernetes version. */
export interface BuildInfo {
  /** Of this server, added to the Kubernetes version as build metadata (`0.1.0`). */
  serverVersion: string
  /** Full commit id, or empty. */
  gitCommit: string
  /** RFC 3339, UTC. */
  buildDate: string
  /** `linux/amd64`. */
  platform: string
  /** The runtime and its version, where a Go program names its compiler's (`node20.20.0`). */
  runtime: string
}

/** `/version`. `gitVersion` is the Kubernetes version and the server's own (`v1.37.2+0.1.0`): build metadata takes no part
 *  in comparing versions, so kubectl and helm read the former. The emulated version is the same one, and objects of the
 *  minor before it are understood. Source: reference 6.8; Semantic Versioning section 10. */
function versionInfo(build: BuildInfo): Record<string, string> {
  const [major = '', minor = ''] = kubernetesVersion.slice(1).split('.')
  const metadata = build.serverVersion.replace(/[^0-9A-Za-z.-]/g, '.')
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `${kubernetesVersion}${metadata === '' ? '' : `+${metadata}`}`,
    gitCommit: build.gitCommit,
    gitTreeState: 'clean',
    buildDate: build.buildDate,
    goVersion: build.runtime,
    compiler: 'tsc',
    platform: build.platform,
  }
}

/** The body of `/version`: indented, as clients print it raw. */
export function versionDocument(build: BuildInfo): Buffer {
  return Buffer.from(JSON.stringify(versionInfo(build), null, 2))
}
