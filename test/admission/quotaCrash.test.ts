import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { ServerProcess } from '../support/serverProcess.ts'
import { waitUntil } from '../support/waitUntil.ts'

const namespace = '/api/v1/namespaces/default'
const callers = 64
const limit = 100

describe('resource quota across a SIGKILL', function () {
  this.timeout(120_000)
  let folder: string
  let server: ServerProcess
  let admin: HttpClient
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quota-'))
    server = await ServerProcess.start(folder)
    admin = await server.admin()
  })
  after(async () => {
    await server.end('SIGKILL')
    await rm(folder, { recursive: true })
  })

  /** Names of pods in creation order, so that no two callers use the same name. */
  let count = 0
  /** Creates pods until the quota refuses one; `onCreated` may stop the server in between. */
  const caller = async (created: string[], onCreated: () => void): Promise<void> => {
    for (;;) {
      const name = `p${count++}`
      const body = {
        metadata: { name },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      }
      const answer = await admin.post(`${namespace}/pods`, body)
      if (answer.status === 403) return
      expect(answer.status, answer.text).to.equal(201)
      created.push(name)
      onCreated()
    }
  }
  const usedPods = async () => {
    const quota = await admin.get(`${namespace}/resourcequotas/q`)
    return quota.field('status', 'used', 'pods')
  }
  const storedPods = async () => {
    const list = await admin.get(`${namespace}/pods`)
    return (list.field('items') as { metadata: { name: string } }[]).map(
      ({ metadata }) => metadata.name,
    )
  }

  it(`lets ${callers} callers create exactly ${limit} pods, and keeps every acknowledged one`, async () => {
    await admin.post(`${namespace}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { pods: String(limit) } },
    })
    await waitUntil(async () => (await usedPods()) === '0')
    const created: string[] = []
    let killed: Promise<void> | undefined
    const killHalfway = () => {
      if (created.length === limit / 2) killed = server.end('SIGKILL')
    }
    const first = await Promise.allSettled(
      Array.from({ length: callers }, () => caller(created, killHalfway)),
    )
    // The callers end because the server is gone, not because the quota is used up.
    expect(first.filter(({ status }) => status === 'rejected').length).to.be.greaterThan(0)
    await killed
    await server.restart()
    const survived = await storedPods()
    expect(survived).to.include.members(created)
    expect(survived.length).to.be.at.most(limit)
    expect(await usedPods()).to.equal(String(survived.length))

    const later: string[] = []
    await Promise.all(Array.from({ length: callers }, () => caller(later, () => undefined)))
    const all = await storedPods()
    expect(all.length).to.equal(limit)
    expect(new Set(all)).to.deep.equal(new Set([...survived, ...later]))
    expect(await usedPods()).to.equal(String(limit))
  })
})
