import type { FlowSchemaSpec, FlowSubject, PathRule, ResourceRule } from './flowSchemaShapes.ts'

export interface StartFlowSchema {
  name: string
  spec: FlowSchemaSpec
}

const anyResource: ResourceRule = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
}
const anyPath: PathRule = { verbs: ['*'], nonResourceURLs: ['*'] }
const systemAccounts: FlowSubject = {
  kind: 'ServiceAccount',
  serviceAccount: { namespace: 'kube-system', name: '*' },
}

/** The schemas that every server needs: their spec is fixed. Source: seen on kube-apiserver 1.37.2. */
export const mandatoryFlowSchemas: readonly StartFlowSchema[] = [
  {
    name: 'exempt',
    spec: {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [
        {
          subjects: [group('system:masters')],
          resourceRules: [anyResource],
          nonResourceRules: [anyPath],
        },
      ],
    },
  },
  {
    name: 'catch-all',
    spec: {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [group('system:unauthenticated'), group('system:authenticated')],
          resourceRules: [anyResource],
          nonResourceRules: [anyPath],
        },
      ],
    },
  },
]

/** The schemas that a plane starts with; they may be changed. */
export const suggestedFlowSchemas: readonly StartFlowSchema[] = [
  {
    name: 'global-default',
    spec: {
      priorityLevelConfiguration: { name: 'global-default' },
      matchingPrecedence: 9900,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [group('system:unauthenticated'), group('system:authenticated')],
          resourceRules: [anyResource],
          nonResourceRules: [anyPath],
        },
      ],
    },
  },
  {
    name: 'kube-controller-manager',
    spec: {
      priorityLevelConfiguration: { name: 'workload-high' },
      matchingPrecedence: 800,
      distinguisherMethod: { type: 'ByNamespace' },
      rules: [
        {
          subjects: [user('system:kube-controller-manager')],
          resourceRules: [anyResource],
          nonResourceRules: [anyPath],
        },
      ],
    },
  },
  {
    name: 'kube-scheduler',
    spec: {
      priorityLevelConfiguration: { name: 'workload-high' },
      matchingPrecedence: 800,
      distinguisherMethod: { type: 'ByNamespace' },
      rules: [
        {
          subjects: [user('system:kube-scheduler')],
          resourceRules: [anyResource],
          nonResourceRules: [anyPath],
        },
      ],
    },
  },
  {
    name: 'kube-system-service-accounts',
    spec: {
      priorityLevelConfiguration: { name: 'workload-high' },
      matchingPrecedence: 900,
      distinguisherMethod: { type: 'ByNamespace' },
      rules: [
        { subjects: [systemAccounts], resourceRules: [anyResource], nonResourceRules: [anyPath] },
      ],
    },
  },
  {
    name: 'probes',
    spec: {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 2,
      rules: [
        {
          subjects: [group('system:unauthenticated'), group('system:authenticated')],
          nonResourceRules: [
            { verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] },
          ],
        },
      ],
    },
  },
  {
    name: 'service-accounts',
    spec: {
      priorityLevelConfiguration: { name: 'workload-low' },
      matchingPrecedence: 9000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [group('system:serviceaccounts')],
          resourceRules: [anyResource],
          nonResourceRules: [anyPath],
        },
      ],
    },
  },
  {
    name: 'system-leader-election',
    spec: {
      priorityLevelConfiguration: { name: 'leader-election' },
      matchingPrecedence: 100,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [
            user('system:kube-controller-manager'),
            user('system:kube-scheduler'),
            systemAccounts,
          ],
          resourceRules: [
            {
              verbs: ['get', 'create', 'update'],
              apiGroups: ['coordination.k8s.io'],
              resources: ['leases'],
              namespaces: ['*'],
            },
          ],
        },
      ],
    },
  },
  {
    name: 'system-node-high',
    spec: {
      priorityLevelConfiguration: { name: 'node-high' },
      matchingPrecedence: 400,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [group('system:nodes')],
          resourceRules: [
            {
              verbs: ['*'],
              apiGroups: [''],
              resources: ['nodes', 'nodes/status'],
              clusterScope: true,
              namespaces: ['*'],
            },
            {
              verbs: ['*'],
              apiGroups: ['coordination.k8s.io'],
              resources: ['leases'],
              namespaces: ['*'],
            },
          ],
        },
      ],
    },
  },
  {
    name: 'system-nodes',
    spec: {
      priorityLevelConfiguration: { name: 'system' },
      matchingPrecedence: 500,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [group('system:nodes')],
          resourceRules: [anyResource],
          nonResourceRules: [anyPath],
        },
      ],
    },
  },
]

function group(name: string): FlowSubject {
  return { kind: 'Group', group: { name } }
}

function user(name: string): FlowSubject {
  return { kind: 'User', user: { name } }
}
