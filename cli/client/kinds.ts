import { CliError, exitCodes } from '../base/cliError.ts'
import type { ApiClient, Place } from './apiClient.ts'
import { askSelf, projectNamespace } from './self.ts'

/** Kind of object, with its names on the command line. */
export interface KindWords {
  /** Singular, as in `delete project`. */
  one: string
  /** Plural, as in `list projects`. */
  many: string
  aliases: readonly string[]
  /** Plural in the API. */
  plural: string
  kind: string
  /** True if objects are in the namespace of a project. */
  isOfProject: boolean
  /** Name for messages. */
  called: string
}

export const kinds = {
  project: {
    one: 'project',
    many: 'projects',
    aliases: [],
    plural: 'projects',
    kind: 'Project',
    isOfProject: false,
    called: 'project',
  },
  virtualcluster: {
    one: 'virtualcluster',
    many: 'virtualclusters',
    aliases: ['vclusters', 'vcluster'],
    plural: 'virtualclusterinstances',
    kind: 'VirtualClusterInstance',
    isOfProject: true,
    called: 'virtual cluster',
  },
  space: {
    one: 'space',
    many: 'spaces',
    aliases: ['namespaces'],
    plural: 'spaceinstances',
    kind: 'SpaceInstance',
    isOfProject: true,
    called: 'space',
  },
  cluster: {
    one: 'cluster',
    many: 'clusters',
    aliases: [],
    plural: 'clusters',
    kind: 'Cluster',
    isOfProject: false,
    called: 'cluster',
  },
  user: {
    one: 'user',
    many: 'users',
    aliases: [],
    plural: 'users',
    kind: 'User',
    isOfProject: false,
    called: 'user',
  },
  team: {
    one: 'team',
    many: 'teams',
    aliases: [],
    plural: 'teams',
    kind: 'Team',
    isOfProject: false,
    called: 'team',
  },
} as const satisfies Record<string, KindWords>

export type KindName = keyof typeof kinds

/**
 * Location of the objects of a kind; for a kind in projects without a project, the location of all
 * objects.
 * @throws CliError usage if `isOne` and no project is given.
 */
export async function placeOf(
  client: ApiClient,
  { plural, isOfProject, called }: KindWords,
  { project, isOne }: { project: string | undefined; isOne: boolean },
): Promise<Place> {
  if (!isOfProject) return { plural }
  if (project !== undefined)
    return { plural, namespace: projectNamespace(await askSelf(client), project) }
  if (!isOne) return { plural }
  throw new CliError(`a ${called} is in a project`, {
    code: exitCodes.usage,
    hint: 'Name the project with --project, or make it the default: $program contexts use NAME --project PROJECT',
  })
}
