import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestServer, type TestServer } from '../../endpoints/support/testServer.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { clusterBase, instanceBase, instances, makePlanes, namesOf } from './planeServer.ts'

const inside = `${instanceBase('web')}/api/v1/namespaces/default`
const host = `${clusterBase('one')}/api/v1/namespaces/team`
const nameOf = (at: number) => `n-${at}`
const copyOf = (name: string) => `${name}-x-default-x-web`
const subsets = (ip: string) => [{ addresses: [{ ip }], ports: [{ port: 1 }] }]

describe('a synced instance after a restart', function () {
  this.timeout(30_000)
  let folder: string
  let server: TestServer

  const start = async () => {
    server = await openTestServer({ storage: 'level', dataDir: join(folder, 'data') })
  }
  const restart = async () => {
    await server.running.stop()
    await start()
  }
  const get = (path: string) => server.admin.get(path)
  const isThere = async (path: string) => (await get(path)).status === 200
  const ipOf = async (path: string) => (await get(path)).field('subsets', 0, 'addresses', 0, 'ip')
  const copies = async () => {
    const names = await namesOf(server.admin, `${host}/endpoints`)
    return names.filter((name) => name.endsWith('-x-web')).sort()
  }

  async function makePair(name: string): Promise<void> {
    const metadata = { name }
    await server.admin.post(`${inside}/services`, { metadata, spec: { clusterIP: 'None' } })
    await server.admin.post(`${inside}/endpoints`, { metadata, subsets: subsets('10.1.2.3') })
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sync-'))
    await start()
    await makePlanes(server.admin, { hosts: ['one'] })
    const clusterRef = { cluster: 'one', namespace: 'team' }
    await server.admin.post(instances, { metadata: { name: 'web' }, spec: { clusterRef } })
  })
  after(async () => {
    await server.running.stop()
    await rm(folder, { recursive: true })
  })

  it('resumes with one copy of each object, and keeps other objects', async () => {
    const names = Array.from({ length: 20 }, (_, at) => nameOf(at)).sort()
    await Promise.all(names.slice(0, 5).map(makePair))
    await waitUntil(async () => (await copies()).length === 5)
    await server.admin.post(`${host}/endpoints`, { metadata: { name: 'of-another' } })
    const burst = names.slice(5).map(makePair)
    await waitUntil(async () => (await copies()).length > 5)
    await Promise.all(burst)
    // Nothing waits for the syncer, which is still working.
    await server.admin.delete(`${inside}/endpoints/${names[0]}`)
    await restart()
    // The host's plane, and so its syncer, opens earlier than that of the virtual cluster.
    const edited = { subsets: subsets('10.7.7.7') }
    await server.admin.patch(`${host}/endpoints/${copyOf('n-1')}`, 'merge-patch+json', edited)
    await server.admin.delete(`${host}/endpoints/${copyOf('n-2')}`)
    const wanted = names.slice(1).map(copyOf).sort()
    await waitUntil(async () => String(await copies()) === String(wanted))
    await waitUntil(async () => (await ipOf(`${host}/endpoints/${copyOf('n-1')}`)) === '10.1.2.3')
    expect(await namesOf(server.admin, `${inside}/endpoints`)).to.include.members(names.slice(1))
    expect(await isThere(`${host}/endpoints/of-another`)).to.equal(true)
  })

  it('removes from the host what was deleted with an instance right after the restart', async () => {
    await restart()
    expect((await copies()).length).to.be.greaterThan(0)
    await server.admin.delete(`${instances}/web`)
    await waitUntil(async () => (await copies()).length === 0)
    await waitUntil(async () => !(await isThere(`${host}/services/${copyOf('n-3')}`)))
    expect(await isThere(`${host}/endpoints/of-another`)).to.equal(true)
  })
})
