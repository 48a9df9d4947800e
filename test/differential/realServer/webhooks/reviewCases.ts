import {
  applyType,
  get,
  jsonPatchType,
  mergeType,
  patch,
  post,
  put,
  remove,
  strategicType,
  type Call,
} from '../../call.ts'
import {
  allow,
  configMap,
  configMaps,
  pod,
  pods,
  space,
  type Hook,
  type HookCase,
} from './hookCase.ts'

const both: readonly Hook[] = [
  { type: 'validating', name: 'validating', behaviour: allow },
  { type: 'mutating', name: 'mutating', behaviour: allow },
]
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments'
const labels = { matchLabels: { a: 'b' } }
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}
const deployment = (name: string) => ({
  ...{ kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name } },
  spec: { replicas: 1, selector: labels, template },
})
const applied = (rest: object) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a' },
  ...rest,
})
const jane = {
  'impersonate-user': 'jane',
  'impersonate-uid': 'u-1',
  'impersonate-group': 'system:masters',
  'impersonate-extra-scopes': 'one',
}

interface Told {
  setup?: readonly Call[]
  calls: readonly Call[]
}

const old = [post(configMaps, configMap('a', { metadata: { name: 'a', labels: { x: 'y' } } }))]
const oldPod = [post(pods, pod('p'))]

/** Requests of every verb, and of subresources, by name. */
const told: Readonly<Record<string, Told>> = {
  create: { calls: [post(configMaps, configMap('a'))] },
  'create by jane': { calls: [post(configMaps, configMap('a'), jane)] },
  'create twice': { calls: [post(configMaps, configMap('a')), post(configMaps, configMap('a'))] },
  'create with options': {
    calls: [post(`${configMaps}?dryRun=All&fieldManager=m&fieldValidation=Strict`, configMap('a'))],
  },
  'create with a generated name': {
    calls: [post(configMaps, configMap('', { metadata: { generateName: 'gen-' } }))],
  },
  'create with unknown fields': { calls: [post(configMaps, configMap('a', { more: 1 }))] },
  'create without data': { calls: [post(configMaps, { metadata: { name: 'a' } })] },
  'create in another namespace': {
    calls: [post(configMaps, configMap('a', { metadata: { name: 'a', namespace: 'other' } }))],
  },
  'create what is invalid': { calls: [post(configMaps, configMap('A B'))] },
  'create what is invalid by its content': {
    calls: [post(configMaps, configMap('a', { data: { 'a b': 'x' } }))],
  },
  'create with finalizers and owners': {
    calls: [
      post(
        configMaps,
        configMap('a', {
          metadata: {
            name: 'a',
            finalizers: ['example.com/f'],
            ownerReferences: [{ kind: 'ConfigMap', apiVersion: 'v1', name: 'o', uid: 'u' }],
          },
        }),
      ),
    ],
  },
  replace: { setup: old, calls: [put(`${configMaps}/a`, configMap('a', { data: { k: 'w' } }))] },
  'replace with nothing new': {
    setup: old,
    calls: [
      put(`${configMaps}/a`, configMap('a', { metadata: { name: 'a', labels: { x: 'y' } } })),
    ],
  },
  'replace with an old revision': {
    setup: old,
    calls: [
      put(
        `${configMaps}/a`,
        configMap('a', { metadata: { name: 'a', resourceVersion: '1' }, data: {} }),
      ),
    ],
  },
  'replace with another uid': {
    setup: old,
    calls: [
      put(`${configMaps}/a`, configMap('a', { metadata: { name: 'a', uid: 'x' }, data: {} })),
    ],
  },
  'replace what is not there': { calls: [put(`${configMaps}/a`, configMap('a'))] },
  'replace with options': {
    setup: old,
    calls: [
      put(
        `${configMaps}/a?dryRun=All&fieldManager=m&fieldValidation=Warn`,
        configMap('a', { data: {} }),
      ),
    ],
  },
  'replace a lease, which creates it': {
    calls: [
      put('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/a', {
        kind: 'Lease',
        apiVersion: 'coordination.k8s.io/v1',
        metadata: { name: 'a' },
        spec: {},
      }),
    ],
  },
  'merge patch': {
    setup: old,
    calls: [patch(`${configMaps}/a?fieldManager=m`, { data: { k: null, l: 'x' } }, mergeType)],
  },
  'merge patch of nothing': { setup: old, calls: [patch(`${configMaps}/a`, {}, mergeType)] },
  'strategic patch': {
    setup: old,
    calls: [
      patch(`${configMaps}/a?dryRun=All`, { metadata: { labels: { z: 'z' } } }, strategicType),
    ],
  },
  'JSON patch': {
    setup: old,
    calls: [patch(`${configMaps}/a`, [{ op: 'remove', path: '/data/k' }], jsonPatchType)],
  },
  'patch what is not there': { calls: [patch(`${configMaps}/a`, {}, mergeType)] },
  'apply, which creates': {
    calls: [
      patch(`${configMaps}/a?fieldManager=m&force=true`, applied({ data: { a: 'b' } }), applyType),
    ],
  },
  'apply, which changes': {
    setup: old,
    calls: [
      patch(
        `${configMaps}/a?fieldManager=m&force=true&dryRun=All`,
        applied({ data: { k: 'w' } }),
        applyType,
      ),
    ],
  },
  'apply, which conflicts': {
    setup: old,
    calls: [patch(`${configMaps}/a?fieldManager=m`, applied({ data: { k: 'w' } }), applyType)],
  },
  'apply what is there already': {
    setup: [patch(`${configMaps}/a?fieldManager=m`, applied({ data: { k: 'w' } }), applyType)],
    calls: [patch(`${configMaps}/a?fieldManager=m`, applied({ data: { k: 'w' } }), applyType)],
  },
  delete: { setup: old, calls: [remove(`${configMaps}/a`)] },
  'delete with options': {
    setup: old,
    calls: [remove(`${configMaps}/a?gracePeriodSeconds=3&propagationPolicy=Foreground&dryRun=All`)],
  },
  'delete with a body': {
    setup: old,
    calls: [
      remove(`${configMaps}/a`, {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: 'Background',
        preconditions: { resourceVersion: '1' },
      }),
    ],
  },
  'delete what is not there': { calls: [remove(`${configMaps}/a`)] },
  'delete with finalizers': {
    setup: [
      post(configMaps, configMap('a', { metadata: { name: 'a', finalizers: ['example.com/f'] } })),
    ],
    calls: [
      remove(`${configMaps}/a`),
      remove(`${configMaps}/a`),
      patch(`${configMaps}/a`, { metadata: { finalizers: null } }, mergeType),
    ],
  },
  'delete a collection': {
    setup: [...old, post(configMaps, configMap('b'))],
    calls: [remove(`${configMaps}?labelSelector=x=y`)],
  },
  'delete a collection in a dry run': {
    setup: old,
    calls: [remove(`${configMaps}?labelSelector=x=y&dryRun=All`)],
  },
  'delete an empty collection': {
    setup: old,
    calls: [remove(`${configMaps}?labelSelector=x=none`)],
  },
  'read and list': {
    setup: old,
    calls: [get(`${configMaps}/a`), get(`${configMaps}?labelSelector=x=y`)],
  },
  'create a pod': { calls: [post(pods, pod('p'))] },
  'delete a pod with grace': { setup: oldPod, calls: [remove(`${pods}/p?gracePeriodSeconds=5`)] },
  'delete a bound pod with grace': {
    setup: [
      post('/api/v1/nodes', { metadata: { name: '{ns}' } }),
      post(pods, pod('p', { nodeName: '{ns}' })),
    ],
    calls: [remove(`${pods}/p?gracePeriodSeconds=5`), remove(`${pods}/p?gracePeriodSeconds=0`)],
  },
  'status of a pod': {
    setup: oldPod,
    calls: [patch(`${pods}/p/status`, { status: { phase: 'Running' } }, mergeType)],
  },
  'status of a pod, replaced': {
    setup: oldPod,
    calls: [put(`${pods}/p/status`, { ...pod('p'), status: { phase: 'Running' } })],
  },
  'bind a pod': {
    setup: oldPod,
    calls: [
      post(`${pods}/p/binding`, {
        kind: 'Binding',
        apiVersion: 'v1',
        metadata: { name: 'p' },
        target: { kind: 'Node', name: 'n' },
      }),
    ],
  },
  'bind by bindings': {
    setup: oldPod,
    calls: [
      post(`${space}/bindings`, {
        kind: 'Binding',
        apiVersion: 'v1',
        metadata: { name: 'p' },
        target: { kind: 'Node', name: 'n' },
      }),
    ],
  },
  'evict a pod': {
    setup: oldPod,
    calls: [
      post(`${pods}/p/eviction`, {
        kind: 'Eviction',
        apiVersion: 'policy/v1',
        metadata: { name: 'p' },
      }),
    ],
  },
  'evict in a dry run': {
    setup: oldPod,
    calls: [
      post(`${pods}/p/eviction`, {
        kind: 'Eviction',
        apiVersion: 'policy/v1',
        metadata: { name: 'p' },
        deleteOptions: { dryRun: ['All'] },
      }),
    ],
  },
  'evict what is not there': {
    calls: [
      post(`${pods}/p/eviction`, {
        kind: 'Eviction',
        apiVersion: 'policy/v1',
        metadata: { name: 'p' },
      }),
    ],
  },
  'ephemeral containers': {
    setup: oldPod,
    calls: [
      patch(
        `${pods}/p/ephemeralcontainers`,
        { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } },
        strategicType,
      ),
    ],
  },
  'resize a pod': {
    setup: oldPod,
    calls: [
      patch(
        `${pods}/p/resize`,
        { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } },
        strategicType,
      ),
    ],
  },
  'create a deployment': { calls: [post(deployments, deployment('d'))] },
  'scale a deployment': {
    setup: [post(deployments, deployment('d'))],
    calls: [
      patch(`${deployments}/d/scale`, { spec: { replicas: 3 } }, mergeType),
      put(`${deployments}/d/scale`, {
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'd', namespace: '{ns}' },
        spec: { replicas: 4 },
      }),
    ],
  },
  'status of a deployment': {
    setup: [post(deployments, deployment('d'))],
    calls: [patch(`${deployments}/d/status`, { status: { replicas: 1 } }, mergeType)],
  },
  'token of an account': {
    setup: [post(`${space}/serviceaccounts`, { metadata: { name: 's' } })],
    calls: [
      post(`${space}/serviceaccounts/s/token`, {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        spec: { audiences: ['a'] },
      }),
    ],
  },
  'a review of rights': {
    calls: [
      post('/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews', {
        spec: {
          user: 'x',
          resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' },
        },
      }),
    ],
  },
  'a secret': {
    calls: [
      post(`${space}/secrets`, {
        metadata: { name: 's' },
        stringData: { a: 'b' },
        data: { c: 'ZA==' },
      }),
    ],
  },
  'a service': {
    calls: [
      post(`${space}/services`, {
        metadata: { name: 's' },
        spec: { clusterIP: 'None', ports: [{ port: 80 }] },
      }),
    ],
  },
  'an event': {
    calls: [
      post(`${space}/events`, {
        metadata: { name: 'e' },
        involvedObject: { namespace: '{ns}', kind: 'Pod', name: 'p' },
      }),
    ],
  },
  'a newer event': {
    calls: [
      post('/apis/events.k8s.io/v1/namespaces/{ns}/events', {
        metadata: { name: 'e' },
        ...{
          eventTime: '2020-01-01T00:00:00.000000Z',
          reportingController: 'c',
          reportingInstance: 'i',
          action: 'a',
          reason: 'r',
          type: 'Normal',
        },
        regarding: { namespace: '{ns}', kind: 'Pod', name: 'p' },
      }),
    ],
  },
  'an autoscaler': {
    calls: [
      post('/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers', {
        metadata: { name: 'h' },
        spec: {
          maxReplicas: 3,
          targetCPUUtilizationPercentage: 50,
          scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        },
      }),
    ],
  },
  'a role': {
    calls: [
      post('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', {
        metadata: { name: 'r' },
        rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
      }),
    ],
  },
  'exec into a pod': {
    setup: oldPod,
    calls: [
      post(`${pods}/p/exec?command=ls&stdout=true`, undefined),
      get(`${pods}/p/exec?command=ls&container=c&stdin=true&stdout=true&tty=true`),
    ],
  },
  'attach to a pod': {
    setup: oldPod,
    calls: [post(`${pods}/p/attach?container=c&stdout=true`, undefined)],
  },
  'forward ports of a pod': {
    setup: oldPod,
    calls: [post(`${pods}/p/portforward?ports=80`, undefined)],
  },
}

/** Each request, reviewed by webhooks of both types. */
export const reviewCases: readonly HookCase[] = Object.entries(told).map(
  ([name, { setup = [], calls }]) => ({
    name: `told of: ${name}`,
    ...{ hooks: both, setup, calls },
  }),
)
