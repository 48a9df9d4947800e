import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/** The managed bundles of permissions. Source: platform facts 2, "Roles". */
export type RoleName =
  | 'agent'
  | 'cli'
  | 'metrics-reader'
  | 'metrics-writer'
  | 'network-peer'
  | 'runner'
  | 'vcluster'
  | 'workspace'

const plainRoles = [
  'agent',
  'metrics-reader',
  'metrics-writer',
  'network-peer',
  'runner',
  'vcluster',
  'workspace',
] as const

/**
 * Spellings of the role of command-line clients: that of the profile, and those in documents and
 * clients.
 */
function cliSpellings({ platform, cliRole }: NamesProfile): string[] {
  return [cliRole, `${platform}CLI`, `${platform}-cli`]
}

/** All valid role names. */
export function roleTexts(names: NamesProfile): string[] {
  return [...plainRoles, ...new Set(cliSpellings(names))]
}

/** The role with a name; undefined: unknown. */
export function roleNamed(text: string, names: NamesProfile): RoleName | undefined {
  if (cliSpellings(names).includes(text)) return 'cli'
  return plainRoles.find((role) => role === text)
}

const networkPeerToo: readonly RoleName[] = ['agent', 'vcluster', 'runner']

/** The role with all roles that it implies. Source: platform facts 2, "Role implications". */
export function withImplied(role: RoleName): RoleName[] {
  return networkPeerToo.includes(role) ? [role, 'network-peer'] : [role]
}
