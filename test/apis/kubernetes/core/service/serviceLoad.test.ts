import { expect } from 'chai'
import type { ApiObject } from '../../../../../apiserver/meta/types.ts'
import type { Store } from '../../../../../apiserver/registry/store.ts'
import { BuiltInKinds } from '../../../../support/builtInKinds.ts'
import { clientContext, dryRun } from '../../../../support/contexts.ts'
import { deadline } from '../../../../support/deadlines.ts'
import { refusal } from '../../../../support/refusal.ts'
import { create, nameOf, put } from '../../../../support/stores.ts'

function service(name: string, spec: Record<string, unknown>): ApiObject {
  const metadata = { name, namespace: 'default' }
  return { kind: 'Service', apiVersion: 'v1', metadata, spec }
}

function nodePort(name: string, port?: number): ApiObject {
  const ports = [{ port: 80, ...(port !== undefined && { nodePort: port }) }]
  return service(name, { type: 'NodePort', ports })
}

function manyPorts(count: number): { name: string; port: number }[] {
  return Array.from({ length: count }, (_, at) => ({ name: `p${at}`, port: at + 1 }))
}

/** Service that needs nearly all node ports. */
function largeService(): ApiObject {
  return service('large', { type: 'NodePort', ports: manyPorts(2_600) })
}

function portsOf(object: ApiObject): (number | undefined)[] {
  // What was sent has ports.
  const { ports } = object['spec'] as { ports: { nodePort?: number }[] }
  return ports.map((port) => port.nodePort)
}

async function expectSoon(ms: number, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await work()
  expect(performance.now() - began).to.be.lessThan(deadline(ms))
}

describe('allocation for services', () => {
  let kinds: BuiltInKinds
  let services: Store

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
    services = kinds.store('Service')
    await create(services, nodePort('first'))
  })

  afterEach(() => kinds.close())

  it('finds a free node port soon although one service holds nearly all', async () => {
    const large = portsOf(await create(services, largeService()))
    await expectSoon(100, async () => {
      for (let at = 0; at < 8; at++) {
        const [port] = portsOf(await create(services, nodePort(`s${at}`)))
        expect(large).not.to.include(port)
      }
    })
  }).timeout(120_000)

  it('gives each of many ports a node port of its own soon', async () => {
    const large = largeService()
    await expectSoon(250, async () => {
      for (let at = 0; at < 10; at++) {
        const ports = portsOf(await create(services, large, dryRun))
        expect(new Set(ports).size).to.equal(2_600)
        expect(ports).not.to.include(undefined)
      }
    })
  }).timeout(60_000)

  it('takes no node port that the service requests for a later port', async () => {
    const [own] = portsOf(await create(services, nodePort('a')))
    await services.delete({ name: 'a', namespace: 'default' }, {}, clientContext())
    const last = { name: 'last', port: 9_000, nodePort: own }
    const spec = { type: 'NodePort', ports: [...manyPorts(2_600), last] }
    const found = portsOf(await create(services, service('large', spec)))
    expect(new Set(found).size).to.equal(2_601)
    expect(found.at(-1)).to.equal(own)
  }).timeout(60_000)

  it('refuses only the node ports that the newest version of a service holds', async () => {
    const holder = await create(services, nodePort('a', 30_100))
    expect((await refusal(create(services, nodePort('b', 30_100)))).code).to.equal(422)
    const { clusterIP } = holder['spec'] as { clusterIP: string }
    const moved = nodePort('a', 30_101)
    const writes = [
      put(services, { ...moved, spec: { ...(moved['spec'] as object), clusterIP } }),
      refusal(create(services, nodePort('b', 30_101))),
      create(services, nodePort('c', 30_100)),
    ] as const
    await Promise.all(writes)
    expect((await writes[1]).code).to.equal(422)
    expect(portsOf(await writes[2])).to.deep.equal([30_100])
    await services.delete(nameOf(holder), {}, clientContext())
    await create(services, nodePort('a', 30_102))
    expect(portsOf(await create(services, nodePort('b', 30_101)))).to.deep.equal([30_101])
  })

  describe('with many large ServiceCIDRs', () => {
    beforeEach(async () => {
      const annotations = { 'test.dev/list': '\\"'.repeat(60_000) }
      for (let at = 0; at < 100; at++) {
        await create(kinds.store('ServiceCIDR'), {
          kind: 'ServiceCIDR',
          apiVersion: 'networking.k8s.io/v1',
          metadata: { name: `range${at}`, annotations },
          spec: { cidrs: [`192.168.${at}.0/24`] },
        })
      }
    })

    it('writes a service that keeps its address soon', async () => {
      const made = await create(services, service('s', { ports: [{ port: 80 }] }))
      await expectSoon(100, async () => {
        for (let port = 100; port < 150; port++) {
          const spec = { ...(made['spec'] as object), ports: [{ port }] }
          const { name, namespace } = made.metadata
          await put(services, { ...made, metadata: { name, namespace }, spec } as ApiObject)
        }
      })
    }).timeout(120_000)

    it('gives many services an address soon, also after a range was removed', async () => {
      await create(services, service('s', { ports: [{ port: 80 }] }))
      await expectSoon(100, async () => {
        for (let at = 2; at < 52; at++) {
          const clusterIP = `192.168.7.${at}`
          await create(services, service(`s${at}`, { ports: [{ port: 80 }], clusterIP }))
        }
      })
      const target = { name: 'range7', namespace: '' }
      await kinds.store('ServiceCIDR').delete(target, {}, clientContext())
      const late = service('late', { ports: [{ port: 80 }], clusterIP: '192.168.7.99' })
      expect((await refusal(create(services, late))).code).to.equal(422)
    }).timeout(120_000)
  })
})
