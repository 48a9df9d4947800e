import { expect } from 'chai'
import { clusterHostName, hostName, shortHostName } from '../../../apiserver/meta/names/hostName.ts'

const a = (count: number) => 'a'.repeat(count)
const mine = 'my-vcluster'

describe('hostName', () => {
  const cases: [name: string, namespace: string, virtualCluster: string, want: string][] = [
    ['nginx', 'default', 'vcluster', 'nginx-x-default-x-vcluster'],
    ['test', 'my-namespace', mine, 'test-x-my-namespace-x-my-vcluster'],
    ['my-secret', 'default', mine, 'my-secret-x-default-x-my-vcluster'],
    [
      'nginx-from-other-namespace',
      'some-other-namespace',
      'default-namespace-sync',
      'nginx-from-other-namespace-x-some-other-namespace-x--4b96e8f948',
    ],
    ['test-endpoints', 'test', 'suffix', 'test-endpoints-x-test-x-suffix'],
    [a(39), 'default', mine, `${a(39)}-x-default-x-my-vcluster`],
    [a(40), 'default', mine, `${a(40)}-x-default-x-7799225210`],
    [a(41), 'default', mine, `${a(41)}-x-default--7b259ddd5b`],
    [a(42), 'default', mine, `${a(42)}-x-default-c755832363`],
    [a(63), 'default', mine, `${a(52)}-5f81ee9284`],
    [
      'my.service.with.dots',
      'team-a-namespace-long',
      'production-virtual-cluster',
      'my.service.with.dots-x-team-a-namespace-long-x-produ-00ea46b84f',
    ],
    [`${a(51)}.b`, 'default', mine, `${a(51)}-337ddfc154`],
    ['web', 'p-team', 'vc-1', 'web-x-p-team-x-vc-1'],
    [
      'coredns-79cf5f4c56-nkgdr',
      'kube-system',
      mine,
      'coredns-79cf5f4c56-nkgdr-x-kube-system-x-my-vcluster',
    ],
    ['nginx-56c45fd5ff-kp74s', 'default', mine, 'nginx-56c45fd5ff-kp74s-x-default-x-my-vcluster'],
    ['', 'default', 'vcluster', ''],
  ]
  for (const [name, namespace, virtualCluster, want] of cases) {
    it(`${name === '' ? 'no name' : name} in ${namespace} is ${want} (facts 6.7)`, () => {
      expect(hostName({ name, namespace, virtualCluster })).to.equal(want)
    })
  }
})

describe('shortHostName', () => {
  const cases: [name: string, namespace: string, virtualCluster: string, want: string][] = [
    ['nginx', 'default', 'vcluster', 'v1curhi49jlk2e'],
    ['my-secret', 'default', mine, 'v5ri45ovgqam9c'],
    ['test', 'my-namespace', mine, 'v12gumem5et28g'],
  ]
  for (const [name, namespace, virtualCluster, want] of cases) {
    it(`${name} in ${namespace} is ${want} (facts 6.7)`, () => {
      expect(shortHostName({ name, namespace, virtualCluster })).to.equal(want)
    })
  }
})

describe('clusterHostName', () => {
  const cases: [name: string, hostNamespace: string, virtualCluster: string, want: string][] = [
    ['my-pv', 'vcluster-ns', 'vcluster', 'vcluster-my-pv-x-vcluster-ns-x-vcluster'],
    ['high-priority', 'team-x', mine, 'vcluster-high-priority-x-team-x-x-my-vcluster'],
    [
      'a-very-long-cluster-scoped-object-name',
      'team-x-namespace',
      mine,
      'vcluster-a-very-long-cluster-scoped-object-name-x-te-6f4e68e6e7',
    ],
  ]
  for (const [name, hostNamespace, virtualCluster, want] of cases) {
    it(`${name} is ${want} (facts 6.7)`, () => {
      expect(clusterHostName(name, hostNamespace, virtualCluster)).to.equal(want)
    })
  }
})
