import { expect } from 'chai'
import { setTimeout as pause } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { ControlPlane } from '../../../apiserver/controlPlane/controlPlane.ts'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { useTestServer } from '../../endpoints/support/testServer.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { clusterBase, instanceBase, instances, makePlanes } from './planeServer.ts'

const names = ['a', 'b', 'c', 'd']

describe('virtual clusters that are synced, and deleted', function () {
  this.timeout(60_000)
  const server = useTestServer()
  let admin: HttpClient
  const copyOf = (name: string) =>
    `${clusterBase('one')}/api/v1/namespaces/team/endpoints/db-x-default-x-${name}`
  const isCopied = async (name: string) => (await admin.get(copyOf(name))).status === 200

  before(async () => {
    admin = server().admin
    await makePlanes(admin, { hosts: ['one'] })
    // Several instances are synced to it, so it belongs to none of them.
    await admin.post(`${clusterBase('one')}/api/v1/namespaces`, { metadata: { name: 'team' } })
    // Objects created for the first instance remain for all.
    await makeSynced('warm')
    await remove('warm')
  })

  async function makeSynced(name: string): Promise<void> {
    const clusterRef = { cluster: 'one', namespace: 'team' }
    await admin.post(instances, { metadata: { name }, spec: { clusterRef } })
    const inside = `${instanceBase(name)}/api/v1/namespaces/default`
    const metadata = { name: 'db' }
    await admin.post(`${inside}/services`, { metadata, spec: { clusterIP: 'None' } })
    const subsets = [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 1 }] }]
    await admin.post(`${inside}/endpoints`, { metadata, subsets })
    await waitUntil(() => isCopied(name))
  }

  async function remove(name: string): Promise<void> {
    await admin.delete(`${instances}/${name}`)
    await waitUntil(async () => !(await isCopied(name)))
  }

  it('end their watches, close their connections and can be garbage-collected', async () => {
    const before = await inMemory()
    // Other tests of the process may have left some.
    const socketsBefore = openSockets()
    for (const name of names) await makeSynced(name)
    // Services and Endpoints on both sides.
    expect(await openWatches()).to.equal(4 * names.length)
    expect(openSockets()).to.be.greaterThan(4 * names.length)
    for (const name of names) await remove(name)
    await waitUntil(async () => (await openWatches()) === 0)
    await waitUntil(() => openSockets() <= Math.max(2, socketsBefore))
    const left = await inMemory()
    // Fewer if something of an earlier test was released in the meantime.
    expect(left.planes).to.be.at.most(before.planes)
    expect(left.clients).to.be.at.most(before.clients)
  })

  /** Memory use after a garbage collection. */
  async function inMemory() {
    const { HttpPlaneClient } = await import('../../../syncer/client/httpPlaneClient.ts')
    await pause(50)
    return {
      planes: queryObjects(ControlPlane, { format: 'count' }),
      clients: queryObjects(HttpPlaneClient, { format: 'count' }),
    }
  }

  /** Number of open sockets, counting both ends. */
  function openSockets(): number {
    return process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length
  }

  async function openWatches(): Promise<number> {
    const { text } = await admin.get('/metrics')
    const lines = text.matchAll(/^apiserver_longrunning_requests\{[^}]*\} (\d+)$/gm)
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0)
  }
})
