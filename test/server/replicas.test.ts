import { expect } from 'chai'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readBackup } from '../../apiserver/storage/backup/readBackup.ts'
import { management, users } from '../endpoints/support/testServer.ts'
import { HttpClient } from '../endpoints/support/httpClient.ts'
import { definitionsPath, widgetDefinition, widgetsPath } from '../support/definitions.ts'
import { describeWithEtcd, EtcdServer } from '../support/etcd/etcdServer.ts'
import { ServerProcess } from '../support/serverProcess.ts'
import { TcpBalancer } from '../support/etcd/tcpBalancer.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { deadline } from '../support/deadlines.ts'

const keys = `${management}/ownedaccesskeys`
const accounts = '/api/v1/namespaces/default/serviceaccounts'
const configMaps = '/api/v1/namespaces/default/configmaps'
const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/platform-controllers'

describeWithEtcd('three servers over one etcd', (binary) => {
  let etcd: EtcdServer
  let folder: string
  let backups: string
  let replicas: ServerProcess[] = []
  let admins: HttpClient[]

  before(async function () {
    this.timeout(120_000)
    etcd = await EtcdServer.start(binary)
    folder = await mkdtemp(join(tmpdir(), 'replicas-'))
    backups = join(folder, 'backups')
    const ofEtcd = ['--storage', 'etcd', '--etcd-servers', etcd.endpoint]
    const ofBackups = ['--backup-dir', backups, '--backup-interval', '1s', '--backup-keep', '3']
    const start = (name: string) => ServerProcess.start(join(folder, name), ...ofEtcd, ...ofBackups)
    replicas = await Promise.all(['a', 'b', 'c'].map(start))
    admins = await Promise.all(replicas.map((replica) => replica.admin()))
  })
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.end('SIGKILL')))
    await etcd.remove()
    await rm(folder, { recursive: true })
  })

  const pairs = () => admins.flatMap((near) => admins.map((far) => ({ near, far })))
  const holder = async (): Promise<string> => {
    const answers = await Promise.all(
      admins.map((admin) => admin.get(lease).catch(() => undefined)),
    )
    const answer = answers.find((one) => one?.status === 200)
    return answer?.field('spec', 'holderIdentity') as string
  }
  it('have the same administrator and authority after a simultaneous start', async () => {
    for (const name of ['admin-access-key', 'pki/ca.crt', 'pki/ca.key']) {
      const contents = await Promise.all(
        ['a', 'b', 'c'].map((each) => readFile(join(folder, each, name), 'utf8')),
      )
      expect(new Set(contents).size, name).to.equal(1)
    }
    const answers = await Promise.all(admins.map((admin) => admin.get(users)))
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200])
  })

  it("accept each other's tokens from the first request on", async () => {
    await admins[0]?.post(accounts, { metadata: { name: 'robot' } })
    for (const { near, far } of pairs()) {
      const made = await near.post(`${accounts}/robot/token`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      })
      const reviewed = await far.post('/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: made.field('status', 'token') },
      })
      expect(reviewed.field('status', 'authenticated'), reviewed.text).to.equal(true)
    }
  })

  it('create objects in a namespace that another server has just created', async () => {
    for (const [turn, { near, far }] of pairs().entries()) {
      const name = `new-${turn}`
      await near.post('/api/v1/namespaces', { metadata: { name } })
      const made = await far.post(`/api/v1/namespaces/${name}/configmaps`, {
        metadata: { name: 'one' },
      })
      expect(made.status, made.text).to.equal(201)
    }
  })

  it('end the watches of a revoked key within a second, on every server', async () => {
    await admins[0]?.post(users, { metadata: { name: 'bob' }, spec: { subject: 'bob' } })
    const made = await admins[0]?.post(keys, {
      metadata: { name: 'bob' },
      spec: { user: 'bob', type: 'User' },
    })
    const token = String(made?.field('spec', 'key'))
    const path = `${keys}?watch=true&fieldSelector=metadata.name=bob`
    const watches = replicas.map((replica) => openWatch(replica.port, path, token))
    await Promise.all(watches.map(({ opened }) => opened))
    const begun = performance.now()
    await admins[1]?.delete(`${keys}/bob`)
    await Promise.all(watches.map(({ ended }) => ended))
    expect(performance.now() - begun).to.be.lessThan(deadline(500))
    const after = await Promise.all(
      replicas.map((replica) => replica.client(token).get('/api/v1/namespaces')),
    )
    expect(after.map(({ status }) => status)).to.deep.equal([401, 401, 401])
  })

  it('serve a custom kind on each of them before it is established', async () => {
    const definition = widgetDefinition({ properties: {} })
    expect((await admins[0]?.post(definitionsPath, definition))?.status).to.equal(201)
    const name = String((definition as { metadata: { name: string } }).metadata.name)
    await waitUntil(async () => {
      const read = await admins[0]?.get(`${definitionsPath}/${name}`)
      const conditions = (read?.field('status', 'conditions') ?? []) as {
        type: string
        status: string
      }[]
      return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
    })
    const answers = await Promise.all(admins.map((admin) => admin.get(widgetsPath)))
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200])
  })

  it('run scheduled backups on the leader only', async () => {
    await waitUntil(async () => (await wholeBackups(backups)).length >= 3)
    const metrics = await Promise.all(admins.map((admin) => admin.get('/metrics')))
    const leading = metrics.filter(({ text }) => /^platform_backup_last_size_bytes \d/m.test(text))
    expect(leading).to.have.length(1)
    const leader = await holder()
    expect(metrics[replicas.findIndex((one) => one.identity() === leader)]).to.equal(leading[0])
    expect(leading[0]?.text).to.match(/^platform_backup_failures_total 0$/m)
  })

  it('hand over at once if the leader stops, and within 15 seconds if it is killed', async function () {
    this.timeout(90_000)
    for (const [signal, ms] of [
      ['SIGTERM', 3_000],
      ['SIGKILL', 15_000],
      ['SIGSTOP', 15_000],
    ] as const) {
      const before = await holder()
      let moved = false
      for (const [index, replica] of replicas.entries()) {
        if (moved || replica.identity() !== before) continue
        const begun = performance.now()
        if (signal === 'SIGSTOP') replica.signal(signal)
        else await replica.end(signal)
        const others = admins.filter((_, other) => other !== index)
        for (let now = before; now === before || now === '';) {
          await setTimeout(50)
          now = String((await others[0]?.get(lease))?.field('spec', 'holderIdentity'))
        }
        expect(performance.now() - begun, signal).to.be.lessThan(deadline(ms))
        await cleansUp(others[0])
        if (signal === 'SIGSTOP') replica.signal('SIGCONT')
        else await replica.restart()
        moved = true
      }
      expect(moved, `the leader ${before} was found`).to.equal(true)
    }
  })

  /** Waits until the controllers of the new leader run. */
  async function cleansUp(admin: HttpClient | undefined): Promise<void> {
    await admin?.post('/api/v1/namespaces', { metadata: { name: 'short-lived' } })
    await admin?.post('/api/v1/namespaces/short-lived/configmaps', { metadata: { name: 'a' } })
    await admin?.delete('/api/v1/namespaces/short-lived')
    await waitUntil(
      async () => (await admin?.get('/api/v1/namespaces/short-lived'))?.status === 404,
    )
  }

  it('serve through a TCP balancer while killed in turn, and lose no write', async function () {
    this.timeout(120_000)
    const balancer = await TcpBalancer.open(replicas.map(({ port }) => port))
    const [{ headers }] = admins as [HttpClient]
    const client = new HttpClient(`http://127.0.0.1:${balancer.port}`, headers)
    const acknowledged: string[] = []
    const refused: string[] = []
    let isOver = false
    let count = 0
    const write = async () => {
      while (!isOver) {
        const name = `w${count++}`
        // Clients retry a broken connection and 503; a retried create may find its own object.
        for (let isDone = false; !isDone && !isOver;) {
          const answer = await client
            .post(configMaps, { metadata: { name } })
            .catch(() => undefined)
          if (answer === undefined || answer.status === 503 || answer.status === 429) {
            await setTimeout(20)
            continue
          }
          isDone = true
          if (answer.status === 201 || answer.status === 409) acknowledged.push(name)
          else refused.push(answer.text)
        }
      }
    }
    const writers = [write(), write(), write(), write()]
    for (const replica of replicas) {
      await setTimeout(500)
      await replica.end('SIGKILL')
      await setTimeout(500)
      await replica.restart()
    }
    isOver = true
    await Promise.all(writers)
    await balancer.close()
    expect(refused).to.deep.equal([])
    expect(acknowledged.length).to.be.greaterThan(100)
    for (const admin of admins) {
      const list = await admin.get(configMaps)
      const names = new Set(
        (list.field('items') as { metadata: { name: string } }[]).map(
          ({ metadata }) => metadata.name,
        ),
      )
      expect(acknowledged.filter((name) => !names.has(name))).to.deep.equal([])
    }
  })

  it('continue scheduled backups after handovers, each of them complete', async () => {
    const [newest = ''] = (await wholeBackups(backups)).slice(-1)
    await waitUntil(async () => (await wholeBackups(backups)).some((name) => name > newest))
    expect((await wholeBackups(backups)).length).to.be.within(3, 4) // one is being removed
    for (const name of (await wholeBackups(backups)).slice(-2)) {
      const source = createReadStream(join(backups, name))
      let end = 0
      for await (const part of readBackup(source, name)) if ('end' in part) end = part.end.objects
      expect(end).to.be.above(100)
    }
  })
})

async function wholeBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.startsWith('backup-')).toSorted()
}

function openWatch(port: number, path: string, token: string) {
  const request = get({
    ...{ host: '127.0.0.1', port, path, agent: false },
    headers: { authorization: `Bearer ${token}` },
  })
  const opened = new Promise<void>((resolve, reject) => {
    request.once('response', (response) => {
      response.once('data', () => resolve())
      response.resume()
    })
    request.once('error', reject)
  })
  const ended = new Promise<void>((resolve) => {
    request.once('response', (response) => response.once('close', resolve))
  })
  return { opened, ended }
}
