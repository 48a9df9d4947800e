import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { blocksDeletionMs } from '../../../syncer/engine/recreation.ts'
import { markers } from '../../../syncer/names/markers.ts'
import { servicesRules } from '../../../syncer/rules/servicesRules.ts'

const naming = { virtualCluster: 'my-vcluster', hostNamespace: 'team-x' }
const marks = markers('platform')
const translation = { naming, marks }
const marked = {
  'vcluster.platform/managed-by': 'my-vcluster',
  'vcluster.platform/namespace': 'default',
}

function service(spec: object, more: object = {}): ApiObject {
  const metadata = { name: 'web', namespace: 'default' }
  return { apiVersion: 'v1', kind: 'Service', metadata, spec, ...more }
}

describe('servicesRules.hostFields', () => {
  const cases: [name: string, spec: object, want: object][] = [
    [
      'a selector gets the markers',
      { selector: { app: 'web' } },
      { selector: { app: 'web', ...marked } },
    ],
    [
      'keys of a selector are translated as labels are',
      { selector: { release: 'one' } },
      { selector: { 'vcluster.platform/label-my-vcluster-x-a4d451ec23': 'one', ...marked } },
    ],
    ['an empty selector is one', { selector: {} }, { selector: marked }],
    ['no selector stays none', { type: 'ClusterIP' }, { type: 'ClusterIP' }],
    ['null is no selector', { selector: null }, {}],
    ['the address is left to the host', { clusterIP: '10.0.0.1' }, {}],
    ['None is kept', { clusterIP: 'None', clusterIPs: ['None'] }, { clusterIP: 'None' }],
    [
      'clusterIPs, ipFamilies and ipFamilyPolicy are left to the host',
      { clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
      {},
    ],
    [
      'node ports are left to the host',
      { ports: [{ name: 'http', port: 80, nodePort: 30080 }] },
      { ports: [{ name: 'http', port: 80 }] },
    ],
    [
      'all else is as it is inside',
      { type: 'ExternalName', externalName: 'example.com', sessionAffinity: 'None' },
      { type: 'ExternalName', externalName: 'example.com', sessionAffinity: 'None' },
    ],
  ]
  for (const [name, spec, want] of cases) {
    it(`${name} (facts 6.10)`, () => {
      expect(servicesRules.hostFields(service(spec), translation)).to.deep.equal({ spec: want })
    })
  }
})

describe('servicesRules.fieldChanges', () => {
  const values: [field: string, before: unknown, after: unknown][] = [
    ['type', 'ClusterIP', 'NodePort'],
    ['externalIPs', ['10.0.0.1'], ['10.0.0.2']],
    ['externalName', 'a.example', 'b.example'],
    ['loadBalancerIP', '10.0.0.1', '10.0.0.2'],
    ['ports', [{ port: 1 }], [{ port: 2 }]],
    ['publishNotReadyAddresses', false, true],
    ['externalTrafficPolicy', 'Cluster', 'Local'],
    ['sessionAffinity', 'None', 'ClientIP'],
    [
      'sessionAffinityConfig',
      { clientIP: { timeoutSeconds: 1 } },
      { clientIP: { timeoutSeconds: 2 } },
    ],
    ['loadBalancerSourceRanges', ['10.0.0.0/8'], ['10.1.0.0/16']],
    ['healthCheckNodePort', 30001, 30002],
  ]
  const nothing = { set: {}, remove: [] }
  for (const [field, before, after] of values) {
    const [old, next] = [service({ [field]: before }), service({ [field]: after })]
    const base = { virtual: old, host: old }
    const changed = { set: { spec: { [field]: after } }, remove: [] }
    it(`two-way: ${field} of either side is copied to the other (facts 6.10)`, () => {
      const changes = (virtual: ApiObject, host: ApiObject) =>
        servicesRules.fieldChanges({ virtual, host, base }, translation)
      const selector = { set: {}, remove: [] as string[][] }
      expect(changes(next, old)).to.deep.equal({ toHost: changed, toVirtual: nothing })
      expect(changes(old, next)).to.deep.equal({ toHost: selector, toVirtual: changed })
    })
  }

  it('the virtual side wins if both changed (facts 6.9)', () => {
    const spec = (externalName: string) => service({ externalName })
    const pair = {
      virtual: spec('virtual'),
      host: spec('host'),
      base: { virtual: spec('old'), host: spec('old') },
    }
    expect(servicesRules.fieldChanges(pair, translation)).to.deep.equal({
      toHost: { set: { spec: { externalName: 'virtual' } }, remove: [] },
      toVirtual: nothing,
    })
  })

  it('a selector changed on the host is restored, including removed keys (facts 6.10)', () => {
    const [virtual, host] = [
      service({ selector: { app: 'web' } }),
      service({ selector: { app: 'web', ...marked } }),
    ]
    const spoilt = service({ selector: { other: 'x' } })
    expect(
      servicesRules.fieldChanges({ virtual, host: spoilt, base: { virtual, host } }, translation)
        .toHost,
    ).to.deep.equal({
      set: { spec: { selector: { app: 'web', ...marked } } },
      remove: [['spec', 'selector', 'other']],
    })
  })

  it('a selector removed inside is removed on the host (facts 6.10)', () => {
    const [before, host] = [
      service({ selector: { app: 'web' } }),
      service({ selector: { app: 'web', ...marked } }),
    ]
    const pair = { virtual: service({}), host, base: { virtual: before, host } }
    expect(servicesRules.fieldChanges(pair, translation).toHost).to.deep.equal({
      set: {},
      remove: [['spec', 'selector']],
    })
  })
})

describe('servicesRules', () => {
  it("annotations of a cluster manager's ingresses are not copied (facts 6.10)", () => {
    const keys = ['field.example.io/publicEndpoints', 'field.example.io/other', 'publicEndpoints']
    expect(keys.map((key) => servicesRules.isExcluded(key))).to.deep.equal([true, false, false])
  })

  const statuses: [name: string, virtual: object, host: object, want: unknown][] = [
    [
      'goes from the host inside',
      {},
      { status: { loadBalancer: { ingress: [] } } },
      { loadBalancer: { ingress: [] } },
    ],
    ['is not written where it is the same', { status: { a: 1 } }, { status: { a: 1 } }, undefined],
    ['goes inside as nothing', { status: { a: 1 } }, {}, {}],
  ]
  for (const [name, virtual, host, want] of statuses) {
    it(`the status ${name} (facts 6.10)`, () => {
      const pair = { virtual: service({}, virtual), host: service({}, host), base: undefined }
      expect(servicesRules.virtualStatus?.(pair)).to.deep.equal(want)
    })
  }

  const recreations: [
    name: string,
    virtual: object,
    host: object,
    want: object | undefined,
    metadata?: object,
  ][] = [
    [
      'one with another address is made again with that of the host',
      { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], type: 'ClusterIP' },
      { clusterIP: '10.9.9.9' },
      { clusterIP: '10.9.9.9', clusterIPs: ['10.9.9.9'], type: 'ClusterIP' },
    ],
    [
      'one with the same address is left',
      { clusterIP: '10.9.9.9' },
      { clusterIP: '10.9.9.9' },
      undefined,
    ],
    ['one without an address on the host is left', { clusterIP: '10.0.0.1' }, {}, undefined],
    [
      'one without an address inside is left',
      { clusterIP: 'None' },
      { clusterIP: '10.9.9.9' },
      undefined,
    ],
    ['one that is a name is left', { type: 'ExternalName' }, { clusterIP: '10.9.9.9' }, undefined],
    [
      'one whose deletion waits for others is left',
      { clusterIP: '10.0.0.1' },
      { clusterIP: '10.9.9.9' },
      undefined,
      { finalizers: ['example.com/wait'] },
    ],
  ]
  for (const [name, virtual, host, want, more] of recreations) {
    it(`${name} (facts 6.10)`, () => {
      const made = service(virtual)
      const given = {
        ...made,
        metadata: { ...made.metadata, uid: 'u', labels: { a: 'b' }, ...more },
      }
      const wanted = want && service(want, { metadata: { ...made.metadata, labels: { a: 'b' } } })
      const pair = { virtual: given, host: service(host), base: undefined }
      expect(servicesRules.recreated?.(pair)).to.deep.equal(wanted)
    })
  }

  const created = '2030-01-01T00:00:00Z'
  const madeMs = Date.parse(created)
  const blocks: [name: string, annotation: string, afterMs: number, want: number][] = [
    ['for two minutes', 'true', 0, 120_000],
    ['for what is left of them', 'true', 50_000, 70_000],
    ['not any longer', 'true', 120_000, 0],
    ['not without the annotation', 'false', 0, 0],
  ]
  for (const [name, annotation, afterMs, want] of blocks) {
    it(`block-deletion: ${name} (facts 6.10)`, () => {
      const annotations = { 'vcluster.platform/block-deletion': annotation }
      const metadata = { name: 'web', creationTimestamp: created, annotations }
      expect(blocksDeletionMs(service({}, { metadata }), marks, madeMs + afterMs)).to.equal(want)
    })
  }
})
