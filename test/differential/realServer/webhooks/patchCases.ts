import { get, patch, post, strategicType, type Call } from '../../call.ts'
import { configMap, configMaps, patching, type HookCase } from './hookCase.ts'

const space = '/api/v1/namespaces/{ns}'
const op = (name: string, path: unknown, rest: object = {}) => ({ op: name, path, ...rest })
const add = (path: string, value: unknown) => op('add', path, { value })

const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: nested(depth - 1) })

/** Patches of an object with `data.k`, by name. */
const patches: Readonly<Record<string, unknown>> = {
  add: [add('/data/a', 'b')],
  'add twice': [add('/data/a', 'b'), add('/data/a', 'c')],
  'add a map': [add('/data', { a: 'b' })],
  'add an escaped name': [add('/data/a~1b', 'c')],
  'add a tilde': [add('/data/~0', 'd')],
  'add below nothing': [add('/none/a/b', 'c')],
  'add an empty name': [add('/data/', 'x')],
  'add without a value': [op('add', '/data/a')],
  'add null': [add('/data/a', null)],
  'add a number': [add('/data/a', 5)],
  'add an unknown field': [add('/more', { a: 1 })],
  'add a deep unknown field': [add('/more', nested(50))],
  'add labels': [add('/metadata/labels', { a: 'b' })],
  'add an invalid label': [add('/metadata/labels', { 'a b': 'c' })],
  'add labels of another type': [add('/metadata/labels', 'x')],
  'add an annotation': [add('/metadata/annotations', { a: 'b' })],
  'add finalizers': [add('/metadata/finalizers', ['example.com/a'])],
  'add owners': [
    add('/metadata/ownerReferences', [{ kind: 'A', apiVersion: 'v1', name: 'a', uid: 'u' }]),
  ],
  'add an empty patch': [],
  null: null,
  'no list': {},
  'a string': 'x',
  'a step that is no object': ['x'],
  'a step of nothing': [{}],
  remove: [op('remove', '/data/k')],
  'remove nothing': [op('remove', '/data/none')],
  'remove below nothing': [op('remove', '/none/a')],
  'remove the data': [op('remove', '/data')],
  'remove everything': [op('remove', '')],
  'remove the metadata': [op('remove', '/metadata')],
  'remove the name': [op('remove', '/metadata/name')],
  replace: [op('replace', '/data/k', { value: 'w' })],
  'replace nothing': [op('replace', '/data/none', { value: 'w' })],
  'replace below nothing': [op('replace', '/none/a', { value: 'w' })],
  'replace everything': [
    op('replace', '', {
      value: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'new' } },
    }),
  ],
  'replace without a value': [op('replace', '/data/k')],
  'replace with null': [op('replace', '/data/k', { value: null })],
  'replace with a list': [op('replace', '/data', { value: ['x'] })],
  'replace with a number': [op('replace', '/data', { value: 5 })],
  'replace with a map': [op('replace', '/data/k', { value: { a: 'b' } })],
  'test that holds': [op('test', '/data/k', { value: 'v' }), add('/data/a', 'b')],
  'test that fails': [op('test', '/data/k', { value: 'w' })],
  'test of nothing': [op('test', '/data/none', { value: 'w' })],
  'test of nothing for null': [op('test', '/data/none', { value: null })],
  'test without a value': [op('test', '/data/k')],
  move: [op('move', '/data/l', { from: '/data/k' })],
  'move nothing': [op('move', '/data/l', { from: '/data/none' })],
  'move into itself': [op('move', '/data/k', { from: '/data' })],
  'move without from': [op('move', '/data/l')],
  copy: [op('copy', '/data/l', { from: '/data/k' })],
  'copy nothing': [op('copy', '/data/l', { from: '/data/none' })],
  'copy without from': [op('copy', '/data/l')],
  'an unknown step': [op('frobnicate', '/data/k')],
  'a step without a name': [{ path: '/data/k', value: 'w' }],
  'a step without a path': [{ op: 'add', value: 'w' }],
  'a path without a slash': [add('data/k', 'w')],
  'a path that is a number': [op('add', 5, { value: 'w' })],
  'a path with an index': [add('/data/0', 'w')],
  'more members of a step': [{ ...add('/data/a', 'b'), more: 1 }],
  'another name': [op('replace', '/metadata/name', { value: 'renamed' })],
  'an invalid name': [op('replace', '/metadata/name', { value: 'A B' })],
  'another namespace': [add('/metadata/namespace', 'other')],
  'the same namespace': [add('/metadata/namespace', '{ns}')],
  'another uid': [add('/metadata/uid', 'other')],
  'another time of creation': [add('/metadata/creationTimestamp', '2020-01-01T00:00:00Z')],
  'another revision': [add('/metadata/resourceVersion', '7')],
  'another generation': [add('/metadata/generation', 7)],
  'a time of deletion': [add('/metadata/deletionTimestamp', '2020-01-01T00:00:00Z')],
  'a grace of deletion': [add('/metadata/deletionGracePeriodSeconds', 5)],
  'a generated name': [add('/metadata/generateName', 'gen-')],
  'no managers': [add('/metadata/managedFields', [])],
  'managers of its own': [
    add('/metadata/managedFields', [
      { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
    ]),
  ],
  'another kind': [op('replace', '/kind', { value: 'Secret' })],
  'no kind': [op('remove', '/kind')],
  'another version': [op('replace', '/apiVersion', { value: 'v2' })],
  'invalid data': [add('/data/a b', 'c')],
  'data that is immutable': [add('/immutable', true)],
  'many steps': Array.from({ length: 2_000 }, (_one, at) => add(`/data/k${at}`, 'v')),
  'steps that double': Array.from({ length: 40 }, (_one, at) =>
    op('copy', `/data/k${at}`, { from: '/data' }),
  ),
}

const calls: readonly Call[] = [
  post(configMaps, configMap('new')),
  get(`${configMaps}/new`),
  patch(`${configMaps}/old`, { metadata: { labels: { a: 'b' } } }, strategicType),
  get(`${configMaps}/old`),
]

const onMaps: readonly HookCase[] = Object.entries(patches).map(([name, operations]) => ({
  name: `patch: ${name}`,
  hooks: [{ type: 'mutating', behaviour: patching(operations) }],
  setup: [post(configMaps, configMap('old'))],
  calls,
}))

const podPatches: Readonly<Record<string, unknown>> = {
  'add a container': [add('/spec/containers/-', { name: 'd', image: 'j' })],
  'add a container first': [add('/spec/containers/0', { name: 'd', image: 'j' })],
  'add a container beyond the end': [add('/spec/containers/9', { name: 'd', image: 'j' })],
  'add a container at a negative place': [add('/spec/containers/-1', { name: 'd', image: 'j' })],
  'add a container of the same name': [add('/spec/containers/-', { name: 'c', image: 'j' })],
  'add a container without a name': [add('/spec/containers/-', {})],
  'remove the container': [op('remove', '/spec/containers/0')],
  'remove beyond the end': [op('remove', '/spec/containers/9')],
  'remove the containers': [op('remove', '/spec/containers')],
  'replace the image': [op('replace', '/spec/containers/0/image', { value: 'k' })],
  'a fractional number': [add('/spec/terminationGracePeriodSeconds', 1.5)],
  'a number as text': [add('/spec/terminationGracePeriodSeconds', '5')],
  'a truth as text': [add('/spec/hostNetwork', 'true')],
  'an unknown word': [add('/spec/restartPolicy', 'Sometimes')],
  'a quantity': [add('/spec/containers/0/resources', { requests: { cpu: 1 } })],
  'a broken quantity': [add('/spec/containers/0/resources', { requests: { cpu: 'x' } })],
  'a node': [add('/spec/nodeName', 'n')],
  'a priority': [add('/spec/priority', 5)],
  'a class of priority': [add('/spec/priorityClassName', 'system-node-critical')],
  'a status': [add('/status', { phase: 'Running' })],
  'an unknown field of a container': [add('/spec/containers/0/more', 1)],
  'a toleration': [add('/spec/tolerations/-', { operator: 'Exists' })],
  'tolerations alone': [op('replace', '/spec/tolerations', { value: [] })],
}

const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } }

const onPods: readonly HookCase[] = Object.entries(podPatches).map(([name, operations]) => ({
  name: `patch of a pod: ${name}`,
  hooks: [{ type: 'mutating', behaviour: patching(operations) }],
  calls: [post(`${space}/pods`, pod)],
}))

export const patchCases: readonly HookCase[] = [...onMaps, ...onPods]
