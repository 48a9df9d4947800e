import { get, mergeType, jsonPatchType, applyType, strategicType, type Call } from '../../call.ts'
import type { Seed } from '../seeds/seeds.ts'

const long = 'a'.repeat(300)
const nothing = 'labelSelector=form%3Dnone'

/** Queries of a list, valid and invalid. */
const listQueries = [
  ...['-1', '0', '1', 'abc', '1.5', '', '99999999999999999999'].map((limit) => `limit=${limit}`),
  ...['x', 'e30', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIvIn0', ''].map(
    (token) => `continue=${token}`,
  ),
  'limit=1&continue=x&resourceVersion=1',
  'continue=x&resourceVersion=0',
  ...['abc', '-1', '0', '1.5', '', '999999999', '18446744073709551616'].flatMap((revision) => [
    `resourceVersion=${revision}&${nothing}`,
    ...['Exact', 'NotOlderThan', 'exact'].map(
      (match) => `resourceVersion=${revision}&resourceVersionMatch=${match}&${nothing}`,
    ),
  ]),
  ...['Exact', 'NotOlderThan', ''].map((match) => `resourceVersionMatch=${match}`),
  'resourceVersionMatch=Exact&continue=x',
  ...[
    'a in',
    'a=b,,c',
    '!',
    'a in (b',
    'a in (b,c),d notin (e)',
    'a>1',
    'a>b',
    'a<1,',
    '=',
    'a==b',
    'a!=b',
    'a=b=c',
    'a b',
    'x/y/z=d',
    `${'x'.repeat(70)}=d`,
    `a=${'x'.repeat(70)}`,
    'a=-',
    'a in ()',
    '!a',
    '! a , b',
    'UPPER.case/Name=Ok',
  ].map((selector) => `labelSelector=${encodeURIComponent(selector)}`),
  ...[
    'x',
    'metadata.name',
    'metadata.name=none',
    'metadata.name==none',
    'metadata.name!=a',
    'metadata.other=b',
    'spec.none!=1',
    'metadata.name=none,metadata.namespace=b',
    'metadata.name=a\\,b',
    'metadata.name=a\\',
    '=',
    ',',
  ].map((selector) => `fieldSelector=${encodeURIComponent(selector)}`),
  ...['abc', '-1', '0', '1'].map((seconds) => `timeoutSeconds=${seconds}&${nothing}`),
  ...['maybe', '0', 'true', ''].map((text) => `pretty=${text}&${nothing}`),
  `unknown=1&${nothing}`,
  'watch=false&limit=0',
  'sendInitialEvents=true',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
  'allowWatchBookmarks=true&limit=1',
  'allowWatchBookmarks=maybe',
  'sendInitialEvents=maybe',
]

/** Queries of a watch, which ends after a second. */
const watchQueries = [
  ...['1', 'true', 'yes', 'TRUE', 'abc', ''].map((watch) => `watch=${watch}&timeoutSeconds=1`),
  ...['abc', '-1', '1.5', '999999999', '18446744073709551616'].map(
    (revision) => `watch=1&timeoutSeconds=1&resourceVersion=${revision}`,
  ),
  'watch=1&timeoutSeconds=1&resourceVersionMatch=Exact',
  'watch=1&timeoutSeconds=1&resourceVersionMatch=NotOlderThan',
  'watch=1&timeoutSeconds=1&resourceVersion=0&resourceVersionMatch=NotOlderThan',
  'watch=1&timeoutSeconds=1&sendInitialEvents=true',
  'watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=Exact',
  'watch=1&timeoutSeconds=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
  'watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  'watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=abc',
  'watch=1&timeoutSeconds=1&sendInitialEvents=maybe',
  'watch=1&timeoutSeconds=1&allowWatchBookmarks=maybe',
  'watch=1&timeoutSeconds=1&limit=abc',
  'watch=1&timeoutSeconds=1&limit=1&continue=x',
  'watch=1&timeoutSeconds=abc',
  `watch=1&timeoutSeconds=1&fieldSelector=${encodeURIComponent('spec.none!=1')}`,
  `watch=1&timeoutSeconds=1&labelSelector=${encodeURIComponent('a in')}`,
].map((query) => (query.includes('labelSelector') ? query : `${query}&${nothing}`))

/** Options of writes. */
const writeQueries = [
  'dryRun=None',
  'dryRun=all',
  'dryRun=',
  'dryRun=All&dryRun=All',
  'dryRun=All&dryRun=None',
  `dryRun=All&fieldManager=${'a'.repeat(129)}`,
  'dryRun=All&fieldManager=a%01b',
  'dryRun=All&fieldManager=',
  'dryRun=All&fieldManager=a&fieldManager=b',
  ...['Strict', 'strict', 'Warn', 'Ignore', 'Bad', ''].map(
    (validation) => `dryRun=All&fieldValidation=${validation}`,
  ),
  'dryRun=All&force=true',
  'dryRun=All&force=maybe',
  'dryRun=All&pretty=true',
  'dryRun=All&timeout=1s',
  'dryRun=All&timeout=abc',
  'dryRun=All&timeout=-1s',
]

/** Bodies that replace the query, so each states that it is a dry run. */
const deleteOptions: readonly object[] = [
  { gracePeriodSeconds: -1 },
  { gracePeriodSeconds: 'a' },
  { gracePeriodSeconds: 1.5 },
  { propagationPolicy: 'Bad' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan', orphanDependents: true },
  { orphanDependents: false },
  { orphanDependents: 'yes' },
  { preconditions: { uid: 'b' } },
  { preconditions: { resourceVersion: '1' } },
  { preconditions: { resourceVersion: 'abc' } },
  { dryRun: ['Bad'] },
  { dryRun: 'All' },
  { kind: 'DeleteOptions', apiVersion: 'v1' },
  { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
  { kind: 'DeleteOptions', apiVersion: 'apps/v1' },
  { kind: 'DeleteOptions', apiVersion: 'none/v1' },
  { kind: 'Pod', apiVersion: 'v1' },
  { kind: 'ListOptions', apiVersion: 'meta.k8s.io/v1' },
  { unknown: 1 },
  { ignoreStoreReadErrorWithClusterBreakingPotential: true },
]
const deleteTexts = [
  ...deleteOptions.map((options) => JSON.stringify({ dryRun: ['All'], ...options })),
  ...['[]', '"x"', '1', '{'],
]
const deleteQueries = [
  'gracePeriodSeconds=-1',
  'gracePeriodSeconds=abc',
  'propagationPolicy=Bad',
  'propagationPolicy=Foreground',
  'propagationPolicy=Orphan&orphanDependents=true',
  'orphanDependents=maybe',
  'dryRun=Bad',
  'preconditions=x',
  'unknown=1',
  'fieldSelector=metadata.name%3Da',
]

/** Strings in place of an object. */
const bodies = [
  '',
  ' ',
  '{}',
  '[]',
  'null',
  '1',
  '"x"',
  '{',
  '{"a":1}{"b":2}',
  '{"kind":"Other","apiVersion":"v1"}',
  '{"kind":1}',
  '{"apiVersion":"v9","metadata":{"name":"z"}}',
  '{"metadata":null}',
  '{"metadata":1}',
  '{"metadata":[]}',
  '{"metadata":{}}',
  '{"metadata":{"name":1}}',
  '{"metadata":{"name":""}}',
  '{"metadata":{"name":"A"}}',
  '{"metadata":{"name":"z","namespace":"other"}}',
  '{"metadata":{"name":"z","uid":"b"}}',
  '{"metadata":{"name":"z","resourceVersion":"5"}}',
  '{"metadata":{"name":"z","labels":{"a":1}}}',
  '{"metadata":{"name":"z","labels":{"a b":"c"}}}',
  '{"metadata":{"name":"z","annotations":{"a/b/c":"d"}}}',
  '{"metadata":{"name":"z","finalizers":["x"]}}',
  '{"metadata":{"name":"z","finalizers":["x","x/y"]}}',
  '{"metadata":{"name":"z","ownerReferences":[{}]}}',
  '{"metadata":{"name":"z","creationTimestamp":"x"}}',
  '{"metadata":{"name":"z","deletionTimestamp":"2020-01-01T00:00:00Z"}}',
  '{"metadata":{"name":"z","generateName":"z-"}}',
  '{"metadata":{"name":"z","unknown":1,"labels":{"a":"b","a":"c"}}}',
  `{"metadata":{"name":"${long}"}}`,
]
const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/yaml',
  'text/plain',
  'application/xml',
  'application/cbor',
  'application/octet-stream',
  '*/*',
  'application/merge-patch+json',
  'nonsense',
  '',
]
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
const patches: readonly [Readonly<Record<string, string>>, string][] = [
  ...['', 'x', '[]', '{}', 'null', '1', '{"metadata":null}', '{"metadata":{"name":"b"}}'].map(
    (body) => [mergeType, body] as [Readonly<Record<string, string>>, string],
  ),
  ...[
    '',
    '{}',
    '[]',
    '[{}]',
    '[{"op":"bad","path":"/a"}]',
    '[{"op":"test","path":"/metadata/name","value":"b"}]',
    '[{"op":"remove","path":"/none"}]',
    '[{"op":"add","path":"none","value":1}]',
    '[{"op":"add","path":"/metadata/labels","value":1}]',
    '[{"op":"replace","path":"/kind","value":"Other"}]',
    '[{"op":"move","from":"/metadata/name","path":"/metadata/labels/x"}]',
    '[{"op":"copy","from":"/none","path":"/x"}]',
    '[{"op":"add","path":"/metadata/labels/a~1b","value":"c"}]',
  ].map((body) => [jsonPatchType, body] as [Readonly<Record<string, string>>, string]),
  ...[
    '',
    '{}',
    '[]',
    '{"$patch":"replace"}',
    '{"$patch":"delete"}',
    '{"$retainKeys":["a"]}',
    '{"metadata":{"labels":{"$patch":"replace","a":"b"}}}',
    '{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}}',
    '{"metadata":{"$setElementOrder/finalizers":["a"]}}',
    '{"metadata":{"finalizers":[1]}}',
  ].map((body) => [strategicType, body] as [Readonly<Record<string, string>>, string]),
  ...[
    '',
    '{}',
    '[]',
    'x: [',
    'apiVersion: v1\nkind: Other\nmetadata: {name: a}\n',
    '{"metadata":{"name":"a"}}',
    '{"metadata":{"name":"a","managedFields":[{}]}}',
  ].map((body) => [applyType, body] as [Readonly<Record<string, string>>, string]),
  [{ 'content-type': 'application/json' }, '{}'],
  [{ 'content-type': 'application/apply-patch+cbor' }, '{}'],
]

/** Query without matches: one server has objects of controllers in a namespace. */
function withSelector(query: string): string {
  return /(?:label|field)Selector=/.test(query) ? query : `${query}&${nothing}`
}

/** Requests about one kind, most of which have one error. Nothing is written. */
export function requestsFor({ path, address, body }: Seed): Call[] {
  const named = JSON.stringify({ ...body, metadata: { name: 'z' } })
  const root = path.slice(0, path.indexOf('/namespaces/'))
  const plural = path.slice(path.lastIndexOf('/') + 1)
  const paths = [
    ...[path, `${path}/`, address, `${address}/`, `${path}/none`, `${root}/${plural}`],
    ...[`${address}/status`, `${address}/none`, `${address}/status/x`, `${root}/${plural}/a`],
    ...[`${path}/A`, `${path}/.`, `${path}/%2F`, `${path}/%25`, `${path}/${long}`, `${path}//`],
    ...[`${root}/namespaces/none/${plural}`, `${root}/namespaces/none/${plural}/a`],
    ...[`${root}/watch/${plural}`, `${root}/none`, root, `${root}/`],
  ]
  const write = (
    method: string,
    at: string,
    text: string,
    headers: Call['headers'] = {},
  ): Call => ({
    ...{ method, path: `${at}?dryRun=All`, body: text, headers },
  })
  return [
    ...listQueries.map((query) => get(`${path}?${withSelector(query)}`)),
    ...watchQueries.map((query) => get(`${path}?${query}`)),
    get(`${address}?resourceVersion=abc`),
    get(`${address}?resourceVersion=999999999`),
    get(`${address}?resourceVersion=0`),
    get(`${address}?pretty=true`),
    ...paths.flatMap((at) =>
      methods.map((method): Call => {
        const isWrite = method === 'POST' || method === 'PUT'
        const query = `timeoutSeconds=1&dryRun=All&${nothing}`
        const patched = method === 'PATCH' ? { body: '{}', headers: mergeType } : {}
        return {
          ...{ method, path: `${at}?${query}`, ...patched },
          ...(isWrite ? { body: named } : {}),
        }
      }),
    ),
    ...bodies.flatMap((text) => [write('POST', path, text), write('PUT', address, text)]),
    ...contentTypes.flatMap((type) => [
      write('POST', path, named, { 'content-type': type }),
      write('PATCH', address, '{}', { 'content-type': type }),
      write('DELETE', address, '{"dryRun":["All"]}', { 'content-type': type }),
    ]),
    ...writeQueries.flatMap((query): Call[] => [
      ...(query.includes('dryRun=All')
        ? [{ method: 'POST', path: `${path}?${query}`, body: named }]
        : []),
      { method: 'PATCH', path: `${address}?${query}`, body: '{}', headers: mergeType },
    ]),
    ...patches.flatMap(([headers, text]) => [
      write('PATCH', address, text, headers),
      write('PATCH', `${path}/none`, text, headers),
    ]),
    ...deleteTexts.flatMap((text) => [
      write('DELETE', address, text),
      write('DELETE', `${path}/none`, text),
      { ...write('DELETE', path, text), path: `${path}?${nothing}` },
    ]),
    ...deleteQueries.flatMap((query): Call[] => [
      { method: 'DELETE', path: `${address}?dryRun=All&${query}` },
      { method: 'DELETE', path: `${path}?dryRun=All&${nothing}&${query}` },
    ]),
  ]
}

/**
 * Requests with annotations that are fields of the internal version, as numbers and other values.
 */
export function internalFieldRequests({ path, address, body }: Seed): Call[] {
  const query = 'dryRun=All&fieldManager=m'
  return ['x', '', '+007', '99999999999999999999'].flatMap((text): Call[] => {
    const metadata = {
      annotations: {
        'deprecated.daemonset.template.generation': text,
        'deprecated.deployment.rollback.to': text,
      },
    }
    const change = JSON.stringify({ metadata })
    const named = { ...body, metadata: { ...metadata, name: 'z' } }
    const { apiVersion, kind } = body
    const applied = JSON.stringify({ apiVersion, kind, metadata })
    const operations = [{ op: 'add', path: '/metadata/annotations', value: metadata.annotations }]
    const patches: [Call['headers'], string][] = [
      [mergeType, change],
      [strategicType, change],
      [applyType, applied],
      [jsonPatchType, JSON.stringify(operations)],
    ]
    return [
      { method: 'POST', path: `${path}?${query}`, body: JSON.stringify(named) },
      ...patches.map(([headers, patch]): Call => ({
        ...{ method: 'PATCH', body: patch, headers: headers ?? {} },
        path: `${address}?${query}${headers === applyType ? '&force=true' : ''}`,
      })),
    ]
  })
}
