import { expect } from 'chai'
import type { ApiObject } from '../../../../../apiserver/meta/types.ts'
import { readyRanges } from '../../../../../apiserver/apis/kubernetes/networking/serviceCidr.ts'
import type { Store } from '../../../../../apiserver/registry/store.ts'
import { refusal } from '../../../../support/refusal.ts'
import { BuiltInKinds } from '../../../../support/builtInKinds.ts'
import { clientContext } from '../../../../support/contexts.ts'
import { create, put } from '../../../../support/stores.ts'

function service(spec: Record<string, unknown>): ApiObject {
  const metadata = { name: 's', namespace: 'default' }
  return { kind: 'Service', apiVersion: 'v1', metadata, spec }
}

describe('services', () => {
  let kinds: BuiltInKinds
  let services: Store

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
    services = kinds.store('Service')
  })

  afterEach(() => kinds.close())

  async function causes(call: Promise<unknown>): Promise<string[] | undefined> {
    const { code, details } = await refusal(call)
    expect(code).to.equal(422)
    return details?.causes?.map(({ field, message }) => `${field}: ${message}`)
  }

  it('get defaults and a stable cluster IP', async () => {
    const made = await create(services, service({ ports: [{ port: 80 }] }))
    const spec = made['spec'] as Record<string, unknown> // what was sent has one
    expect(spec).to.deep.include({
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    })
    expect(spec['clusterIPs']).to.deep.equal([spec['clusterIP']])
    expect(made['status']).to.deep.equal({ loadBalancer: {} })
    const again = await put(services, service({ ports: [{ port: 81 }] }))
    expect(again['spec']).to.deep.include({ clusterIP: spec['clusterIP'] })
  })

  const invalid = [
    ['no ports', {}, ['spec.ports: Required value']],
    [
      'an unknown type',
      { type: 'X', ports: [{ port: 1 }] },
      [
        'spec.type: Unsupported value: "X": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'a port out of range',
      { ports: [{ port: 0 }] },
      [
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'several ports without names',
      { ports: [{ port: 1 }, { port: 2, name: 'b' }] },
      ['spec.ports[0].name: Required value'],
    ],
    [
      'ports of one name',
      {
        ports: [
          { port: 1, name: 'a' },
          { port: 2, name: 'a' },
        ],
      },
      ['spec.ports[1].name: Duplicate value: "a"'],
    ],
    [
      'the same port twice',
      {
        ports: [
          { port: 1, name: 'a' },
          { port: 1, name: 'b' },
        ],
      },
      [
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}',
      ],
    ],
    ['no name to stand for', { type: 'ExternalName' }, ['spec.externalName: Required value']],
  ] as const
  for (const [name, spec, want] of invalid) {
    it(`${name} is refused (reference 2.5)`, async () => {
      expect(await causes(create(services, service(spec)))).to.deep.equal(want)
    })
  }

  it('a different cluster IP is refused (reference 2.5)', async () => {
    await create(services, service({ ports: [{ port: 80 }] }))
    const moved = service({ ports: [{ port: 80 }], clusterIP: '10.9.9.9' })
    expect(await causes(put(services, moved))).to.deep.equal([
      'spec.clusterIPs[0]: Invalid value: ["10.9.9.9"]: may not change once set',
    ])
  })

  it('a headless service may have no ports', async () => {
    const made = await create(services, service({ clusterIP: 'None' }))
    expect(made['spec']).to.deep.include({ clusterIP: 'None' })
  })

  const rows = [
    [
      { ports: [{ port: 80 }], clusterIP: '10.96.0.5' },
      ['ClusterIP', '10.96.0.5', '<none>', '80/TCP', '0s', '|', '<none>'],
    ],
    [
      { type: 'ExternalName', externalName: 'x.dev' },
      ['ExternalName', '<none>', 'x.dev', '<none>', '0s', '|', '<none>'],
    ],
    [
      {
        type: 'LoadBalancer',
        clusterIP: '10.96.0.6',
        ports: [{ port: 53, nodePort: 30053, protocol: 'UDP' }],
        selector: { b: '2', a: '1' },
      },
      ['LoadBalancer', '10.96.0.6', '<pending>', '53:30053/UDP', '0s', '|', 'a=1,b=2'],
    ],
  ] as const
  for (const [spec, want] of rows) {
    it(`the table of ${want[0]} (reference 8.1)`, async () => {
      const made = await create(services, service(spec))
      expect(kinds.cells(made)).to.deep.equal(['s', ...want])
    })
  }

  describe('addresses of ranges', () => {
    const ports = [{ port: 80 }]
    const cidr = (status?: string): ApiObject => ({
      kind: 'ServiceCIDR',
      apiVersion: 'networking.k8s.io/v1',
      metadata: { name: 'more' },
      spec: { cidrs: ['192.168.7.0/24'] },
      ...(status && { status: { conditions: [{ type: 'Ready', status }] } }),
    })

    for (const address of ['1.2.3.4', '10.96.0.0', '10.111.255.255']) {
      it(`refuse ${address}, which is not in the range`, async () => {
        const found = await causes(create(services, service({ ports, clusterIP: address })))
        expect(found).to.deep.equal([
          `spec.clusterIPs: Invalid value: ["${address}"]: failed to allocate IP ${address}: the provided network does not match the current range`,
        ])
      })
    }

    it('refuse an address of a family that is not configured', async () => {
      const found = await causes(create(services, service({ ports, clusterIP: 'fd00::1' })))
      expect(found).to.deep.equal([
        'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
      ])
    })

    it('come from a ServiceCIDR too', async () => {
      const wanted = service({ ports, clusterIP: '192.168.7.9' })
      expect((await causes(create(services, wanted)))?.length).to.equal(1)
      await create(kinds.store('ServiceCIDR'), cidr())
      const made = await create(services, wanted)
      expect(made['spec']).to.deep.include({ clusterIPs: ['192.168.7.9'] })
    })

    it('come from no ServiceCIDR that is not ready or is being deleted', () => {
      const { metadata } = cidr()
      const going = {
        ...cidr(),
        metadata: { ...metadata, deletionTimestamp: '2020-01-01T00:00:00Z' },
      }
      expect([cidr('True'), cidr('False'), going].map(readyRanges)).to.deep.equal([
        ['192.168.7.0/24'],
        [],
        [],
      ])
    })

    it('are not allocated by an update of a service that a write of its status created', async () => {
      const context = { ...clientContext(), subresource: 'status' }
      await create(services, service({ ports }), context)
      const updated = await put(services, service({ ports: [{ port: 81 }] }))
      expect(updated['spec']).not.to.have.any.keys('clusterIP', 'clusterIPs')
    })

    it('are one of each family if two ranges are configured', async () => {
      await kinds.close()
      kinds = await BuiltInKinds.open({ serviceRanges: ['10.5.0.0/24', 'fd00:1::/108'] })
      services = kinds.store('Service')
      const made = await create(services, service({ ports, ipFamilyPolicy: 'RequireDualStack' }))
      const { clusterIPs = [], ipFamilies } = made['spec'] as {
        clusterIPs?: string[]
        ipFamilies?: string[]
      }
      expect(ipFamilies).to.deep.equal(['IPv4', 'IPv6'])
      expect(clusterIPs[0]).to.match(/^10\.5\.0\.\d+$/)
      expect(clusterIPs[1]).to.match(/^fd00:1::[0-9a-f:]+$/)
      const single = { ...service({ ports }), metadata: { name: 't', namespace: 'default' } }
      const plain = await create(services, single)
      expect(plain['spec']).to.deep.include({ ipFamilies: ['IPv4'] })
      const more = await put(services, {
        ...plain,
        spec: { ...(plain['spec'] as object), ipFamilyPolicy: 'PreferDualStack' },
      })
      expect((more['spec'] as { clusterIPs: string[] }).clusterIPs.length).to.equal(2)
    })
  })
})
