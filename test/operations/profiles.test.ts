import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBob, useTestServer } from '../endpoints/support/testServer.ts'
import { ServerProcess } from '../support/serverProcess.ts'

describe('profiles', function () {
  this.timeout(60_000)
  const server = useTestServer({ profiling: true })

  it('cover the CPU for the requested seconds', async () => {
    const answer = await server().admin.get('/debug/pprof/profile?seconds=1')
    expect(answer.headers['content-disposition']).to.equal('attachment; filename="profile"')
    const { startTime, endTime, nodes } = answer.json as Record<string, number> & {
      nodes: object[]
    }
    // The times are in microseconds.
    expect(Number(endTime) - Number(startTime)).to.be.within(900_000, 30_000_000)
    expect(nodes.length).to.be.above(1)
  })

  // Runs in a separate process: the heap of all tests is too large for a snapshot.
  it('cover the heap', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'heap-'))
    const started = await ServerProcess.start(folder, '--profiling=true')
    const { json } = await (await started.admin()).get('/debug/pprof/heap')
    await started.end('SIGTERM')
    await rm(folder, { recursive: true })
    expect((json as { snapshot: { node_count: number } }).snapshot.node_count).to.be.above(1_000)
  })

  it('are refused while another is running', async () => {
    const first = server().admin.get('/debug/pprof/profile?seconds=1')
    const second = await server().admin.get('/debug/pprof/profile?seconds=1')
    expect(second.status).to.equal(503)
    expect((await first).status).to.equal(200)
  })

  for (const seconds of ['0', '301', 'x', '-1', '1.5'])
    it(`refuse ${seconds} seconds with 400`, async () => {
      const refused = await server().admin.get(`/debug/pprof/profile?seconds=${seconds}`)
      expect(refused.status).to.equal(400)
    })

  it('require the right', async () => {
    const bob = await openBob(server())
    expect((await bob.get('/debug/pprof/heap')).status).to.equal(403)
  })
})

describe('disabled profiles', () => {
  const server = useTestServer()

  it('do not exist', async () => {
    const { admin } = server()
    expect((await admin.get('/debug/pprof/heap')).status).to.equal(404)
  })
})
