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

/** How the role of command-line clients may be spelt: as the profile says, and as documents and clients do. */
function cliSpellings({ platform, cliRole }: NamesProfile): string[] {
  return [cliRole, `${platform}CLI`, `${platform}-cli`]
}

/** Every text that `role` may be. */
export function roleTexts(names: NamesProfile): string[] {
  return [...plainRoles, ...new Set(cliSpellings(names))]
}

/** The role that a text names, undefined: none. */
export function roleNamed(text: string, names: NamesProfile): RoleName | undefined {
  if (cliSpellings(names).includes(text)) return 'cli'
  return plainRoles.find((role) => role === text)
}

const networkPeerToo: readonly RoleName[] = ['agent', 'vcluster', 'runner']

/** The role with those it implies. Source: platform facts 2, "Role implications". */
export function withImplied(role: RoleName): RoleName[] {
  return networkPeerToo.includes(role) ? [role, 'network-peer'] : [role]
}
