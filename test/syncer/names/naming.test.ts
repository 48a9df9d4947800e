import { expect } from 'chai'
import { virtualToHostDns } from '../../../syncer/names/hostDns.ts'
import { mappedNamespace } from '../../../syncer/names/namespaceMapping.ts'
import {
  hostObjectName,
  hostServiceName,
  nameForm,
  type Naming,
} from '../../../syncer/names/naming.ts'

const single: Naming = { virtualCluster: 'my-vcluster', hostNamespace: 'team-x' }
const byName = { default: 'mapped', 'dev-*': '${name}-dev-*', '${name}': 'own' }
const multi: Naming = { ...single, namespaces: { byName, mappingsOnly: false } }
const only: Naming = { ...single, namespaces: { byName, mappingsOnly: true } }

describe('hostObjectName', () => {
  const cases: [namespace: string, naming: Naming, form: 'long' | 'short', want: unknown][] = [
    ['default', single, 'long', { name: 'my-secret-x-default-x-my-vcluster', namespace: 'team-x' }],
    ['default', single, 'short', { name: 'v5ri45ovgqam9c', namespace: 'team-x' }],
    ['default', multi, 'long', { name: 'my-secret', namespace: 'mapped' }],
    ['default', multi, 'short', { name: 'my-secret', namespace: 'mapped' }],
    ['dev-one', multi, 'long', { name: 'my-secret', namespace: 'my-vcluster-dev-one' }],
    ['other', multi, 'long', { name: 'my-secret-x-other-x-my-vcluster', namespace: 'team-x' }],
    ['other', only, 'long', undefined],
  ]
  for (const [namespace, naming, form, want] of cases) {
    it(`spec sync.namespaces, facts 6.7: ${form} name in ${namespace} is ${JSON.stringify(want)}`, () => {
      expect(hostObjectName({ name: 'my-secret', namespace }, naming, form)).to.deep.equal(want)
    })
  }

  it("the plane's own API is the service named after the virtual cluster (facts 6.7)", () => {
    expect(hostServiceName({ name: 'kubernetes', namespace: 'default' }, single)).to.deep.equal({
      name: 'my-vcluster',
      namespace: 'team-x',
    })
  })
})

describe('mappedNamespace', () => {
  const cases: [namespace: string, want: string | undefined][] = [
    ['default', 'mapped'],
    ['dev-one', 'vc-dev-one'],
    ['dev-', 'vc-dev-'],
    ['vc', 'own'],
    ['prod', undefined],
  ]
  for (const [namespace, want] of cases) {
    it(`${namespace} is mapped to ${want} (facts 6.7)`, () => {
      expect(mappedNamespace(namespace, byName, 'vc')).to.equal(want)
    })
  }
})

describe('nameForm', () => {
  const cases: [apiVersion: string, want: string][] = [
    ['v1', 'long'],
    ['apps/v1', 'long'],
    ['networking.k8s.io/v1', 'long'],
    ['resource.k8s.io/v1', 'short'],
    ['example.com/v1', 'short'],
  ]
  for (const [apiVersion, want] of cases) {
    it(`kinds of ${apiVersion} have ${want} names (spec sync.patches.reference.names)`, () => {
      expect(nameForm(apiVersion)).to.equal(want)
    })
  }
})

describe('virtualToHostDns', () => {
  const cases: [domain: string, naming: Naming, want: string][] = [
    ['nginx.default.svc', single, 'nginx-x-default-x-my-vcluster.team-x.svc'],
    [
      'nginx.default.svc.cluster.local',
      single,
      'nginx-x-default-x-my-vcluster.team-x.svc.cluster.local',
    ],
    ['nginx.default.svc', multi, 'nginx.mapped.svc'],
    ['nginx.other.svc', only, 'nginx.other.svc'],
    ['kubernetes.default.svc', single, 'my-vcluster.team-x.svc'],
    ['nginx.default', single, 'nginx.default'],
    ['nginx.default.pod.cluster.local', single, 'nginx.default.pod.cluster.local'],
    ['', single, ''],
  ]
  for (const [domain, naming, want] of cases) {
    it(`${domain} is ${want} (spec sync.helpers.dns)`, () => {
      expect(virtualToHostDns(domain, naming)).to.equal(want)
    })
  }
})
