import { patch, post, remove, strategicType, type Call } from '../../call.ts'
import { allow, anyRule, configMap, configMaps, type HookCase } from './hookCase.ts'

const space = '/api/v1/namespaces/{ns}'
const pod = {
  metadata: { name: 'p', labels: { on: 'yes' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}
const deployment = {
  metadata: { name: 'd' },
  spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template },
}
const autoscaler = {
  metadata: { name: 'h' },
  spec: {
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 50,
    scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
  },
}

/** Requests of several kinds; the calls of a hook show which of them match its rules. */
const requests: readonly Call[] = [
  post(configMaps, configMap('a')),
  patch(`${configMaps}/a`, { metadata: { labels: { on: 'yes' } } }, strategicType),
  patch(`${configMaps}/a`, { metadata: { labels: { on: null } } }, strategicType),
  remove(`${configMaps}/a`),
  post(`${space}/pods`, pod),
  patch(`${space}/pods/p/status`, { status: { phase: 'Running' } }, strategicType),
  post(`${space}/pods/p/exec?command=ls&stdout=true`, undefined),
  post(`${space}/pods/p/eviction`, { metadata: { name: 'p' } }),
  post('/apis/apps/v1/namespaces/{ns}/deployments', deployment),
  patch(
    '/apis/apps/v1/namespaces/{ns}/deployments/d/scale',
    { spec: { replicas: 2 } },
    strategicType,
  ),
  post('/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers', autoscaler),
]

const resources = (...list: string[]) => ({ rules: [{ ...anyRule, resources: list }] })
const rule = (fields: object) => ({ rules: [{ ...anyRule, ...fields }] })
const expression = (text: string, failurePolicy = 'Fail') => ({
  ...{ failurePolicy, matchConditions: [{ name: 'c', expression: text }] },
  ...resources('configmaps', 'pods', 'pods/status'),
})
const selector = (fields: object) => ({ ...resources('*'), objectSelector: fields })
const spaces = (fields: object) => ({ ...resources('*'), namespaceSelector: fields })
const caseOnly = { key: 'case', operator: 'In', values: ['{ns}'] }

const matches: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  everything: resources('*/*'),
  'main resources': resources('*'),
  'pods alone': resources('pods'),
  'pods with subresources': resources('pods/*'),
  'status of anything': resources('*/status'),
  'one subresource': resources('pods/status'),
  connections: resources('pods/exec'),
  evictions: resources('pods/eviction'),
  scales: resources('deployments/scale', '*/scale'),
  'two resources': resources('pods', 'deployments'),
  'capital letters': resources('Pods'),
  'singular names': resources('pod'),
  'no rules': { rules: [] },
  'two rules': {
    rules: [
      { ...anyRule, resources: ['pods'] },
      { ...anyRule, operations: ['DELETE'] },
    ],
  },
  creates: rule({ operations: ['CREATE'] }),
  updates: rule({ operations: ['UPDATE'] }),
  deletes: rule({ operations: ['DELETE'] }),
  connects: rule({ operations: ['CONNECT'] }),
  'the core group': rule({ apiGroups: [''] }),
  'the group apps': rule({ apiGroups: ['apps'] }),
  'an unknown group': rule({ apiGroups: ['none'] }),
  'the group of scales': rule({ apiGroups: ['autoscaling'] }),
  'the group of evictions': rule({ apiGroups: ['policy'] }),
  'version v1': rule({ apiVersions: ['v1'] }),
  'version v2': rule({ apiVersions: ['v2'] }),
  'an unknown version': rule({ apiVersions: ['v9'] }),
  'cluster scope': rule({ scope: 'Cluster' }),
  'any scope': { ...rule({ scope: '*' }), namespaceSelector: { matchLabels: { case: '{ns}' } } },
  'autoscalers of v2, exactly': {
    ...rule({ apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['*'] }),
    matchPolicy: 'Exact',
  },
  'autoscalers of v2, equivalent': {
    ...rule({ apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['*'] }),
    matchPolicy: 'Equivalent',
  },
  'deployments of an older group, equivalent': {
    ...rule({ apiGroups: ['extensions'], apiVersions: ['v1beta1'], resources: ['deployments'] }),
    matchPolicy: 'Equivalent',
  },
  'objects with a label': selector({ matchLabels: { on: 'yes' } }),
  'objects without a label': selector({
    matchExpressions: [{ key: 'on', operator: 'DoesNotExist' }],
  }),
  'objects with a label of several values': selector({
    matchExpressions: [{ key: 'on', operator: 'In', values: ['no', 'yes'] }],
  }),
  'objects with other values': selector({
    matchExpressions: [{ key: 'on', operator: 'NotIn', values: ['yes'] }],
  }),
  'an empty selector': selector({}),
  'other namespaces': spaces({
    matchExpressions: [
      { key: 'case', operator: 'DoesNotExist' },
      { key: 'never', operator: 'Exists' },
    ],
  }),
  'the namespace by an expression': spaces({ matchExpressions: [caseOnly] }),
  'the namespace by its name': spaces({ matchLabels: { 'kubernetes.io/metadata.name': '{name}' } }),
  true: expression('true'),
  false: expression('false'),
  'an operation': expression('request.operation == "CREATE"'),
  'a name': expression('request.name == "a"'),
  'a namespace': expression('request.namespace == object.metadata.namespace'),
  'no object': expression('object == null'),
  'an old object': expression('oldObject != null'),
  'a subresource': expression('has(request.subResource) && request.subResource == "status"'),
  'the kind': expression('request.kind.kind == "Pod" && request.resource.resource == "pods"'),
  'the user': expression('request.userInfo.username == "admin" || true'),
  'a dry run': expression('request.dryRun == false'),
  options: expression('has(request.options.kind) && request.options.kind == "CreateOptions"'),
  'a label': expression('has(object.metadata.labels) && "on" in object.metadata.labels'),
  'a right that is there': expression(
    'authorizer.group("").resource("pods").check("create").allowed()',
  ),
  'the right to the resource of the request': expression(
    'authorizer.requestResource.check("get").allowed()',
  ),
  'a path': expression('authorizer.path("/healthz").check("get").reason() != "x"'),
  'an error': expression('object.none == "x"'),
  'an error under Ignore': expression('object.none == "x"', 'Ignore'),
  'an error and false': {
    ...expression('object.none == "x"'),
    matchConditions: [
      { name: 'a', expression: 'object.none == "x"' },
      { name: 'b', expression: 'false' },
    ],
  },
  'two errors': {
    ...expression(''),
    matchConditions: [
      { name: 'a', expression: 'object.none == "x"' },
      { name: 'b', expression: 'object.other == "x"' },
    ],
  },
  'true and false': {
    ...expression(''),
    matchConditions: [
      { name: 'a', expression: 'true' },
      { name: 'b', expression: 'false' },
    ],
  },
  'one too expensive': expression(
    '[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, [1,2,3,4,5,6,7,8,9,10].all(g, a+b+c+d+e+f+g > 0)))))))',
  ),
}

/** Rules, selectors and conditions of both types, over requests of several kinds. */
export const matchCases: readonly HookCase[] = Object.entries(matches).flatMap(([name, fields]) =>
  (['validating', 'mutating'] as const).map((type) => ({
    name: `${type} for ${name}`,
    hooks: [{ type, behaviour: allow, fields }],
    calls: requests,
  })),
)
