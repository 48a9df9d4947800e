import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestServer, type TestServer } from '../endpoints/support/testServer.ts'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { describeWithEtcd, EtcdServer } from '../support/etcd/etcdServer.ts'
import { waitUntil } from '../support/waitUntil.ts'

const namespace = '/api/v1/namespaces/default'
const hard = 40

describeWithEtcd('a quota at three servers over one etcd', (binary) => {
  let etcd: EtcdServer
  let folder: string
  let servers: TestServer[] = []

  before(async function () {
    this.timeout(120_000)
    etcd = await EtcdServer.start(binary)
    folder = await mkdtemp(join(tmpdir(), 'quota-'))
    const open = (name: string) =>
      openTestServer({
        storage: 'etcd',
        dataDir: join(folder, name),
        etcd: { servers: [etcd.endpoint] },
      })
    for (const name of ['a', 'b', 'c']) servers.push(await open(name))
  })
  after(async () => {
    await Promise.all(servers.map(({ running }) => running.stop()))
    await etcd.remove()
    await rm(folder, { recursive: true })
    servers = []
  })

  const adminOf = (n: number) => (servers[n % servers.length] as TestServer).admin
  const used = async (admin: HttpClient, quota: string, kind: string) => {
    const answer = await admin.get(`${namespace}/resourcequotas/${quota}`)
    return (answer.field('status', 'used') as Record<string, string> | undefined)?.[kind]
  }
  const limit = async (name: string, of: Record<string, string>, kind: string) => {
    const made = await adminOf(0).post(`${namespace}/resourcequotas`, {
      metadata: { name },
      spec: { hard: of },
    })
    expect(made.status).to.equal(201)
    for (const { admin } of servers)
      await waitUntil(async () => (await used(admin, name, kind)) !== undefined)
  }
  const count = async (path: string) =>
    ((await adminOf(1).get(path)).field('items') as unknown[]).length

  it('admits exactly its limit of objects from 64 callers while objects are deleted', async function () {
    this.timeout(90_000)
    await limit('objects', { 'count/secrets': String(hard) }, 'count/secrets')
    const path = `${namespace}/secrets`
    for (let round = 0; round < 2; round++) {
      const own = (n: number) => ({ metadata: { name: `s${round}-${n}` } })
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, n) => adminOf(n).post(path, own(n))),
      )
      const statuses = answers.map(({ status }) => status)
      expect(new Set(statuses)).to.deep.equal(new Set([201, 403]))
      expect(statuses.filter((status) => status === 201).length).to.equal(
        round === 0 ? hard : hard / 2,
      )
      expect(await count(path)).to.equal(hard)
      // Half of the pods are deleted through all servers, which frees their quota.
      const items = (await adminOf(2).get(path)).field('items') as { metadata: { name: string } }[]
      const gone = items.slice(0, hard / 2).map(({ metadata }) => metadata.name)
      await Promise.all(gone.map((name, n) => adminOf(n).delete(`${path}/${name}`)))
      await waitUntil(
        async () => (await used(adminOf(round), 'objects', 'count/secrets')) === `${hard / 2}`,
      )
    }
  })

  it('never exceeds its limit while objects are created and deleted on all servers', async function () {
    this.timeout(90_000)
    const allowed = 5
    await limit('few', { 'count/configmaps': String(allowed) }, 'count/configmaps')
    const path = `${namespace}/configmaps`
    let most = 0
    let made = 0
    const caller = async (n: number) => {
      const admin = adminOf(n)
      // The quota of deleted pods is freed a little later.
      for (let own = 0; own < 2;) {
        const name = `c${n}-${own}`
        const { status } = await admin.post(path, { metadata: { name } })
        expect(status).to.be.oneOf([201, 403])
        if (status === 403) {
          await pause(10)
          continue
        }
        own++
        made++
        most = Math.max(most, await count(path))
        expect((await adminOf(n + 1).delete(`${path}/${name}`)).status).to.equal(200)
      }
    }
    await Promise.all(Array.from({ length: 9 }, (_, n) => caller(n)))
    expect(made).to.be.greaterThan(allowed)
    expect(most).to.be.at.most(allowed)
    // Only the config map with the certificate authority is left.
    await waitUntil(async () => (await used(adminOf(0), 'few', 'count/configmaps')) === '1')
  })

  it('charges a service once, even when its write is retried', async function () {
    this.timeout(90_000)
    await limit('services', { services: '11' }, 'services')
    const path = `${namespace}/services`
    const before = await count(path)
    const service = (n: number) => ({
      metadata: { name: `service-${n}` },
      spec: { ports: [{ port: 80 }] },
    })
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => adminOf(n).post(path, service(n))),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201).length).to.equal(11 - before)
    expect(await count(path)).to.equal(11)
    expect(await used(adminOf(2), 'services', 'services')).to.equal('11')
  })
})
