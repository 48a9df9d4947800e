import { expect } from 'chai'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { openPlane } from '../../../syncer/client/openPlane.ts'
import type { PlaneClient } from '../../../syncer/client/planeClient.ts'
import { readSyncConfig } from '../../../syncer/config/syncConfig.ts'
import { Syncer } from '../../../syncer/engine/syncer.ts'
import { endpointsRules } from '../../../syncer/rules/endpointsRules.ts'
import { servicesRules } from '../../../syncer/rules/servicesRules.ts'
import { turns } from '../../support/eventually.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakePlane } from './fakePlane.ts'

const never = () => new Promise<never>(() => undefined)
const runtime = {
  evaluate: () => Promise.resolve([]),
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

/** Plane on which one type of call gets no response. */
class StuckPlane extends FakePlane {
  constructor(stuck: keyof PlaneClient) {
    super({ chance: () => 1, rate: 0 })
    Object.assign(this, { [stuck]: never })
  }
}

describe('a syncer of an unresponsive plane', () => {
  const clock = new FakeClock()
  const synced = (virtual: PlaneClient, host: PlaneClient) =>
    new Syncer({
      ...{ clock, virtual, host, runtime, config: readSyncConfig(undefined) },
      ...{ name: 'suffix', hostNamespace: 'host', domain: 'platform', report: () => undefined },
      random: { fraction: () => 0.5, uuid: () => '', bytes: (n: number) => Buffer.alloc(n) },
      ...{ missingExpression: 'keep', concurrency: 3 },
    })

  for (const call of ['list', 'watch', 'get', 'create', 'replace', 'delete'] as const) {
    for (const side of ['virtual', 'host'] as const) {
      it(`stops in bounded time while a ${call} of the ${side} plane gets no response`, async () => {
        const fine = new FakePlane({ chance: () => 1, rate: 0 })
        const stuck = new StuckPlane(call)
        const [virtual, host] = side === 'virtual' ? [stuck, fine] : [fine, stuck]
        fillPlanes(virtual, host)
        const syncer = synced(virtual, host)
        void syncer.start()
        await turns(20)
        let isStopped = false
        const stopping = syncer.stop().then(() => (isStopped = true))
        for (let at = 0; at < 25 && !isStopped; at++) {
          await turns(5)
          clock.advance(1_000)
        }
        expect(isStopped).to.equal(true)
        await stopping
        expect(clock.timers).to.equal(0)
      })
    }
  }
})

/** Creates objects for which the first pass creates, replaces and deletes. */
function fillPlanes(virtual: FakePlane, host: FakePlane): void {
  const object = (kind: string, metadata: object = {}) => ({ apiVersion: 'v1', kind, metadata })
  const { resource: services } = servicesRules
  for (const name of ['new', 'old']) {
    const place = { name, namespace: 'default' }
    virtual.put(services, place, { ...object('Service'), spec: {} })
    virtual.put(endpointsRules.resource, place, object('Endpoints'))
  }
  const labels = { 'vcluster.platform/managed-by': 'suffix' }
  for (const [name, of] of [
    ['old-x-default-x-suffix', 'old'],
    ['gone-x-default-x-suffix', 'gone'],
  ] as const) {
    const annotations = {
      'vcluster.platform/object-name': of,
      'vcluster.platform/object-namespace': 'default',
    }
    host.put(services, { name, namespace: 'host' }, object('Service', { labels, annotations }))
  }
}

describe('the client of a plane that accepts connections and never responds', () => {
  let server: Server
  let client: PlaneClient
  const { resource } = servicesRules

  beforeEach(async () => {
    server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on TCP
    client = await openPlane({ url: `http://127.0.0.1:${port}`, token: 't' }, realClock)
  })
  afterEach(() => {
    client.close()
    server.closeAllConnections()
    server.close()
  })

  const abortSoon = () => {
    const stopped = new AbortController()
    setImmediate(() => setImmediate(() => stopped.abort(new Error('stopped'))))
    return stopped.signal
  }

  it('aborts a list by its signal', async () => {
    const error: unknown = await client
      .list(resource, { namespace: undefined }, abortSoon())
      .catch((failure: unknown) => failure)
    expect(String(error)).to.equal('Error: stopped')
  })

  it('aborts a watch by its signal', async () => {
    const from = { namespace: undefined, resourceVersion: '1', signal: abortSoon() }
    await client.watch(resource, from, () => undefined)
  })

  it('aborts all requests when it is closed', async () => {
    const place = { name: 'a', namespace: 'b' }
    const asked = Array.from({ length: 20 }, () => client.get(resource, place))
    const failures = Promise.allSettled(asked)
    setImmediate(() => client.close())
    const reasons = (await failures).map((one) => one.status === 'rejected' && String(one.reason))
    expect(new Set(reasons)).to.deep.equal(new Set(['Error: the client of the plane was closed']))
  })
})
