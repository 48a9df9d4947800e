import type { RoleName } from './roleNames.ts'

/** Requests that a role covers. */
export type RoleGrant = ResourceGrant | PathGrant

export interface ResourceGrant {
  verbs: readonly string[]
  /** API group; `management`: the platform's group under any name. */
  group: string
  /** Resource patterns. */
  resources: readonly string[]
  /** True if the request must concern the calling user or team. */
  ofCaller?: true
  /**
   * True if the grant applies only to a scope that consists of this role alone, since a scope that
   * names objects limits what its key may read.
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

/** Requests for one's own identity and rights, which every client sends. */
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
 * Grants of each role. The platform does not publish them, so these are the requests that its
 * published clients send for the purpose of the role. No role issues further credentials, except
 * that an agent may do so for its own cluster.
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
      // Secrets stay masked, since they require a separate subresource.
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
