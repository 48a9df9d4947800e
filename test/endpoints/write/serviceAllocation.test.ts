import { expect } from 'chai'
import { clusterBase, makePlanes } from '../../server/planes/planeServer.ts'
import type { Answer, HttpClient } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const services = '/api/v1/namespaces/default/services'

interface Spec {
  clusterIP?: string
  clusterIPs?: string[]
  type?: string
  externalTrafficPolicy?: string
  healthCheckNodePort?: number
  allocateLoadBalancerNodePorts?: boolean
  ports?: { name?: string; port: number; protocol?: string; nodePort?: number }[]
}

describe('addresses and ports of services', () => {
  const server = useTestServer()
  let admin: HttpClient
  let made = 0

  before(() => {
    admin = server().admin
  })

  const newName = () => `s${++made}`
  const make = (spec: Spec, name = newName(), query = '') =>
    admin.post(services + query, { metadata: { name }, spec })
  const specOf = (answer: Answer): Spec => {
    expect(answer.status, answer.text).to.be.oneOf([200, 201])
    return answer.field('spec') as Spec
  }
  const created = async (spec: Spec, name?: string) => specOf(await make(spec, name))
  const change = async (name: string, spec: object) =>
    specOf(await admin.patch(`${services}/${name}`, 'merge-patch+json', { spec }))
  const nodePortsOf = ({ ports = [] }: Spec) => ports.map(({ nodePort }) => nodePort)
  const refused = (answer: Answer) => {
    const text = String(answer.field('message'))
    return [answer.status, text.slice(text.indexOf('is invalid: ') + 'is invalid: '.length)]
  }

  it('are unique for many concurrent creates', async () => {
    const ports = [{ port: 80 }]
    const all = await Promise.all(
      Array.from({ length: 300 }, () => created({ type: 'NodePort', ports })),
    )
    expect(new Set(all.map(({ clusterIP }) => clusterIP)).size).to.equal(300)
    const taken = all.flatMap(nodePortsOf)
    expect(new Set(taken).size).to.equal(300)
    expect(taken.every((port = 0) => port >= 30_000 && port <= 32_767)).to.equal(true)
  })

  it('each port has a node port, and protocols of one port share it', async () => {
    const ports = [
      { name: 'a', port: 53, protocol: 'TCP' },
      { name: 'b', port: 53, protocol: 'UDP' },
      { name: 'c', port: 80 },
    ]
    const [tcp, udp, web] = nodePortsOf(await created({ type: 'LoadBalancer', ports }))
    expect(tcp).to.equal(udp)
    expect(web).to.not.equal(tcp)
  })

  it('a load balancer may go without node ports, and has a health check port if its traffic is local', async () => {
    const ports = [{ port: 80 }]
    const none = await created({
      type: 'LoadBalancer',
      ports,
      allocateLoadBalancerNodePorts: false,
    })
    expect(nodePortsOf(none)).to.deep.equal([undefined])
    const local = await created({ type: 'LoadBalancer', ports, externalTrafficPolicy: 'Local' })
    expect(local.allocateLoadBalancerNodePorts).to.equal(true)
    expect(local.healthCheckNodePort).to.be.within(30_000, 32_767)
    expect(local.healthCheckNodePort).to.not.equal(local.ports?.[0]?.nodePort)
  })

  it('an address or port in use is refused with 422, and free again after its release', async () => {
    const name = newName()
    const ports = [{ port: 80, nodePort: 30_001 }]
    await created({ type: 'NodePort', clusterIP: '10.96.0.77', ports }, name)
    expect(refused(await make({ type: 'NodePort', ports }))).to.deep.equal([
      422,
      'spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated',
    ])
    expect(refused(await make({ clusterIP: '10.96.0.77', ports: [{ port: 80 }] }))).to.deep.equal([
      422,
      'spec.clusterIPs: Invalid value: ["10.96.0.77"]: failed to allocate IP 10.96.0.77: provided IP is already allocated',
    ])
    await admin.delete(`${services}/${name}`)
    await created({ type: 'NodePort', clusterIP: '10.96.0.77', ports })
  })

  it('a node port out of range is refused: 422', async () => {
    const ports = [{ port: 80, nodePort: 80 }]
    expect(refused(await make({ type: 'NodePort', ports }))).to.deep.equal([
      422,
      'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    ])
  })

  it('a failed write reserves nothing', async () => {
    const ports = [{ port: 80, nodePort: 30_002 }]
    const name = newName()
    expect((await make({ type: 'NodePort', ports }, name, '?dryRun=All')).status).to.equal(201)
    const wrong = { type: 'NodePort', ports, externalTrafficPolicy: 'Local', sessionAffinity: 'x' }
    expect((await make(wrong, name)).status).to.equal(422)
    await created({ type: 'NodePort', ports })
  })

  it('an update keeps omitted values', async () => {
    const name = newName()
    const ports = [{ name: 'a', port: 80 }]
    const [first] = nodePortsOf(await created({ type: 'NodePort', ports }, name))
    const more = [{ name: 'b', port: 81 }, ...ports]
    const [second, again] = nodePortsOf(await change(name, { ports: more }))
    expect(again).to.equal(first)
    expect(second).to.not.equal(first)
    const balanced = await change(name, { type: 'LoadBalancer' })
    expect(nodePortsOf(balanced)).to.deep.equal([second, first])
  })

  it('changing to a type without node ports releases them, with the other fields of the old type', async () => {
    const name = newName()
    const made = await created({ type: 'LoadBalancer', ports: [{ port: 80 }] }, name)
    const [port = 0] = nodePortsOf(made)
    const inside = await change(name, { type: 'ClusterIP' })
    expect(nodePortsOf(inside)).to.deep.equal([undefined])
    expect(inside).to.not.have.any.keys('externalTrafficPolicy', 'allocateLoadBalancerNodePorts')
    expect(inside.clusterIP).to.equal(made.clusterIP)
    await created({ type: 'NodePort', ports: [{ port: 80, nodePort: port }] })
    const away = await change(name, { type: 'ExternalName', externalName: 'x.dev' })
    expect(away).to.not.have.any.keys('clusterIP', 'clusterIPs')
    await created({ clusterIP: made.clusterIP ?? '', ports: [{ port: 80 }] })
  })

  it('a headless service reserves no address', async () => {
    await created({ clusterIP: 'None' })
    await created({ clusterIP: 'None' })
  })

  it('each control plane has its own range', async () => {
    await makePlanes(admin, { hosts: ['one'] })
    const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_003 }] }
    await created(spec)
    const metadata = { name: 'here' }
    const there = await admin.post(`${clusterBase('one')}${services}`, { metadata, spec })
    expect(there.status, there.text).to.equal(201)
    const again = await admin.post(`${clusterBase('one')}${services}`, {
      metadata: { name: 'again' },
      spec,
    })
    expect(again.status).to.equal(422)
  })
})
