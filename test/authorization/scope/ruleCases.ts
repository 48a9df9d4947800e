import {
  east,
  west,
  blueOne,
  blueTwo,
  greenOne,
  blueSpace,
  greenSpace,
  pods,
  type ScopeCase,
} from './scopeCase.ts'

/** Scopes with rules. */
export const ruleCases: ScopeCase[] = [
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
