import type { RoleName } from './roleNames.ts'

/** Requests that a role covers. */
export type RoleGrant = ResourceGrant | PathGrant

export interface ResourceGrant {
  verbs: readonly string[]
  /** `management`: the platform's group, whatever its name; otherwise the group itself. */
  group: string
  /** Patterns of resources. */
  resources: readonly string[]
  /** True if the request has to concern the user or team that sends it. */
  ofCaller?: true
  /**
   * True if the scope has to be this role alone, for everything: a scope that names objects limits what its key may
   * read.
   */
  unrestricted?: true
}

export interface PathGrant {
  verbs: readonly string[]
  paths: readonly string[]
}

const read = ['get', 'list', 'watch']
const create = ['create']

function management(verbs: readonly string[], ...resources: string[]): ResourceGrant {
  return { verbs, group: 'management', resources }
}

function unrestricted(...grants: ResourceGrant[]): ResourceGrant[] {
  return grants.map((grant) => ({ ...grant, unrestricted: true }))
}

/** Identity and own rights: requested by every client. */
const aboutOneself: readonly RoleGrant[] = [
  management(['create', 'get'], 'selves'),
  management(create, 'selfsubjectaccessreviews'),
  {
    verbs: create,
    group: 'authorization.k8s.io',
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  },
  { verbs: create, group: 'authentication.k8s.io', resources: ['selfsubjectreviews'] },
]

/**
 * Grants of each role. The platform does not publish its sets: these are the calls of its published clients for the
 * purpose of the role. None of them issues further credentials, except the agent's to its own cluster.
 * Source: platform facts 2 and 3.2.
 */
export const roleGrants: Readonly<Record<RoleName, readonly RoleGrant[]>> = {
  cli: [
    ...aboutOneself,
    management(read, 'projects', 'virtualclusterinstances', 'spaceinstances', 'clusters'),
    management(
      ['get'],
      ...['projects/clusters', 'projects/templates', 'projects/charts', 'projects/members'],
    ),
    { ...management(['get'], 'users', 'teams'), ofCaller: true },
    management(create, 'translatevclusterresourcenames'),
    ...unrestricted(
      management(read, 'virtualclustertemplates', 'spacetemplates', 'users', 'teams'),
      management(read, 'sharedsecrets', 'projectsecrets'),
      // Its secrets are a subresource of their own, and stay masked.
      management(['get'], 'configs', 'ownedaccesskeys'),
      { ...management(['get'], 'users/accesskeys', 'teams/accesskeys'), ofCaller: true },
      management(create, 'virtualclustersyncexplanations'),
    ),
  ],
  agent: [
    ...aboutOneself,
    management(read, 'clusters', 'projects', 'virtualclusterinstances', 'spaceinstances'),
    management(read, 'users', 'teams'),
    management(['get'], 'clusters/agentconfig', 'clusters/accesskey'),
    management(
      ['get', 'update', 'patch'],
      ...['clusters/status', 'virtualclusterinstances/status', 'spaceinstances/status'],
    ),
    management(create, 'subjectaccessreviews', 'agentauditevents'),
    { verbs: create, group: 'authentication.k8s.io', resources: ['tokenreviews'] },
    { verbs: create, group: 'authorization.k8s.io', resources: ['subjectaccessreviews'] },
  ],
  vcluster: [
    ...aboutOneself,
    management(read, 'virtualclusterinstances'),
    management(['get', 'update', 'patch'], 'virtualclusterinstances/status'),
    management(['get'], 'projects'),
    management(create, 'registervirtualclusters', 'translatevclusterresourcenames'),
  ],
  'network-peer': [
    ...aboutOneself,
    management([...read, 'create', 'update', 'patch'], 'networkpeers', 'networkpeers/status'),
  ],
  runner: [
    ...aboutOneself,
    management([...read, 'update', 'patch'], 'tasks', 'tasks/status'),
    management(['get'], 'runners', 'runners/config'),
  ],
  workspace: [
    ...aboutOneself,
    management(read, 'workspaceinstances'),
    management(['get', 'update', 'patch'], 'workspaceinstances/status'),
  ],
  'metrics-writer': [
    ...aboutOneself,
    { verbs: ['post', 'put'], paths: ['/metrics', '/metrics/*'] },
  ],
  'metrics-reader': [
    ...aboutOneself,
    { verbs: ['get', 'head'], paths: ['/metrics', '/metrics/*'] },
  ],
}
