import { fischer, fischersPath, flunder, flundersPath, post, type Case } from '../call.ts'

const create = (body: unknown, query = '') => post(`${flundersPath}${query}`, body)
const apiVersion = 'wardle.example.com/v1alpha1'
const nested = (depth: number, opening = '{"a":', closing = '}') =>
  `${opening.repeat(depth)}1${closing.repeat(depth)}`
const deep = (name: string, value: string) => `{"metadata":{"name":"${name}"},"x":${value}}`
const yaml = { 'content-type': 'application/yaml' }

export const createCases: readonly Case[] = [
  {
    name: 'create',
    steps: [
      create(flunder('a')),
      create(flunder('a')),
      create(flunder('b', { spec: { reference: 'x' } })),
      create(flunder('c', { spec: { reference: 'x', referenceType: 'Fischer' } })),
      create(flunder('d', { spec: { referenceType: 'Fischer' } })),
      create(flunder('e', { spec: { reference: 'x', referenceType: 'Other' } })),
      create(flunder('f', { spec: { referenceType: '' }, status: {} })),
      create({ metadata: { name: 'g' } }),
      create({ kind: 'Flunder', metadata: { name: 'h' } }),
      create({ apiVersion, metadata: { name: 'i' } }),
      create(flunder('j', { metadata: { namespace: '{ns}' } })),
      post(fischersPath, fischer('a', { disallowedFlunders: ['x', 'y', 'x'] })),
      post(fischersPath, fischer('b', { disallowedFlunders: [] })),
      post(fischersPath, fischer('c', { metadata: { namespace: '' } })),
    ],
  },
  {
    name: 'create: what the server sets cannot be sent',
    steps: [
      create(
        flunder('a', {
          metadata: {
            uid: 'mine',
            creationTimestamp: '2001-01-01T00:00:00Z',
            deletionTimestamp: '2001-01-01T00:00:00Z',
            deletionGracePeriodSeconds: 5,
            generation: 7,
            selfLink: '/mine',
          },
        }),
      ),
      create(flunder('b', { metadata: { resourceVersion: '5' } })),
      create(flunder('c', { metadata: { resourceVersion: 'odd' } })),
      create(
        flunder('d', { metadata: { creationTimestamp: null, labels: null, annotations: {} } }),
      ),
      create(flunder('e', { metadata: { managedFields: [] } })),
      create(flunder('f', { metadata: { managedFields: [{ manager: 'x' }] } })),
      create(flunder('g', { metadata: { creationTimestamp: 'yesterday' } })),
    ],
  },
  {
    name: 'create: wrong kind, name and namespace',
    steps: [
      create({ ...flunder('a'), kind: 'Fischer' }),
      create({ ...flunder('a'), kind: 'Unknown' }),
      create({ ...flunder('a'), apiVersion: 'other.example.com/v1' }),
      create({ ...flunder('a'), apiVersion: 'wardle.example.com/v9' }),
      create({ ...flunder('a'), apiVersion: 'v1' }),
      create({ ...flunder('a'), apiVersion: 'a/b/c' }),
      create({ ...flunder('a'), apiVersion: 'wardle.example.com/v1beta1' }),
      create({ ...flunder('a'), apiVersion: 'wardle.example.com/v1beta1', kind: 'Fischer' }),
      create({ ...flunder('a'), apiVersion: 'wardle.example.com/__internal', kind: 'Unknown' }),
      create({ ...flunder('a'), apiVersion: '/v1' }),
      create({ ...flunder('a'), apiVersion: 'a/b/c', kind: '' }),
      create({ ...flunder('a'), apiVersion: '', kind: 'Fischer' }),
      create({ ...flunder('a'), kind: 'FlunderList' }),
      create({ ...flunder('a'), kind: 'DeleteOptions' }),
      create({ ...flunder('a'), kind: 'WatchEvent' }),
      create({ ...flunder('a'), kind: 'InternalEvent' }),
      create({ metadata: { name: 'a' }, apiVersion: 'other/v1', kind: 'APIGroup' }),
      create({ metadata: { name: 'a' }, apiVersion: 'v1', kind: 'List' }),
      create(flunder('')),
      create({ apiVersion, kind: 'Flunder' }),
      create(flunder('a', { metadata: { namespace: 'other' } })),
      post(fischersPath, fischer('a', { metadata: { namespace: 'other' } })),
      create(flunder('a/b')),
      create(flunder('..')),
      create(flunder('a%b')),
      create(flunder('UPPER')),
      create(flunder('x'.repeat(254))),
      post(flundersPath.replace('{ns}', 'nowhere'), flunder('a')),
      post(flundersPath.replace('{ns}', 'UPPER'), flunder('a')),
      post(flundersPath.replace('/namespaces/{ns}', ''), flunder('a')),
    ],
  },
  {
    name: 'create: generateName',
    steps: [
      create({ apiVersion, kind: 'Flunder', metadata: { generateName: 'gen-' } }),
      create(flunder('a', { metadata: { generateName: 'gen-' } })),
      create({ apiVersion, kind: 'Flunder', metadata: { generateName: 'a/b' } }),
      create({ apiVersion, kind: 'Flunder', metadata: { generateName: '' } }),
    ],
  },
  {
    name: 'create: dry run and field manager',
    steps: [
      create(flunder('a'), '?dryRun=All'),
      create(flunder('a'), '?dryRun=Some'),
      create(flunder('a'), '?dryRun=All&dryRun=All'),
      create(flunder('a'), '?dryRun='),
      create(flunder('a', { spec: { reference: 'x' } }), '?fieldManager=me'),
      create(flunder('a'), '?dryRun=All'),
      create(flunder('b'), `?fieldManager=${'m'.repeat(129)}`),
      create(flunder('c'), '?fieldManager=%01'),
      create(flunder('d'), '?pretty=true'),
      create(flunder('e'), '?unknown=1'),
    ],
  },
  {
    name: 'create: bodies that nest deeply',
    steps: [
      create(deep('a', nested(999))),
      create(deep('b', nested(9999))),
      create(deep('c', nested(10_000))),
      create(deep('d', nested(9999, '[', ']'))),
      create(deep('e', nested(10_000, '[', ']'))),
      create(deep('f', nested(9999)), '?fieldValidation=Strict'),
      create(deep('g', '[{"a":1,"a":2},'.repeat(2000) + '1' + ']'.repeat(2000))),
      create(`{"metadata":{"name":"h","labels":{"x":${nested(5000)}}}}`),
      post(flundersPath, deep('i', nested(9999)), yaml),
      post(flundersPath, `metadata: {name: yaml-j}\nx: ${nested(200, '{a: ')}`, yaml),
      post(flundersPath, `metadata: {name: yaml-k}\nx: ${nested(9999, '{a: ')}`, yaml),
      post(flundersPath, `metadata: {name: yaml-l}\nx: ${nested(9999, '[', ']')}`, yaml),
      post(flundersPath, `metadata: {name: yaml-m}\nx: ${nested(10_000, '{a: ')}`, yaml),
      post(flundersPath, `metadata: {name: yaml-o}\nx:\n  ${'- '.repeat(200)}1`, yaml),
      post(flundersPath, `metadata: {name: yaml-p}\nx:\n  ${'- '.repeat(2000)}1`, yaml),
      post(flundersPath, `metadata: {name: yaml-q}\nx: ${nested(10_001, '{a: ')}`, yaml),
    ],
  },
  {
    name: 'create: bodies that are none',
    steps: [
      create(''),
      create('{'),
      create('null'),
      create('[]'),
      create('"text"'),
      create('{}'),
      create('{"kind":5}'),
      create('{"metadata":"a"}'),
      create('{"metadata":{"name":5}}'),
      create('{"metadata":{"name":"a","labels":{"x":5}}}'),
      create('{"metadata":{"name":"a"},"spec":"x"}'),
      create('{"metadata":{"name":"a"},"spec":{"reference":{}}}'),
      create('{"metadata":{"name":"a"}}{"metadata":{"name":"b"}}'),
      create('metadata: {name: yaml}\nspec: {reference: x}'),
      post(flundersPath, 'metadata: {name: yaml}\nspec: {reference: x}', {
        'content-type': 'application/yaml',
      }),
      post(flundersPath, '', { 'content-type': 'application/yaml' }),
      post(flundersPath, flunder('json'), { 'content-type': 'application/json; charset=utf-8' }),
      post(flundersPath, flunder('t'), { 'content-type': 'text/plain' }),
      post(flundersPath, flunder('t'), { 'content-type': 'application/xml' }),
      post(flundersPath, flunder('t'), { 'content-type': '' }),
      post(flundersPath, flunder('t'), { 'content-type': ';;;' }),
      post(flundersPath, flunder('t'), { 'content-type': 'application/merge-patch+json' }),
    ],
  },
  {
    name: 'create: parameters of the content type',
    steps: ['; charset=utf-8', '; x', ';', '; a=1; a=2', '; a=1; A=1', '; a="', '; a="x;y"'].map(
      (parameters) =>
        post(`${flundersPath}?dryRun=All`, flunder('a'), {
          'content-type': `application/json${parameters}`,
        }),
    ),
  },
]
