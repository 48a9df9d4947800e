import { rbacGroup, type PolicyRule } from '../../../authorization/rbac/policyRule.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { BootstrapRole } from './bootstrapForm.ts'

const read = ['get', 'list', 'watch']

const projectSubresources = [
  ...['chartinfo', 'charts', 'clusters', 'importspace', 'members', 'migratespaceinstance'],
  ...['migratevirtualclusterinstance', 'nodetypes', 'status', 'templates'],
]
const instanceSubresources = [
  ...['accesskey', 'debug-shell', 'debug-shell-pods', 'externaldatabase', 'kubeconfig', 'log'],
  ...['nodeaccesskey', 'resourceusage', 'shell', 'snapshot', 'standalone', 'status', 'restricted'],
]
const clusterSubresources = [
  ...['accesskey', 'agentconfig', 'charts', 'domain', 'memberaccess', 'members', 'reset', 'status'],
]

function below(plural: string, subresources: readonly string[]): string[] {
  return [plural, ...subresources.map((name) => `${plural}/${name}`)]
}

/** The roles of the platform's own kinds. Source: platform facts 7.2. */
export function platformRoles(names: NamesProfile): BootstrapRole[] {
  const { platform } = names
  const group = managementGroup(names)
  const rule = (resources: string[], verbs: string[]): PolicyRule => {
    return { verbs, apiGroups: [group], resources }
  }
  const own = [
    'management-admin',
    'management-project-admin',
    'cluster-admin',
    'cluster-space-admin',
  ]
  const bindable: PolicyRule = {
    verbs: ['bind', 'get'],
    apiGroups: [rbacGroup],
    resources: ['clusterroles'],
    resourceNames: own.map((name) => `${platform}-${name}`),
  }
  // A user who manages users also sets their subjects for logins.
  const named: PolicyRule = { verbs: ['impersonate'], apiGroups: [''], resources: ['users'] }
  return [
    {
      name: `${platform}:authenticated`,
      rules: authenticatedRules(rule),
      groups: ['system:authenticated'],
    },
    {
      name: `${platform}-management-admin`,
      rules: [rule(['*'], ['*']), bindable, named],
    },
    {
      name: `${platform}-management-project-admin`,
      rules: [
        rule(
          [
            ...below('projects', projectSubresources),
            ...below('virtualclusterinstances', instanceSubresources),
            ...below('spaceinstances', ['status']),
            ...['projectsecrets', 'virtualclustertemplates', 'spacetemplates'],
          ],
          ['*'],
        ),
        rule(['virtualclustersyncexplanations'], ['create']),
        rule(['users', 'teams', 'clusters'], read),
        rule(['users', 'teams'], ['bind']),
      ],
    },
    {
      name: `${platform}-cluster-admin`,
      rules: [rule(below('clusters', clusterSubresources), ['*']), rule(['users', 'teams'], read)],
    },
    {
      name: `${platform}-cluster-space-admin`,
      rules: [
        rule(below('spaceinstances', ['status']), ['*']),
        rule(below('clusters', ['members']), read),
        { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['namespaces'] },
      ],
    },
  ]
}

/**
 * Rules for every authenticated user: read one's own user, create one's own keys and tokens, review one's own rights.
 * Source: platform facts 7.2.
 */
function authenticatedRules(
  rule: (resources: string[], verbs: string[]) => PolicyRule,
): PolicyRule[] {
  const answered = [
    ...['directclusterendpointtokens', 'resetaccesskeys', 'selfsubjectaccessreviews'],
    ...['translatevclusterresourcenames'],
  ]
  return [
    rule(['selves'], ['create', 'get']),
    rule(['ownedaccesskeys'], ['create']),
    rule(answered, ['create']),
    // kubectl reads the object before it creates it.
    {
      verbs: ['list'],
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
    },
  ]
}
