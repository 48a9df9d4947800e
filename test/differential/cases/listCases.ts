import {
  fischer,
  fischersPath,
  flunder,
  flundersPath,
  get,
  post,
  type Case,
  type Step,
} from '../call.ts'

const names = ['a', 'b', 'c', 'd', 'e']
const begin: Step[] = names.map((name, index) =>
  post(
    flundersPath,
    flunder(name, { metadata: { labels: { name, half: index < 2 ? 'low' : 'high' } } }),
  ),
)
const everywhere = flundersPath.replace('/namespaces/{ns}', '')
const list = (query: string) => get(`${flundersPath}?${query}`)
const selector = (text: string) => list(`labelSelector=${encodeURIComponent(text)}`)
const fields = (text: string) => list(`fieldSelector=${encodeURIComponent(text)}`)
const match = (rule: string, version: string) =>
  list(`resourceVersion=${version}&resourceVersionMatch=${rule}`)

export const listCases: readonly Case[] = [
  {
    name: 'list',
    steps: [
      get(flundersPath),
      ...begin,
      get(flundersPath),
      get(everywhere),
      get(flundersPath.replace('{ns}', 'nowhere')),
      get(`${flundersPath}/`),
      list('pretty=1'),
      list('unknown=1'),
      list('limit=odd'),
      list('timeoutSeconds=odd'),
      { ...list('watch=odd'), lines: 0 },
      post(fischersPath, fischer('f')),
      get(fischersPath),
      get(`${flundersPath}/a`),
      get(`${flundersPath}/none`),
      get(`${flundersPath}/a/none`),
      get(`${flundersPath}/a/status`),
      get(`${flundersPath}/a?resourceVersion=0`),
      get(`${flundersPath}/a?resourceVersion=odd`),
      get(`${flundersPath}/a?resourceVersion=99999999`),
    ],
  },
  {
    name: 'list: selectors',
    steps: [
      ...begin,
      selector('half=low'),
      selector('half==low'),
      selector('half!=low'),
      selector('half in (low,high),name notin (a, b)'),
      selector('half'),
      selector('!half'),
      selector('name>1'),
      selector('half=low,name=a'),
      selector('name in (a'),
      selector('a=b=c'),
      selector('bad key=x'),
      selector('key=bad value'),
      selector(','),
      selector(''),
      fields('metadata.name=a'),
      fields('metadata.name!=a'),
      fields('metadata.name=a,metadata.namespace={ns}'),
      fields('metadata.namespace=other'),
      fields('spec.reference=x'),
      fields('metadata.name'),
      fields('metadata.name in (a)'),
      get(`${fischersPath}?fieldSelector=metadata.namespace%3Dx`),
      list('labelSelector=half%3Dlow&fieldSelector=metadata.name%3Da'),
    ],
  },
  {
    name: 'list: pages',
    steps: [
      ...begin,
      list('limit=2'),
      (seen) => list(`limit=2&continue=${seen.metadata(5, 'continue')}`),
      (seen) => list(`limit=2&continue=${seen.metadata(6, 'continue')}`),
      (seen) => list(`continue=${seen.metadata(5, 'continue')}`),
      (seen) => list(`limit=2&continue=${seen.metadata(5, 'continue')}&resourceVersion=0`),
      (seen) => list(`limit=2&continue=${seen.metadata(5, 'continue')}&resourceVersion=5`),
      (seen) => list(`limit=2&continue=${seen.metadata(5, 'continue')}&resourceVersionMatch=Exact`),
      list('limit=2&labelSelector=half%3Dhigh'),
      (seen) => list(`limit=2&labelSelector=half%3Dhigh&continue=${seen.metadata(12, 'continue')}`),
      list('limit=5'),
      list('limit=0'),
      list('limit=-1'),
      list('limit=2&resourceVersion=0'),
      list('limit=2&continue=odd'),
      list('limit=2&continue=e30'),
      get(`${everywhere}?limit=3`),
    ],
  },
  {
    name: 'list: resource versions',
    steps: [
      ...begin,
      list('resourceVersion=0'),
      list('resourceVersion='),
      (seen) => list(`resourceVersion=${seen.metadata(1, 'resourceVersion')}`),
      (seen) => match('Exact', seen.metadata(1, 'resourceVersion')),
      (seen) => match('NotOlderThan', seen.metadata(1, 'resourceVersion')),
      (seen) => list(`limit=1&resourceVersion=${seen.metadata(1, 'resourceVersion')}`),
      (seen) =>
        list(
          `limit=1&resourceVersionMatch=Exact&resourceVersion=${seen.metadata(1, 'resourceVersion')}`,
        ),
      (seen) =>
        list(
          `limit=1&resourceVersionMatch=NotOlderThan&resourceVersion=${seen.metadata(1, 'resourceVersion')}`,
        ),
      match('Exact', '0'),
      match('NotOlderThan', '0'),
      match('Exact', ''),
      match('NotOlderThan', ''),
      match('Odd', '1'),
      match('Exact', 'odd'),
      match('NotOlderThan', 'odd'),
      list('resourceVersion=odd'),
      list('resourceVersion=-1'),
      list('resourceVersion=99999999'),
      match('Exact', '99999999'),
      match('NotOlderThan', '99999999'),
      list('limit=1&resourceVersion=99999999'),
      list('sendInitialEvents=true'),
      list('sendInitialEvents=false'),
      list('allowWatchBookmarks=true'),
    ],
  },
]
