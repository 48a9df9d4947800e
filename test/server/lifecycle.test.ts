import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { startServer } from '../../apiserver/server.ts'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'
import { RawSocket } from '../endpoints/support/rawSocket.ts'
import { clientOf, openTestServer, users } from '../endpoints/support/testServer.ts'
import { deadline } from '../support/deadlines.ts'

describe('startServer', () => {
  const folders: string[] = []
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lifecycle-'))
    folders.push(folder)
    return folder
  }
  after(async () => {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
  })
  const onDisk = (dataDir: string, more: object = {}) =>
    startServer({ dataDir, securePort: 0, insecurePort: 0, logLevel: 'silent', ...more })

  it('refuses invalid options before any side effect', async () => {
    const dataDir = join(await newFolder(), 'data')
    const error: unknown = await onDisk(dataDir, { datadir: 'd', securePort: '1' }).catch(
      (thrown: unknown) => thrown,
    )
    expect(String(error)).to.equal(
      'TypeError: securePort must be a port number from 0 to 65535; it is "1"\n' +
        'unknown option datadir',
    )
    expect(await stat(dataDir).catch(() => 'absent')).to.equal('absent')
  })

  it('stops at the end of an await using block, and returns a client configuration', async () => {
    const holder: { running?: RunningServer } = {}
    {
      await using running = await startServer({
        storage: 'memory',
        dataDir: undefined,
        securePort: 0,
      })
      holder.running = running
      const { url, adminAccessKey } = running
      expect(running.kubeconfig).to.contain(`server: "${url}/`)
      expect(running.kubeconfig).to.contain(`token: "${adminAccessKey}"`)
    }
    const port = Number(new URL(holder.running.url).port)
    const [error] = (await once(connect(port, '127.0.0.1'), 'error').catch((thrown: unknown) => [
      thrown,
    ])) as [{ code: string }]
    expect(error.code).to.equal('ECONNREFUSED')
  })

  it('stop() ends watches cleanly, and completes running requests', async () => {
    const { running, admin } = await openTestServer({ shutdownGraceSeconds: 5 })
    const watch = await admin.open(`${users}?watch=1`)
    const ended = once(watch.resume(), 'end')
    const body = '{"metadata":{"name":"late"}}'
    const raw = await RawSocket.open(admin.port)
    raw.write(
      `POST ${users} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nAuthorization: Bearer ${running.adminAccessKey}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    await raw.until('100 Continue')
    const began = performance.now()
    const stopped = running.stop()
    await ended
    raw.write(body)
    const text = await raw.untilClosed()
    expect(text).to.match(/HTTP\/1\.1 201 Created/)
    await stopped
    expect(performance.now() - began).to.be.lessThan(deadline(1_000))
  })

  it('stop() ends a watch over a websocket with 1000', async () => {
    const { running } = await openTestServer({ shutdownGraceSeconds: 5 })
    const url = `${running.insecureUrl?.replace('http', 'ws')}${users}?watch=1`
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${running.adminAccessKey}` },
    })
    await once(socket, 'message')
    const closed = once(socket, 'close')
    await running.stop()
    expect((await closed)[0]).to.equal(1000)
  })

  it('stop() does not wait for idle connections, and may be called twice', async () => {
    const { running, admin } = await openTestServer({ shutdownGraceSeconds: 30 })
    const idle = await RawSocket.open(admin.port)
    const used = await RawSocket.open(admin.port)
    used.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    await used.until('ok')
    await Promise.all([running.stop(), running.stop()])
    await Promise.all([idle.untilClosed(), used.untilClosed()])
  })

  it('stop() aborts what does not end within the grace period', async () => {
    const { running, admin } = await openTestServer({ shutdownGraceSeconds: 0 })
    const raw = await RawSocket.open(admin.port)
    raw.write(
      `POST ${users} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nAuthorization: Bearer ${running.adminAccessKey}\r\nContent-Length: 9\r\n\r\n`,
    )
    await raw.until('100 Continue')
    await running.stop()
    await raw.untilClosed()
  })

  it('a second start on a folder keeps objects, keys and revisions', async () => {
    const folder = await newFolder()
    const first = await onDisk(folder)
    const made = await clientOf(first).post(users, { metadata: { name: 'kept' } })
    const revision = Number((await clientOf(first).get(users)).field('metadata', 'resourceVersion'))
    await first.stop()
    const second = await onDisk(folder)
    try {
      expect(second.adminAccessKey).to.equal(first.adminAccessKey)
      const admin = clientOf(second)
      const kept = await admin.get(`${users}/kept`)
      expect([kept.status, kept.text]).to.deep.equal([200, made.text])
      const next = await admin.post(users, { metadata: { name: 'next' } })
      expect(Number(next.field('metadata', 'resourceVersion'))).to.be.greaterThan(revision)
      // A client with an earlier watch resumes where it left off.
      const since = String(made.field('metadata', 'resourceVersion'))
      const watch = await admin.get(`${users}?watch=1&timeoutSeconds=1&resourceVersion=${since}`)
      expect(watch.text).to.include('"name":"next"').and.to.not.include('"ERROR"')
    } finally {
      await second.stop()
    }
  })

  it('a folder serves one server at a time', async () => {
    const folder = await newFolder()
    const first = await onDisk(folder)
    const second = await onDisk(folder).then(
      async (server) => server.stop().then(() => 'started'),
      (error: unknown) => error,
    )
    expect(second).to.have.property('code', 'Locked')
    expect((await clientOf(first).get(users)).status).to.equal(200)
    await first.stop()
  })

  it('a given key replaces the stored one, which is used when none is given', async () => {
    const folder = await newFolder()
    const keys: string[] = []
    const used: number[] = []
    for (const adminAccessKey of ['first-key-given', undefined, 'second-key-given', undefined]) {
      const server = await onDisk(folder, adminAccessKey === undefined ? {} : { adminAccessKey })
      keys.push(server.adminAccessKey)
      const answers = [
        await clientOf(server).get(users),
        await clientOf(server, 'first-key-given').get(users),
      ]
      used.push(...answers.map(({ status }) => status))
      await server.stop()
    }
    expect(keys).to.deep.equal([
      'first-key-given',
      'first-key-given',
      'second-key-given',
      'second-key-given',
    ])
    expect(used).to.deep.equal([200, 200, 200, 200, 200, 401, 200, 401])
    const file = join(folder, 'admin-access-key')
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).to.deep.equal([
      'second-key-given\n',
      0o600,
    ])
  })

  it('two servers are independent of each other', async () => {
    const [one, two] = await Promise.all([openTestServer(), openTestServer()])
    try {
      await one.admin.post(users, { metadata: { name: 'mine' } })
      expect((await two.admin.get(`${users}/mine`)).status).to.equal(404)
      const foreign = clientOf(two.running, one.running.adminAccessKey)
      expect((await foreign.get(users)).status).to.equal(401)
    } finally {
      await Promise.all([one.running.stop(), two.running.stop()])
    }
    const { admin, running } = await openTestServer()
    await running.stop()
    expect(await admin.get('/healthz').catch((error: Error) => error.message)).to.match(
      /ECONNREFUSED/,
    )
  })

  describe('listeners', () => {
    let running: RunningServer
    before(async () => {
      ;({ running } = await openTestServer({ bindAddress: '0.0.0.0' }))
    })
    after(() => running.stop())

    it('HTTPS answers clients that trust its certificate', async () => {
      const request = httpsRequest(`${running.url}${users}`, {
        ca: running.caCertificate,
        headers: { authorization: `Bearer ${running.adminAccessKey}` },
      })
      request.end()
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.resume()
      expect(response.statusCode).to.equal(200)
      await once(response, 'end')
    })

    it('plain HTTP listens on the loopback address only', async () => {
      const port = Number(new URL(running.insecureUrl ?? '').port)
      expect(new URL(running.insecureUrl ?? '').hostname).to.equal('127.0.0.1')
      const others = Object.values(networkInterfaces())
        .flat()
        .filter((found) => found?.family === 'IPv4' && !found.internal)
        .map((found) => found?.address ?? '')
      for (const host of others) {
        const socket = connect({ host, port })
        const [error] = (await once(socket, 'error')) as [Error & { code: string }]
        expect(error.code).to.equal('ECONNREFUSED')
      }
    })

    it('plain HTTP on the HTTPS port is refused', async () => {
      const raw = await RawSocket.open(Number(new URL(running.url).port))
      raw.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
      expect(await raw.untilClosed()).to.not.include('200 OK')
    })
  })

  it('an address in use is an error with its code, and leaves nothing open', async () => {
    const first = await openTestServer()
    const folder = await newFolder()
    const port = first.admin.port
    const error = await onDisk(folder, { insecurePort: port }).catch((reason: unknown) => reason)
    expect(error).to.have.property('code', 'EADDRINUSE')
    // The folder is free again.
    await (await onDisk(folder)).stop()
    await first.running.stop()
  })
})
