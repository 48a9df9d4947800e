import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { markers } from '../../../syncer/names/markers.ts'
import type { Naming } from '../../../syncer/names/naming.ts'
import { endpointsRules } from '../../../syncer/rules/endpointsRules.ts'
import type { Pair } from '../../../syncer/rules/kindRules.ts'

const single: Naming = { virtualCluster: 'my-vcluster', hostNamespace: 'team-x' }
const several: Naming = {
  ...single,
  namespaces: { byName: { default: 'mapped' }, mappingsOnly: false },
}
const only: Naming = { ...single, namespaces: { byName: {}, mappingsOnly: true } }
const marks = markers('platform')

function endpoints(fields: object, metadata: object = {}): ApiObject {
  const named = { name: 'db', namespace: 'default', ...metadata }
  return { apiVersion: 'v1', kind: 'Endpoints', metadata: named, ...fields }
}

const pod = { kind: 'Pod', name: 'pg-0', namespace: 'default', uid: 'u1', resourceVersion: '7' }
const addressed = (targetRef: object, more: object = {}) => [
  { addresses: [{ ip: '10.1.2.3', ...more, targetRef }] },
]

describe('endpointsRules.hostFields', () => {
  const cases: [name: string, subsets: unknown, want: unknown, naming?: Naming][] = [
    [
      'the example: a Pod is named as on the host, without uid and resourceVersion',
      addressed(pod),
      addressed({ kind: 'Pod', name: 'pg-0-x-default-x-my-vcluster', namespace: 'team-x' }),
    ],
    [
      'notReadyAddresses too',
      [{ notReadyAddresses: [{ ip: '10.1.2.4', targetRef: pod }] }],
      [
        {
          notReadyAddresses: [
            {
              ip: '10.1.2.4',
              targetRef: { kind: 'Pod', name: 'pg-0-x-default-x-my-vcluster', namespace: 'team-x' },
            },
          ],
        },
      ],
    ],
    [
      'a Pod keeps what else is said of it',
      addressed({ ...pod, apiVersion: 'v1', fieldPath: 'spec' }),
      addressed({
        apiVersion: 'v1',
        kind: 'Pod',
        fieldPath: 'spec',
        name: 'pg-0-x-default-x-my-vcluster',
        namespace: 'team-x',
      }),
    ],
    [
      'a Pod of a mapped namespace keeps its name',
      addressed(pod),
      addressed({ kind: 'Pod', name: 'pg-0', namespace: 'mapped' }),
      several,
    ],
    [
      'a Pod of a namespace that is not synced keeps its name and namespace',
      addressed(pod),
      addressed({ kind: 'Pod', name: 'pg-0', namespace: 'default' }),
      only,
    ],
    [
      'another kind is unchanged',
      addressed({ ...pod, kind: 'Node' }),
      addressed({ ...pod, kind: 'Node' }),
    ],
    [
      'ip, hostname, nodeName and ports are unchanged',
      [
        {
          addresses: [{ ip: '::1', hostname: 'h', nodeName: 'n' }],
          ports: [{ name: 'p', port: 1 }],
        },
      ],
      [
        {
          addresses: [{ ip: '::1', hostname: 'h', nodeName: 'n' }],
          ports: [{ name: 'p', port: 1 }],
        },
      ],
    ],
  ]
  for (const [name, subsets, want, naming = single] of cases) {
    it(`targetRef: ${name} (facts 6.9)`, () => {
      const virtual = endpoints({ subsets })
      const before = structuredClone(virtual)
      expect(endpointsRules.hostFields(virtual, { naming, marks })).to.deep.equal({ subsets: want })
      expect(virtual).to.deep.equal(before)
    })
  }

  for (const subsets of [undefined, null, []]) {
    it(`subsets of ${JSON.stringify(subsets)} are left out (facts 6.9)`, () => {
      const virtual = endpoints({ subsets })
      expect(endpointsRules.hostFields(virtual, { naming: single, marks })).to.deep.equal({})
    })
  }
})

describe('endpointsRules', () => {
  it('the leader annotation is not copied (facts 6.9)', () => {
    const keys = ['control-plane.alpha.kubernetes.io/leader', 'control-plane', 'example.com/leader']
    expect(keys.map((key) => endpointsRules.isExcluded(key))).to.deep.equal([true, false, false])
  })

  const one = [{ addresses: [{ ip: '10.0.0.1' }] }]
  const two = [{ addresses: [{ ip: '10.0.0.2' }] }]
  const nothing = { set: {}, remove: [] }
  const based = (virtual: unknown, host: unknown): Pair['base'] => ({
    virtual: endpoints({ subsets: virtual }),
    host: endpoints({ subsets: host }),
  })
  const cases: [
    name: string,
    virtual: unknown,
    host: unknown,
    base: Pair['base'],
    toHost: unknown,
  ][] = [
    [
      'what changed inside goes to the host',
      two,
      one,
      based(one, one),
      { set: { subsets: two }, remove: [] },
    ],
    [
      "the host's own changes are overwritten",
      one,
      two,
      based(one, one),
      { set: { subsets: one }, remove: [] },
    ],
    [
      'subsets that are gone inside go on the host',
      [],
      one,
      based(one, one),
      { set: {}, remove: [['subsets']] },
    ],
    ['nothing goes where nothing changed', one, one, based(one, one), nothing],
    [
      'what is inside goes to the host after a restart',
      one,
      two,
      undefined,
      { set: { subsets: one }, remove: [] },
    ],
  ]
  for (const [name, virtual, host, base, toHost] of cases) {
    it(`always copied to the host: ${name} (facts 6.9)`, () => {
      const pair = {
        virtual: endpoints({ subsets: virtual }),
        host: endpoints({ subsets: host }),
        base,
      }
      const changes = endpointsRules.fieldChanges(pair, { naming: single, marks })
      expect(changes).to.deep.equal({ toHost, toVirtual: nothing })
    })
  }
})
