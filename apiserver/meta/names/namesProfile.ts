/**
 * Spellings of the specification's neutral placeholders, used in groups, fields, roles and labels.
 * Source: specification, introduction.
 */
export interface NamesProfile {
  /** `<platform>` in fields and values, lower case. */
  platform: string
  /** Domain of the group `management.<domain>` and of labels and annotations, `<domain>/…`. */
  domain: string
  /** First path segment of the orchestrator-style API. */
  proxySegment: string
  workspaceTool: string
  gitHostA: string
  gitHostB: string
  identityA: string
  identityB: string
  clusterManager: string
  secretStore: string
  costTool: string
  /** The role value of command-line clients in a scope. Default `<platform>CLI`. */
  cliRole: string
}

export const defaultNames: Readonly<NamesProfile> = {
  platform: 'platform',
  domain: 'platform',
  proxySegment: 'kubernetes',
  workspaceTool: 'workspace',
  gitHostA: 'gitHostA',
  gitHostB: 'gitHostB',
  identityA: 'identityA',
  identityB: 'identityB',
  clusterManager: 'clusterManager',
  secretStore: 'secretStore',
  costTool: 'costTool',
  cliRole: 'platformCLI',
}

/** Fills in the defaults of a profile; `domain` defaults to `platform`, `cliRole` to `<platform>CLI`. */
export function namesProfile(given: Partial<NamesProfile> = {}): NamesProfile {
  const platform = given.platform ?? defaultNames.platform
  return { ...defaultNames, domain: platform, cliRole: `${platform}CLI`, ...given, platform }
}

/** The API group of the management kinds. */
export function managementGroup(names: NamesProfile): string {
  return `management.${names.domain}`
}
