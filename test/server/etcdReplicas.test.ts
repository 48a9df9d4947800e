import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientOf, management, openTestServer, users } from '../endpoints/support/testServer.ts'
import type { TestServer } from '../endpoints/support/testServer.ts'
import { definitionsPath, widgetDefinition, widgetsPath } from '../support/definitions.ts'
import { describeWithEtcd, EtcdServer } from '../support/etcd/etcdServer.ts'
import { waitUntil } from '../support/waitUntil.ts'

const keys = `${management}/ownedaccesskeys`
const configMaps = '/api/v1/namespaces/default/configmaps'

describeWithEtcd('two servers over one etcd', (binary) => {
  let etcd: EtcdServer
  let folder: string
  let one: TestServer
  let two: TestServer

  before(async () => {
    etcd = await EtcdServer.start(binary)
    folder = await mkdtemp(join(tmpdir(), 'replicas-'))
    const options = {
      storage: 'etcd',
      dataDir: join(folder, 'data'),
      adminAccessKey: 'the-key-of-both',
      etcd: { servers: [etcd.endpoint] },
    } as const
    one = await openTestServer(options)
    two = await openTestServer(options)
  })
  after(async () => {
    await Promise.all([one.running.stop(), two.running.stop()])
    await etcd.remove()
    await rm(folder, { recursive: true })
  })

  it("read each other's writes at once, and refuse stale ones", async () => {
    for (let i = 0; i < 20; i++) {
      const [near, far] = i % 2 === 0 ? [one.admin, two.admin] : [two.admin, one.admin]
      const path = `${configMaps}/c${i}`
      const made = await near.post(configMaps, { metadata: { name: `c${i}` } })
      const read = await far.get(path)
      const list = await far.get(`${configMaps}?labelSelector=!none&limit=500`)
      const changed = await far.put(path, { ...(read.json as object), data: { a: 'b' } })
      const stale = await near.put(path, { ...(made.json as object), data: { a: 'c' } })
      const again = await near.put(path, { ...(changed.json as object), data: { a: 'd' } })
      const gone = await far.delete(path)
      const missing = await near.get(path)
      expect(list.text).to.contain(`"c${i}"`)
      const answers = [made, read, list, changed, stale, again, gone, missing]
      expect(answers.map(({ status }) => status)).to.deep.equal([
        ...[201, 200, 200, 200, 409, 200, 200, 404],
      ])
    }
  })

  it('do not report AlreadyExists for a create that etcd had no space for', async () => {
    const call = async (path: string, body: object): Promise<unknown> => {
      const answer = await fetch(`${etcd.endpoint}/v3/maintenance/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      return answer.json()
    }
    const { header } = (await call('status', {})) as { header: { member_id: string } }
    const alarm = { memberID: header.member_id, alarm: 'NOSPACE' }
    await call('alarm', { action: 'ACTIVATE', ...alarm })
    const creates = Array.from({ length: 16 }, () =>
      one.admin.post(configMaps, { metadata: { name: 'no-space' } }),
    )
    const answers = await Promise.all(creates)
    await call('alarm', { action: 'DEACTIVATE', ...alarm })
    const texts = answers.map(({ text }) => (text.includes('space exceeded') ? 'no space' : text))
    expect(new Set(texts)).to.deep.equal(new Set(['no space']))
    expect((await one.admin.get(`${configMaps}/no-space`)).status).to.equal(404)
  })

  it('serve a kind defined on the other, and objects in its new namespaces', async () => {
    const definition = widgetDefinition({ properties: {} })
    expect((await one.admin.post(definitionsPath, definition)).status).to.equal(201)
    await waitUntil(async () => (await two.admin.get(widgetsPath)).status === 200)
    await one.admin.post('/api/v1/namespaces', { metadata: { name: 'shared' } })
    const inside = await two.admin.post('/api/v1/namespaces/shared/secrets', {
      metadata: { name: 's' },
    })
    expect(inside.status).to.equal(201)
  })

  it('accept a key created on the other, until the other removes it', async () => {
    await one.admin.post(users, { metadata: { name: 'bob' }, spec: { subject: 'bob' } })
    const spec = { user: 'bob', type: 'User' }
    const made = await one.admin.post(keys, { metadata: { name: 'bob' }, spec })
    const there = clientOf(two.running, String(made.field('spec', 'key')))
    const self = `${management}/selves`
    await waitUntil(async () => (await there.post(self, {})).status === 201)
    await one.admin.delete(`${keys}/bob`)
    await waitUntil(async () => (await there.post(self, {})).status === 401)
  })

  it("report the other's writes in watches", async () => {
    const url = `${two.running.insecureUrl}${configMaps}?watch=true`
    const abort = new AbortController()
    const headers = { authorization: 'Bearer the-key-of-both' }
    const response = await fetch(url, { headers, signal: abort.signal })
    await one.admin.post(configMaps, { metadata: { name: 'watched' } })
    let seen = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      // Bodies of fetch consist of bytes.
      seen += decoder.decode(chunk as Uint8Array)
      if (seen.includes('"watched"')) break
    }
    abort.abort()
    expect(seen).to.match(/"type":"ADDED".*"name":"watched"/)
  })

  const services = '/api/v1/namespaces/default/services'
  const service = (name: string, port: object) => ({
    metadata: { name },
    spec: { type: 'NodePort', ports: [{ port: 80, ...port }] },
  })

  it('give a requested port or user name to one of them, and the other reports the owner', async () => {
    for (let round = 0; round < 15; round++) {
      const port = { nodePort: 31_000 + round }
      const ports = await Promise.all([
        one.admin.post(services, service(`one-${round}`, port)),
        two.admin.post(services, service(`two-${round}`, port)),
      ])
      expect(ports.map(({ status }) => status).sort()).to.deep.equal([201, 422])
      const spec = { subject: `same-${round}`, username: `same-${round}` }
      const accounts = await Promise.all([
        one.admin.post(users, { metadata: { name: `one-${round}` }, spec }),
        two.admin.post(users, { metadata: { name: `two-${round}` }, spec }),
      ])
      expect(accounts.map(({ status }) => status).sort()).to.deep.equal([201, 409])
    }
  })

  it('allocate each address and port once under concurrent creates', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `s${index}`)
    const made = await Promise.all(
      names.map((name, index) =>
        (index % 2 === 0 ? one : two).admin.post(services, service(name, {})),
      ),
    )
    expect(new Set(made.map(({ status }) => status))).to.deep.equal(new Set([201]))
    for (const path of [
      ['spec', 'clusterIP'],
      ['spec', 'ports', 0, 'nodePort'],
    ] as const) {
      expect(new Set(made.map((each) => each.field(...path))).size).to.equal(names.length)
    }
  })
})
