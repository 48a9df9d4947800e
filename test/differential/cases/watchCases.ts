import {
  flunder,
  flundersPath,
  mergeType,
  patch,
  post,
  remove,
  type Call,
  type Case,
  type Seen,
  type Step,
} from '../call.ts'

const labelled = (name: string, half: string) => flunder(name, { metadata: { labels: { half } } })
const begin: Step[] = ['a', 'b', 'c'].map((name) =>
  post(flundersPath, labelled(name, name < 'c' ? 'low' : 'high')),
)
const watch = (query: string, rest: Partial<Call> = {}): Call => ({
  path: `${flundersPath}?watch=1&${query}`,
  lines: 0,
  ...rest,
})
const since =
  (query = '', rest: Partial<Call> = {}) =>
  (seen: Seen) =>
    watch(`resourceVersion=${seen.metadata(0, 'resourceVersion')}${query}`, rest)
const half = (value: string | null) =>
  patch(`${flundersPath}/a`, { metadata: { labels: { half: value } } }, mergeType)
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }

export const watchCases: readonly Case[] = [
  {
    name: 'watch: where it begins',
    steps: [
      ...begin,
      watch(''),
      watch('resourceVersion=0'),
      since(),
      watch('resourceVersion=odd'),
      watch('resourceVersion=-1'),
      watch('resourceVersion=99999999', { lines: 1 }),
      watch('timeoutSeconds=1', { lines: 9 }),
      watch('resourceVersion=0&fieldSelector=metadata.name%3Db'),
      watch('resourceVersion=0&labelSelector=half%3Dhigh'),
      watch('resourceVersion=0&fieldSelector=odd%3Db'),
      watch('resourceVersionMatch=NotOlderThan'),
      watch('resourceVersion=0&resourceVersionMatch=NotOlderThan'),
      watch('limit=1&resourceVersion=0'),
      watch('continue=x&resourceVersion=0'),
      { path: `${flundersPath}/a?watch=1`, lines: 1 },
      { path: flundersPath.replace('/v1alpha1/', '/v1alpha1/watch/'), lines: 3 },
      { path: `${flundersPath.replace('/v1alpha1/', '/v1alpha1/watch/')}/a`, lines: 1 },
    ],
  },
  {
    name: 'watch: what happens',
    steps: [
      ...begin,
      since('', {
        during: [
          post(flundersPath, labelled('d', 'low')),
          half('high'),
          half('high'),
          patch(`${flundersPath}/b`, { metadata: { finalizers: ['example.com/x'] } }, mergeType),
          remove(`${flundersPath}/b`),
          patch(`${flundersPath}/b`, { metadata: { finalizers: null } }, mergeType),
          remove(flundersPath),
        ],
      }),
    ],
  },
  {
    name: 'watch: with a selector',
    steps: [
      ...begin,
      since('&labelSelector=half%3Dlow', {
        during: [half('high'), half('low'), half(null), half('low'), remove(`${flundersPath}/a`)],
      }),
      since('&fieldSelector=metadata.name%3Da', {
        during: [post(flundersPath, labelled('e', 'low'))],
      }),
    ],
  },
  {
    name: 'watch: initial events',
    steps: [
      ...begin,
      watch('sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan'),
      watch(
        'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&resourceVersion=0',
      ),
      since('&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan'),
      since('&sendInitialEvents=false&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan'),
      watch('sendInitialEvents=true&allowWatchBookmarks=true'),
      watch('sendInitialEvents=true&resourceVersionMatch=Exact'),
      watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan'),
      watch('sendInitialEvents=odd'),
      watch(
        'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&labelSelector=half%3Dhigh',
      ),
    ],
  },
  {
    name: 'watch: other forms',
    steps: [
      ...begin,
      watch('resourceVersion=0', { headers: table }),
      since('', { headers: table }),
      since('&includeObject=Object', { headers: table }),
      watch('resourceVersion=0&includeObject=None', { headers: table }),
      watch('resourceVersion=0', { headers: partial }),
      watch('sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan', {
        headers: partial,
      }),
      watch('sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan', {
        headers: table,
      }),
      watch('resourceVersion=0', { headers: { accept: 'application/json;stream=watch' } }),
      watch('resourceVersion=0', { headers: { accept: 'application/yaml' } }),
      watch('resourceVersion=0', { headers: { accept: 'text/plain' } }),
    ],
  },
]
