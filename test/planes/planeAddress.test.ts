import { expect } from 'chai'
import { planeAddress } from '../../apiserver/planes/planeAddress.ts'

describe('planeAddress', () => {
  const cluster = { form: 'cluster', cluster: 'c' }
  const instance = { form: 'instance', project: 'p', name: 'v' }
  const space = { form: 'space', project: 'p', name: 's' }
  const legacy = { form: 'legacy', cluster: 'c', namespace: 'n', name: 'v' }
  const cases: [path: string, want: unknown][] = [
    ['/kubernetes/cluster/c', { address: cluster, path: '/' }],
    ['/kubernetes/cluster/c/', { address: cluster, path: '/' }],
    ['/kubernetes/cluster/c/api/v1/pods', { address: cluster, path: '/api/v1/pods' }],
    ['/kubernetes/cluster/c//api', { address: cluster, path: '//api' }],
    ['/kubernetes/project/p/virtualcluster/v/apis', { address: instance, path: '/apis' }],
    ['/kubernetes/virtualcluster/c/n/v/version', { address: legacy, path: '/version' }],
    ['/kubernetes/cluster/', undefined],
    ['/kubernetes/cluster', undefined],
    ['/kubernetes/cluster//api', undefined],
    ['/kubernetes/project/p/space/s/api', { address: space, path: '/api' }],
    ['/kubernetes/project/p/space/s', { address: space, path: '/' }],
    ['/kubernetes/project/p/space', undefined],
    ['/kubernetes/project/p/other/s/api', undefined],
    ['/kubernetes/project/p/virtualcluster', undefined],
    ['/kubernetes/virtualcluster/c/n', undefined],
    ['/kubernetes/management/api', undefined],
    ['/other/cluster/c/api', undefined],
    ['/api/v1/pods', undefined],
  ]
  for (const [path, want] of cases) {
    it(`platform 5: reads ${path}`, () => {
      expect(planeAddress(path, 'kubernetes')).to.deep.equal(want)
    })
  }
})
