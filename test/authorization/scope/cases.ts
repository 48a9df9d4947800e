import type { RequestTarget } from '../../../apiserver/authorization/requestTarget.ts'

/** Requests inside and outside a scope. `POST ~/users` is a request of the management group; an entry with a target
 *  goes to another plane. */
export interface ScopeCase {
  name: string
  scope: Record<string, unknown>
  covers?: Wanted[]
  refuses?: Wanted[]
}

export type Wanted = string | [request: string, target: RequestTarget]

const east: RequestTarget = { plane: 'cluster', cluster: 'east' }
const west: RequestTarget = { plane: 'cluster', cluster: 'west' }
const blueOne: RequestTarget = { plane: 'virtualCluster', project: 'blue', virtualCluster: 'one' }
const blueTwo: RequestTarget = { plane: 'virtualCluster', project: 'blue', virtualCluster: 'two' }
const greenOne: RequestTarget = { plane: 'virtualCluster', project: 'green', virtualCluster: 'one' }
const blueSpace: RequestTarget = { plane: 'space', project: 'blue', space: 'dev' }
const blueOther: RequestTarget = { plane: 'space', project: 'blue', space: 'prod' }
const greenSpace: RequestTarget = { plane: 'space', project: 'green', space: 'dev' }
const pods = 'GET /api/v1/namespaces/default/pods/a'

const description = [
  'GET /',
  'GET /api',
  'GET /apis',
  'GET /apis/apps/v1',
  'GET /openapi/v3/api/v1',
]

export const scopeCases: ScopeCase[] = [
  {
    name: 'an empty scope restricts nothing (spec key.scope)',
    scope: {},
    covers: ['DELETE ~/users/jane', 'GET /metrics', [pods, east], [pods, blueOne]],
  },
  {
    name: 'empty lists restrict nothing',
    scope: { roles: [], projects: [], rules: [], allowPlatformCli: false },
    covers: ['DELETE ~/users/jane', [pods, blueSpace]],
  },
  {
    name: 'a project: all about it, on every plane (spec scope.projects)',
    scope: { projects: [{ project: 'blue' }] },
    covers: [
      'GET ~/projects/blue',
      'DELETE ~/projects/blue',
      'GET ~/projects/blue/clusters',
      'GET ~/namespaces/p-blue/virtualclusterinstances',
      'POST ~/namespaces/p-blue/virtualclusterinstances',
      'POST ~/namespaces/p-blue/virtualclusterinstances/one/kubeconfig',
      'WATCH ~/namespaces/p-blue/projectsecrets',
      'GET /api/v1/namespaces/p-blue',
      'GET /api/v1/namespaces/p-blue/secrets/x',
      [pods, blueOne],
      [pods, blueTwo],
      [pods, blueSpace],
      ...description,
    ],
    refuses: [
      'GET ~/projects',
      'POST ~/projects',
      'GET ~/projects/green',
      'GET ~/namespaces/p-green/virtualclusterinstances/one',
      'GET ~/virtualclusterinstances',
      'GET ~/namespaces/p-blue2/projectsecrets/x',
      'GET /api/v1/namespaces/blue/secrets/x',
      'GET ~/users/jane',
      'GET ~/clusters/blue',
      'GET /metrics',
      [pods, greenOne],
      [pods, greenSpace],
      [pods, east],
    ],
  },
  {
    name: 'who one is may be asked under any scope (facts 3.2)',
    scope: { rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }] },
    covers: ['POST ~/selves', 'GET ~/selves/x', 'GET /metrics'],
    refuses: [
      'GET /api',
      'GET ~/selves',
      'DELETE ~/selves/x',
      'POST ~/selves/x/status',
      'POST /api/v1/selves',
      'POST /apis/other/v1/selves',
      ['POST ~/selves', east],
      ['POST ~/selves', blueOne],
    ],
  },
  {
    name: 'all projects: their lists too (spec scope.projects)',
    scope: { projects: [{ project: '*' }] },
    covers: [
      'GET ~/projects',
      'POST ~/projects',
      'GET ~/projects/green',
      'WATCH ~/virtualclusterinstances',
      'GET ~/projectsecrets',
      'GET ~/spaceinstances',
      'GET ~/namespaces/p-green/spaceinstances/dev',
      [pods, greenOne],
      [pods, greenSpace],
    ],
    refuses: [
      'GET ~/users',
      'GET ~/clusters',
      'GET ~/sharedsecrets',
      'GET /api/v1/secrets',
      [pods, west],
    ],
  },
  {
    name: 'a space: its plane and its object (spec scope.spaces)',
    scope: { spaces: [{ project: 'blue', space: 'dev' }] },
    covers: [
      'GET ~/namespaces/p-blue/spaceinstances/dev',
      'PATCH ~/namespaces/p-blue/spaceinstances/dev',
      [pods, blueSpace],
    ],
    refuses: [
      'GET ~/namespaces/p-blue/spaceinstances/prod',
      'GET ~/namespaces/p-blue/spaceinstances',
      'GET ~/namespaces/p-blue/virtualclusterinstances/dev',
      'GET ~/namespaces/p-green/spaceinstances/dev',
      'GET ~/projects/blue',
      [pods, blueOther],
      [pods, greenSpace],
      [pods, blueOne],
    ],
  },
  {
    name: 'all spaces of a project (spec scope.spaces)',
    scope: { spaces: [{ project: 'blue', space: '*' }] },
    covers: [
      'GET ~/namespaces/p-blue/spaceinstances',
      'POST ~/namespaces/p-blue/spaceinstances',
      [pods, blueOther],
    ],
    refuses: ['GET ~/spaceinstances', [pods, greenSpace], [pods, blueOne]],
  },
  {
    name: 'a virtual cluster: its plane, its object, its kubeconfig (spec scope.virtualClusters)',
    scope: { virtualClusters: [{ project: 'blue', virtualCluster: 'one' }] },
    covers: [
      'GET ~/namespaces/p-blue/virtualclusterinstances/one',
      'POST ~/namespaces/p-blue/virtualclusterinstances/one/kubeconfig',
      [pods, blueOne],
      ['GET /metrics', blueOne],
    ],
    refuses: [
      'GET ~/namespaces/p-blue/virtualclusterinstances/two',
      'GET ~/namespaces/p-blue/virtualclusterinstances',
      'GET ~/namespaces/p-blue/projectsecrets/one',
      [pods, blueTwo],
      [pods, greenOne],
      [pods, blueSpace],
      [pods, east],
    ],
  },
  {
    name: 'all virtual clusters of all projects (spec scope.virtualClusters)',
    scope: { virtualClusters: [{ project: '*', virtualCluster: '*' }] },
    covers: ['GET ~/virtualclusterinstances', [pods, blueTwo], [pods, greenOne]],
    refuses: ['GET ~/projects', 'GET ~/spaceinstances', [pods, blueSpace]],
  },
  {
    name: 'a cluster: its plane and its object (spec scope.clusters)',
    scope: { clusters: [{ cluster: 'east' }] },
    covers: [
      'GET ~/clusters/east',
      'GET ~/clusters/east/accesskey',
      [pods, east],
      ['GET /metrics', east],
    ],
    refuses: [
      'GET ~/clusters',
      'GET ~/clusters/west',
      'GET ~/projects/east',
      [pods, west],
      [pods, blueOne],
    ],
  },
  {
    name: 'all clusters (spec scope.clusters)',
    scope: { clusters: [{ cluster: '*' }] },
    covers: ['GET ~/clusters', 'POST ~/clusters', [pods, west]],
    refuses: [[pods, blueOne], 'GET ~/users'],
  },
  {
    name: 'lists are united (spec key.scope, auth.4)',
    scope: {
      projects: [{ project: 'blue' }],
      clusters: [{ cluster: 'east' }],
      roles: [{ role: 'metrics-reader' }],
    },
    covers: ['GET ~/projects/blue', [pods, east], 'GET /metrics'],
    refuses: ['GET ~/projects/green', [pods, west], 'POST /metrics'],
  },
  ...['platformCLI', 'platform-cli'].map((role) => ({
    name: `the role of command-line clients as ${role} (spec scope.roles.cli)`,
    scope: { roles: [{ role }] },
    covers: [
      'POST ~/selves',
      'POST ~/selfsubjectaccessreviews',
      'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      'POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      'POST /apis/authentication.k8s.io/v1/selfsubjectreviews',
      'GET ~/projects',
      'GET ~/projects/blue/templates',
      'GET ~/virtualclusterinstances',
      'GET ~/namespaces/p-blue/virtualclusterinstances/one',
      'GET ~/spaceinstances',
      'GET ~/clusters/east',
      'GET ~/users',
      'GET ~/users/eve',
      'GET ~/teams/blue',
      'GET ~/users/jane/accesskeys',
      'GET ~/namespaces/p-blue/projectsecrets',
      'GET ~/namespaces/default/sharedsecrets/x',
      'GET ~/configs/config',
      'POST ~/translatevclusterresourcenames',
      'POST ~/virtualclustersyncexplanations',
      'GET /version',
      ...description,
    ],
    refuses: [
      'POST ~/projects',
      'DELETE ~/namespaces/p-blue/virtualclusterinstances/one',
      'POST ~/namespaces/p-blue/virtualclusterinstances/one/kubeconfig',
      'POST ~/directclusterendpointtokens',
      'POST ~/ownedaccesskeys',
      'GET ~/clusters/east/accesskey',
      'GET ~/users/eve/accesskeys',
      'GET ~/teams/blue/accesskeys',
      'GET ~/configs/config/secrets',
      'PUT ~/namespaces/default/sharedsecrets/x',
      'DELETE ~/users/jane',
      ['POST /apis/management.platform/v1/selves', blueOne] satisfies Wanted,
      [pods, blueOne] satisfies Wanted,
    ],
  })),
  {
    name: 'the deprecated flag stands for that role (spec scope.allowCli)',
    scope: { allowPlatformCli: true },
    covers: ['POST ~/selves', 'GET ~/projects'],
    refuses: ['POST ~/projects', 'GET ~/users', 'GET ~/namespaces/default/sharedsecrets/x'],
  },
  ...[
    { projects: [{ project: 'green' }], roles: [{ role: 'platformCLI' }] },
    { roles: [{ role: 'platformCLI' }, { role: 'metrics-reader' }] },
    { roles: [{ role: 'platformCLI', projects: ['green'] }] },
  ].map((scope) => ({
    name: `the role of command-line clients reads no contents beside other entries: ${JSON.stringify(scope)} (spec scope.roles.cli)`,
    scope,
    covers: ['POST ~/selves', 'GET ~/users/jane'],
    refuses: [
      'GET ~/users',
      'GET ~/users/eve',
      'GET ~/namespaces/p-blue/projectsecrets',
      'GET ~/namespaces/default/sharedsecrets/x',
      'GET ~/configs/config',
    ],
  })),
  {
    name: 'a role narrowed to projects (spec scope.roles)',
    scope: { roles: [{ role: 'platformCLI', projects: ['blue'] }] },
    covers: [
      'POST ~/selves',
      'GET ~/projects/blue',
      'GET ~/namespaces/p-blue/virtualclusterinstances',
      'GET ~/clusters/east',
    ],
    refuses: [
      'GET ~/projects',
      'GET ~/projects/green',
      'GET ~/virtualclusterinstances',
      'GET ~/namespaces/p-green/spaceinstances/dev',
    ],
  },
  {
    name: 'a role narrowed to virtual clusters, by name or with the project (spec scope.roles)',
    scope: { roles: [{ role: 'vcluster', virtualClusters: ['one', 'green/two'] }] },
    covers: [
      'GET ~/namespaces/p-blue/virtualclusterinstances/one',
      'PATCH ~/namespaces/p-green/virtualclusterinstances/two/status',
      'POST ~/registervirtualclusters',
    ],
    refuses: [
      'GET ~/namespaces/p-blue/virtualclusterinstances/two',
      'GET ~/virtualclusterinstances',
    ],
  },
  {
    name: 'vcluster implies network-peer',
    scope: { roles: [{ role: 'vcluster' }] },
    covers: [
      'GET ~/networkpeers',
      'PATCH ~/networkpeers/a/status',
      'GET ~/virtualclusterinstances',
    ],
    refuses: [
      'GET ~/users',
      'PATCH ~/namespaces/p-blue/virtualclusterinstances/one',
      'GET ~/clusters',
    ],
  },
  {
    name: 'agent implies network-peer',
    scope: { roles: [{ role: 'agent' }] },
    covers: [
      'GET ~/networkpeers',
      'GET ~/clusters/east/agentconfig',
      'PATCH ~/clusters/east/status',
      'POST ~/subjectaccessreviews',
      'GET ~/users',
    ],
    refuses: ['PATCH ~/clusters/east', 'POST ~/users', 'GET ~/sharedsecrets', [pods, east]],
  },
  {
    name: 'runner implies network-peer',
    scope: { roles: [{ role: 'runner' }] },
    covers: ['GET ~/networkpeers', 'PATCH ~/tasks/a', 'POST ~/selves'],
    refuses: ['POST ~/tasks', 'GET ~/clusters'],
  },
  {
    name: 'network-peer alone',
    scope: { roles: [{ role: 'network-peer' }] },
    covers: ['POST ~/networkpeers'],
    refuses: ['DELETE ~/networkpeers/a', 'GET ~/virtualclusterinstances'],
  },
  {
    name: 'workspace',
    scope: { roles: [{ role: 'workspace' }] },
    covers: ['GET ~/namespaces/p-blue/workspaceinstances/a', 'POST ~/selves'],
    refuses: ['GET ~/networkpeers', 'DELETE ~/namespaces/p-blue/workspaceinstances/a'],
  },
  {
    name: 'metrics-writer',
    scope: { roles: [{ role: 'metrics-writer' }] },
    covers: ['POST /metrics', 'PUT /metrics/job/a'],
    refuses: ['GET /metrics', 'POST /metricsx', 'GET ~/clusters'],
  },
  {
    name: 'metrics-reader',
    scope: { roles: [{ role: 'metrics-reader' }] },
    covers: ['GET /metrics', 'GET /metrics/federate', 'GET /api'],
    refuses: ['POST /metrics', 'GET ~/clusters'],
  },
  {
    name: 'a role that nobody knows covers nothing, and restricts',
    scope: { roles: [{ role: 'captain' }] },
    covers: ['GET /api', 'POST ~/selves'],
    refuses: ['POST ~/selfsubjectaccessreviews', 'GET ~/projects'],
  },
  {
    name: 'a rule without parts covers everything',
    scope: { rules: [{}] },
    covers: ['DELETE ~/users/jane', 'GET /metrics', [pods, east]],
  },
  {
    name: 'those given (spec scope.rules.verbs)',
    scope: { rules: [{ verbs: ['get', 'list'] }] },
    covers: ['GET ~/users', 'GET ~/users/jane', 'GET /metrics'],
    refuses: ['WATCH ~/users', 'POST ~/users', 'DELETE ~/users'],
  },
  {
    name: 'the verb * (spec scope.rules.verbs)',
    scope: { rules: [{ verbs: ['*'], requestTargets: ['Management'] }] },
    covers: ['DELETE ~/users'],
    refuses: [[pods, east]],
  },
  {
    name: 'resources: a name is no subresource (spec scope.rules.resources)',
    scope: { rules: [{ resources: [{ group: 'management.platform', resources: ['users'] }] }] },
    covers: ['GET ~/users', 'DELETE ~/users/jane'],
    refuses: [
      'GET ~/users/jane/accesskeys',
      'GET ~/teams',
      'GET /apis/other/v1/users',
      'GET /api/v1/users',
      'GET /metrics',
    ],
  },
  {
    name: 'resources: name/subresource (spec scope.rules.resources)',
    scope: { rules: [{ resources: [{ resources: ['pods/log'] }] }] },
    covers: ['GET /api/v1/namespaces/a/pods/x/log'],
    refuses: [
      'GET /api/v1/namespaces/a/pods/x',
      'GET /api/v1/namespaces/a/pods/x/exec',
      'GET /apis/g/v1/namespaces/a/pods/x/log',
    ],
  },
  {
    name: 'resources: * is everything of the group, subresources too (spec scope.rules.resources)',
    scope: { rules: [{ resources: [{ group: '', resources: ['*'] }] }] },
    covers: ['GET /api/v1/namespaces/a/pods/x/log', 'GET /api/v1/secrets'],
    refuses: ['GET ~/users'],
  },
  {
    name: 'resources: name/* is every subresource (spec scope.rules.resources)',
    scope: { rules: [{ resources: [{ resources: ['pods/*'] }] }] },
    covers: ['GET /api/v1/namespaces/a/pods/x/log'],
    refuses: ['GET /api/v1/namespaces/a/pods/x', 'GET /api/v1/namespaces/a/services/x/status'],
  },
  {
    name: 'resources: */name is that subresource of all (spec scope.rules.resources)',
    scope: { rules: [{ resources: [{ resources: ['*/status'] }] }] },
    covers: ['GET /api/v1/namespaces/a/services/x/status'],
    refuses: ['GET /api/v1/namespaces/a/pods/x/log', 'GET /api/v1/pods'],
  },
  {
    name: 'resources: an empty list is everything of the group, and * every group (spec scope.rules.resources)',
    scope: { rules: [{ resources: [{ group: 'apps' }, { group: '*', resources: ['events'] }] }] },
    covers: [
      'GET /apis/apps/v1/deployments',
      'GET /api/v1/events',
      'GET /apis/events.k8s.io/v1/events',
    ],
    refuses: ['GET /apis/batch/v1/jobs'],
  },
  {
    name: 'resourceNames within resources (spec scope.rules.resourceNames)',
    scope: {
      rules: [
        {
          resources: [
            { group: 'management.platform', resources: ['users'], resourceNames: ['jane'] },
          ],
        },
      ],
    },
    covers: ['GET ~/users/jane'],
    refuses: ['GET ~/users', 'GET ~/users/eve', 'POST ~/users'],
  },
  {
    name: 'resourceNames beside resources (spec scope.rules.resourceNames)',
    scope: {
      rules: [
        {
          resources: [{ group: 'management.platform', resources: ['users'] }],
          resourceNames: ['jane', 'joe'],
        },
      ],
    },
    covers: ['GET ~/users/joe'],
    refuses: ['GET ~/users/eve', 'DELETE ~/users'],
  },
  {
    name: 'those given (spec scope.rules.namespaces)',
    scope: { rules: [{ namespaces: ['a', 'b'] }] },
    covers: ['GET /api/v1/namespaces/a/secrets', 'GET ~/namespaces/b/sharedsecrets'],
    refuses: [
      'GET /api/v1/namespaces/c/secrets',
      'GET /api/v1/secrets',
      'GET ~/users',
      'GET /metrics',
    ],
  },
  {
    name: 'namespaces: the empty text is what has none (spec scope.rules.namespaces)',
    scope: { rules: [{ namespaces: [''] }] },
    covers: ['GET ~/users', 'GET /api/v1/secrets'],
    refuses: ['GET /api/v1/namespaces/a/secrets', 'GET /metrics'],
  },
  {
    name: 'nonResourceURLs decide on every path, on discovery too (spec scope.rules.nonResourceURLs)',
    scope: { rules: [{ nonResourceURLs: ['/metrics', '/debug/*'] }] },
    covers: ['GET /metrics', 'GET /debug/pprof/heap'],
    refuses: ['GET /metrics/x', 'GET /debug', 'GET /api', 'GET /openapi/v2', 'GET ~/users'],
  },
  {
    name: 'nonResourceURLs: * is every path, and no resource (spec scope.rules.nonResourceURLs)',
    scope: { rules: [{ nonResourceURLs: ['*'], verbs: ['get'] }] },
    covers: ['GET /metrics', 'GET /apis'],
    refuses: ['POST /metrics', 'GET ~/users'],
  },
  {
    name: 'a wildcard elsewhere matches nothing',
    scope: { rules: [{ nonResourceURLs: ['/deb*', '/*/x'] }] },
    refuses: ['GET /debug', 'GET /a/x', 'GET /deb*'],
  },
  {
    name: 'a rule of resources and paths can match nothing',
    scope: { rules: [{ nonResourceURLs: ['/metrics'], namespaces: ['a'] }] },
    refuses: ['GET /metrics', 'GET /api/v1/namespaces/a/secrets'],
  },
  {
    name: 'requestTargets: Management (spec scope.rules.requestTargets)',
    scope: { rules: [{ requestTargets: ['Management'] }] },
    covers: ['GET ~/users'],
    refuses: [
      [pods, east],
      [pods, blueOne],
      [pods, blueSpace],
    ],
  },
  {
    name: 'requestTargets: Cluster (spec scope.rules.requestTargets)',
    scope: { rules: [{ requestTargets: ['Cluster'] }] },
    covers: [[pods, east]],
    refuses: ['GET ~/users', [pods, blueOne], [pods, blueSpace]],
  },
  {
    name: 'requestTargets: ProjectSpace and ProjectVirtualCluster (spec scope.rules.requestTargets)',
    scope: { rules: [{ requestTargets: ['ProjectSpace', 'ProjectVirtualCluster'] }] },
    covers: [
      [pods, blueOne],
      [pods, greenSpace],
    ],
    refuses: ['GET ~/users', [pods, east]],
  },
  {
    name: 'cluster: requests to it alone (spec scope.rules.cluster)',
    scope: { rules: [{ cluster: 'east', verbs: ['get'] }] },
    covers: [[pods, east]],
    refuses: [
      [pods, west],
      'GET ~/clusters/east',
      [pods, blueOne],
      ['DELETE /api/v1/namespaces/default/pods/a', east],
    ],
  },
  {
    name: 'cluster: * (spec scope.rules.cluster)',
    scope: { rules: [{ cluster: '*' }] },
    covers: [
      [pods, east],
      [pods, west],
    ],
    refuses: ['GET ~/clusters/east', [pods, blueOne]],
  },
  {
    name: 'virtualClusters: by name and namespace (spec scope.rules.virtualClusters)',
    scope: { rules: [{ virtualClusters: [{ name: 'one', namespace: 'p-blue' }] }] },
    covers: [[pods, blueOne]],
    refuses: [[pods, greenOne], [pods, blueTwo], 'GET ~/users', [pods, east]],
  },
  {
    name: 'virtualClusters: an empty part is all (spec scope.rules.virtualClusters)',
    scope: { rules: [{ virtualClusters: [{ namespace: 'p-blue' }, { name: 'one' }] }] },
    covers: [
      [pods, blueTwo],
      [pods, greenOne],
    ],
    refuses: [[pods, blueSpace]],
  },
  {
    name: 'every part that is given must match',
    scope: {
      rules: [
        {
          verbs: ['get'],
          resources: [{ resources: ['pods'] }],
          namespaces: ['default'],
          requestTargets: ['Cluster'],
          cluster: 'east',
        },
      ],
    },
    covers: [[pods, east]],
    refuses: [
      pods,
      [pods, west],
      ['GET /api/v1/namespaces/kube-system/pods/a', east],
      ['DELETE /api/v1/namespaces/default/pods/a', east],
      ['GET /api/v1/namespaces/default/pods', east],
    ],
  },
  {
    name: 'one rule of several is enough',
    scope: {
      rules: [
        { verbs: ['delete'], namespaces: ['a'] },
        { verbs: ['get'], namespaces: ['b'] },
      ],
    },
    covers: ['DELETE /api/v1/namespaces/a/secrets/x', 'GET /api/v1/namespaces/b/secrets/x'],
    refuses: ['GET /api/v1/namespaces/a/secrets/x', 'DELETE /api/v1/namespaces/b/secrets/x'],
  },
]
