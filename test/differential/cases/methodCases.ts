import { fischersPath, flunder, flundersPath, get, group, post, put, type Case } from '../call.ts'

const one = `${flundersPath}/a`
const with_ = (method: string, path: string) => ({ method, path })

export const methodCases: readonly Case[] = [
  {
    name: 'methods',
    steps: [
      post(flundersPath, flunder('a')),
      with_('HEAD', one),
      with_('HEAD', flundersPath),
      with_('OPTIONS', one),
      with_('OPTIONS', flundersPath),
      with_('PROPFIND', one),
      with_('TRACE', one),
      post(one, flunder('a')),
      put(flundersPath, flunder('a')),
      {
        method: 'PATCH',
        path: flundersPath,
        body: {},
        headers: { 'content-type': 'application/merge-patch+json' },
      },
      put(`${one}/status`, flunder('a')),
      post(`${flundersPath.replace('/namespaces/{ns}', '')}`, flunder('a')),
      with_('DELETE', group),
      with_('POST', group),
      with_('DELETE', '/apis'),
    ],
  },
  {
    name: 'paths',
    steps: [
      get(`${group}/none`),
      get(`${group}/namespaces/{ns}/none`),
      get(`${group}/namespaces/{ns}`),
      get(`${group}/namespaces`),
      get(`${group}/flunders/a`),
      get(`${group}/namespaces/{ns}/fischers`),
      get('/apis/none.example.com'),
      get('/apis/wardle.example.com/v9'),
      get('/apis/wardle.example.com/v9/flunders'),
      get('/none'),
      get('/apis/'),
      get(`${group}/`),
      get(`/${group}`),
      get(`${fischersPath}/%2e%2e`),
      get(`${fischersPath}/a%2Fb`),
      get(`${fischersPath}/a//b`),
      get(`${fischersPath}//`),
      get(`${flundersPath}?%zz`),
      get(`${flundersPath}?a;b`),
    ],
  },
]
