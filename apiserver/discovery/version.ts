/** Content of `/version` besides the Kubernetes version. */
export interface BuildInfo {
  /** Version of this server, added to the Kubernetes version as build metadata (`0.1.0`). */
  serverVersion: string
  /** Full commit id, or empty. */
  gitCommit: string
  /** RFC 3339, UTC. */
  buildDate: string
  /** `linux/amd64`. */
  platform: string
  /** The runtime and its version, in place of a Go program's compiler (`node20.20.0`). */
  runtime: string
}

/** The Kubernetes minor version whose API is served; clients compute their version skew from it. */
const kubernetesVersion = { major: '1', minor: '34' } as const

/**
 * `/version`. `gitVersion` is `v1.34.0+<server version>`: build metadata is ignored when versions are compared, so
 * kubectl and helm see 1.34. Source: reference 6.8; Semantic Versioning section 10.
 */
function versionInfo(build: BuildInfo): Record<string, string> {
  const { major, minor } = kubernetesVersion
  const metadata = build.serverVersion.replace(/[^0-9A-Za-z.-]/g, '.')
  return {
    major,
    minor,
    gitVersion: `v${major}.${minor}.0${metadata === '' ? '' : `+${metadata}`}`,
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
