import { superuserGroups } from '../../../authorization/superusers.ts'
import type { PolicyRule } from '../../../authorization/rbac/policyRule.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import {
  aggregateTo,
  aggregatedRole,
  type BootstrapRole,
  type NamespaceBootstrapRole,
} from './bootstrapForm.ts'
import { platformRoles } from './platformRoles.ts'

const read = ['get', 'list', 'watch']
const write = ['create', 'delete', 'deletecollection', 'patch', 'update']
const all = [...write.slice(0, 3), 'get', 'list', ...write.slice(3), 'watch']

function rule(apiGroup: string, resources: string[], verbs: string[]): PolicyRule {
  return { verbs, apiGroups: [apiGroup], resources }
}

function paths(nonResourceURLs: string[]): PolicyRule {
  return { verbs: ['get'], nonResourceURLs }
}

/** Paths that describe the API and its health. */
const discovery = [
  ...['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez'],
  ...['/openapi', '/openapi/*', '/readyz', '/version', '/version/'],
]

const core = [
  ...['configmaps', 'endpoints', 'persistentvolumeclaims', 'pods', 'replicationcontrollers'],
  ...['replicationcontrollers/scale', 'serviceaccounts', 'services'],
]
const coreRead = [
  ...['bindings', 'events', 'limitranges', 'namespaces', 'namespaces/status', 'pods/log'],
  ...['pods/status', 'persistentvolumeclaims/status', 'replicationcontrollers/status'],
  ...['resourcequotas', 'resourcequotas/status', 'services/status'],
]
const sensitive = ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets']
const apps = [
  ...['daemonsets', 'deployments', 'deployments/scale', 'replicasets', 'replicasets/scale'],
  ...['statefulsets', 'statefulsets/scale'],
]
const appsRead = ['daemonsets', 'deployments', 'replicasets', 'statefulsets'].map(
  (plural) => `${plural}/status`,
)
const batch = ['cronjobs', 'jobs']
const batchRead = ['cronjobs/status', 'jobs/status']
const networking = ['ingresses', 'networkpolicies']

const viewRules = [
  rule('', [...core, ...coreRead], read),
  rule('discovery.k8s.io', ['endpointslices'], read),
  rule('apps', ['controllerrevisions', ...apps, ...appsRead], read),
  rule('autoscaling', ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'], read),
  rule('batch', [...batch, ...batchRead], read),
  rule('policy', ['poddisruptionbudgets', 'poddisruptionbudgets/status'], read),
  rule('networking.k8s.io', [...networking, 'ingresses/status'], read),
]

const editRules = [
  rule('', [...sensitive, 'services/proxy'], read),
  rule('', ['serviceaccounts'], ['impersonate']),
  rule('', [...core, ...sensitive, 'services/proxy', 'events'], write),
  rule('', ['pods/eviction', 'serviceaccounts/token'], ['create']),
  rule('apps', apps, write),
  rule('autoscaling', ['horizontalpodautoscalers'], write),
  rule('batch', batch, write),
  rule('policy', ['poddisruptionbudgets'], write),
  rule('networking.k8s.io', networking, write),
  rule('coordination.k8s.io', ['leases'], all),
]

const adminRules = [
  rule('rbac.authorization.k8s.io', ['rolebindings', 'roles'], all),
  rule('authorization.k8s.io', ['localsubjectaccessreviews'], ['create']),
]

/** Rights of a server that delegates authentication and authorization to this one. */
const delegatorRules = [
  rule('authentication.k8s.io', ['tokenreviews'], ['create']),
  rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
]

/**
 * Roles in namespaces of the management API: extension servers query this API rather than a
 * cluster's plane. Source: Kubernetes documentation, "Other component roles".
 */
export const namespaceBootstrapRoles: readonly NamespaceBootstrapRole[] = [
  {
    namespace: 'kube-system',
    name: 'extension-apiserver-authentication-reader',
    rules: [
      {
        ...rule('', ['configmaps'], read),
        resourceNames: ['extension-apiserver-authentication'],
      },
    ],
    users: ['system:kube-controller-manager', 'system:kube-scheduler'],
  },
]

/** The roles of the management API, with their bindings. Source: platform facts 7.2. */
export function bootstrapRoles(names: NamesProfile): BootstrapRole[] {
  return [...clusterBootstrapRoles(names), ...platformRoles(names)]
}

/** The roles of every cluster, with their bindings. Source: Kubernetes documentation, "Default roles and role
 *  bindings". */
export function clusterBootstrapRoles(names: NamesProfile): BootstrapRole[] {
  const everything = [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ]
  const reviews = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']
  const authenticated = ['system:authenticated']
  const basic = [
    rule('authorization.k8s.io', reviews, ['create']),
    rule('authentication.k8s.io', ['selfsubjectreviews'], ['create']),
  ]
  const anyone = [...authenticated, 'system:unauthenticated']
  const keys = ['/.well-known/openid-configuration', '/openid/v1/jwks']
  const open = ['/healthz', '/livez', '/readyz', '/version', '/version/', ...keys]
  return [
    { name: 'cluster-admin', rules: everything, groups: superuserGroups(names) },
    { name: 'system:discovery', rules: [paths(discovery)], groups: authenticated },
    { name: 'system:basic-user', rules: basic, groups: authenticated },
    { name: 'system:public-info-viewer', rules: [paths(open)], groups: anyone },
    {
      name: 'system:service-account-issuer-discovery',
      rules: [paths(keys)],
      groups: ['system:serviceaccounts'],
    },
    { name: 'system:auth-delegator', rules: delegatorRules },
    aggregatedRole('admin', ['admin']),
    aggregatedRole('edit', ['edit'], ['admin']),
    aggregatedRole('view', ['view'], ['edit']),
    { name: 'system:aggregate-to-admin', rules: adminRules, labels: aggregateTo(['admin']) },
    { name: 'system:aggregate-to-edit', rules: editRules, labels: aggregateTo(['edit']) },
    { name: 'system:aggregate-to-view', rules: viewRules, labels: aggregateTo(['view']) },
  ]
}
