import { expect } from 'chai'
import { useTestServer } from '../support/testServer.ts'

const services = '/api/v1/namespaces/default/services'

describe('load balancer status of a service', () => {
  const server = useTestServer()

  before(async () => {
    for (const type of ['LoadBalancer', 'NodePort']) {
      const spec = { type, ports: [{ port: 80 }] }
      const answer = await server().admin.post(services, {
        metadata: { name: type.toLowerCase() },
        spec,
      })
      expect(answer.status, answer.text).to.equal(201)
    }
  })

  const balance = (name: string, ingress: object[]) =>
    server().admin.patch(`${services}/${name}/status`, 'merge-patch+json', {
      status: { loadBalancer: { ingress } },
    })

  it('an address gets a default ipMode (reference 2.5)', async () => {
    const ingress = [{ ip: '1.2.3.4' }, { hostname: 'a.b' }, { ip: '::1', ipMode: 'Proxy' }]
    const answer = await balance('loadbalancer', ingress)
    expect([answer.status, answer.field('status', 'loadBalancer', 'ingress')]).to.deep.equal([
      200,
      [{ ip: '1.2.3.4', ipMode: 'VIP' }, { hostname: 'a.b' }, { ip: '::1', ipMode: 'Proxy' }],
    ])
  })

  it('a service without load balancers has none: 422 (reference 2.5)', async () => {
    const answer = await balance('nodeport', [{ ip: '1.2.3.4' }])
    expect([answer.status, answer.field('message')]).to.deep.equal([
      422,
      'Service "nodeport" is invalid: status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is \'LoadBalancer\'',
    ])
    expect((await balance('nodeport', [])).status).to.equal(200)
  })

  const refused: [balancer: object, field: string, message: string][] = [
    [
      { ip: 'x' },
      'ip',
      'Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      { hostname: '1.2.3.4' },
      'hostname',
      'Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ],
    [
      { ip: '1.2.3.4', ipMode: 'Foo' },
      'ipMode',
      'Unsupported value: "Foo": supported values: "Proxy", "VIP"',
    ],
    [
      { hostname: 'x', ipMode: 'VIP' },
      'ipMode',
      'Forbidden: may not be specified when `ip` is not set',
    ],
  ]
  for (const [balancer, field, message] of refused) {
    it(`${field}: ${message} (reference 2.5)`, async () => {
      const answer = await balance('loadbalancer', [balancer])
      const [cause] = (answer.field('details', 'causes') ?? []) as Record<string, string>[]
      expect([answer.status, cause?.['field'], cause?.['message']]).to.deep.equal([
        422,
        `status.loadBalancer.ingress[0].${field}`,
        message,
      ])
    })
  }
})
