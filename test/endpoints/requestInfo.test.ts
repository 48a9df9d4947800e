import { expect } from 'chai'
import { requestInfo } from '../../apiserver/endpoints/requestInfo.ts'

const nothing = {
  isResource: true,
  group: '',
  version: 'v1',
  namespace: '',
  isInNamespace: false,
  resource: '',
  name: '',
  subresource: '',
  rest: [],
  isWatchPath: false,
}
const outside = { ...nothing, isResource: false, version: '' }

describe('requestInfo', () => {
  const cases = [
    ['GET', '/api/v1/pods', { verb: 'list', resource: 'pods' }],
    ['POST', '/api/v1/pods', { verb: 'create', resource: 'pods' }],
    ['DELETE', '/api/v1/pods', { verb: 'deletecollection', resource: 'pods' }],
    ['GET', '/api/v1/namespaces//pods', { verb: 'list', resource: 'pods' }],
    ['HEAD', '/api/v1/pods', { verb: 'list', resource: 'pods' }],
    ['OPTIONS', '/api/v1/pods', { verb: '', resource: 'pods' }],
    ['PUT', '/api/v1/nodes/a', { verb: 'update', resource: 'nodes', name: 'a' }],
    ['PATCH', '/api/v1/nodes/a', { verb: 'patch', resource: 'nodes', name: 'a' }],
    [
      'GET',
      '/api/v1/namespaces/n/pods/p/log/x/y',
      {
        verb: 'get',
        namespace: 'n',
        isInNamespace: true,
        resource: 'pods',
        name: 'p',
        subresource: 'log',
        rest: ['x', 'y'],
      },
    ],
    [
      'DELETE',
      '/api/v1/namespaces/n',
      { verb: 'delete', namespace: 'n', resource: 'namespaces', name: 'n' },
    ],
    [
      'PUT',
      '/api/v1/namespaces/n/finalize',
      {
        verb: 'update',
        namespace: 'n',
        resource: 'namespaces',
        name: 'n',
        subresource: 'finalize',
      },
    ],
    [
      'GET',
      '/apis/g.dev/v2/namespaces/n/things',
      {
        verb: 'list',
        group: 'g.dev',
        version: 'v2',
        namespace: 'n',
        isInNamespace: true,
        resource: 'things',
      },
    ],
    [
      'GET',
      '/api/v1/watch/namespaces/n/pods/p',
      {
        verb: 'watch',
        namespace: 'n',
        isInNamespace: true,
        resource: 'pods',
        name: 'p',
        isWatchPath: true,
      },
    ],
    ['GET', '/api/v1/watch/nodes/', { verb: 'watch', resource: 'nodes', isWatchPath: true }],
  ] as const
  for (const [method, path, want] of cases) {
    it(`${method} ${path}: ${want.verb} ${want.resource} (reference 1.4)`, () => {
      expect(requestInfo(method, path, () => false)).to.deep.equal({ ...nothing, path, ...want })
    })
  }

  const paths = [
    '/',
    '',
    '/api',
    '/api/v1',
    '/apis/g.dev',
    '/apis/g.dev/v1',
    '/healthz',
    '/a/b/c/d',
  ]
  for (const path of paths) {
    it(`${path} is outside the API, and its verb is the method (reference 1.4)`, () => {
      expect(requestInfo('POST', path, () => true)).to.deep.equal({
        ...outside,
        path,
        verb: 'post',
      })
    })
  }

  it('is a watch only for a GET of a collection (reference 1.4)', () => {
    const verbs = [
      requestInfo('GET', '/api/v1/pods', () => true),
      requestInfo('GET', '/api/v1/nodes/a', () => true),
      requestInfo('POST', '/api/v1/pods', () => true),
    ].map(({ verb }) => verb)
    expect(verbs).to.deep.equal(['watch', 'get', 'create'])
  })

  it('refuses /watch/ without a resource (reference 1.4)', () => {
    expect(() => requestInfo('GET', '/apis/g.dev/v1/watch', () => false)).to.throw(
      'unable to determine kind and namespace from url, /apis/g.dev/v1/watch',
    )
  })
})
