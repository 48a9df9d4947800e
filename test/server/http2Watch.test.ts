import { expect } from 'chai'
import { once } from 'node:events'
import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import {
  clientOf,
  management,
  secrets,
  users,
  useTestServer,
} from '../endpoints/support/testServer.ts'
import type { HttpClient } from '../endpoints/support/httpClient.ts'

const manyBytes = 900 * 1024

describe('a watch over HTTP/2', () => {
  const server = useTestServer()
  let session: ClientHttp2Session

  beforeEach(() => {
    const { url, caCertificate = '' } = server().running
    session = connect(url, { ca: caCertificate })
  })
  afterEach(() => session.destroy())

  const ask = (path: string, more: Record<string, string> = {}, endStream = true) =>
    session.request(
      { ':path': path, authorization: `Bearer ${server().running.adminAccessKey}`, ...more },
      { endStream },
    )

  async function begun(
    stream: ClientHttp2Stream,
  ): Promise<IncomingHttpHeaders & { ':status': number }> {
    const [headers] = (await once(stream, 'response')) as [
      IncomingHttpHeaders & { ':status': number },
    ]
    return headers
  }

  async function restOf(stream: ClientHttp2Stream): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }

  const newest = async (path: string): Promise<string> =>
    String((await server().admin.get(path)).field('metadata', 'resourceVersion'))

  const running = async (resource: string): Promise<number> => {
    const { text } = await server().admin.get('/metrics')
    const line = new RegExp(
      `^apiserver_longrunning_requests\\{[^}]*resource="${resource}"[^}]*\\} (\\d+)$`,
      'm',
    ).exec(text)
    return Number(line?.[1] ?? 0)
  }

  async function untilRunning(resource: string, count: number): Promise<void> {
    while ((await running(resource)) !== count) await pause(5)
  }

  it('has the same headers as over HTTP/1.1 (reference 5.3)', async () => {
    const path = `${users}?watch=1&timeoutSeconds=600`
    const headers = await begun(ask(path, { 'audit-id': 'mine' }))
    const plain = await server().admin.open(path)
    const { connection, 'keep-alive': _, 'transfer-encoding': encoding, ...want } = plain.headers
    plain.destroy()
    expect([connection, encoding]).to.deep.equal(['close', 'chunked'])
    expect(Object.fromEntries(Object.entries(headers))).to.deep.equal({
      ':status': 200,
      ...want,
      'audit-id': 'mine',
      date: headers.date,
    })
  })

  const refused: [what: string, path: string, client: () => HttpClient][] = [
    ['a selector that cannot be read', `${users}?watch=1&labelSelector=(`, () => server().admin],
    ['a revision that is none', `${users}?watch=1&resourceVersion=x`, () => server().admin],
    ['a kind that is not', `${management}/nothings?watch=1`, () => server().admin],
    ['somebody unknown', `${users}?watch=1`, () => clientOf(server().running, 'nobody')],
  ]
  for (const [what, path, client] of refused) {
    it(`${what} is refused as over HTTP/1.1 (reference 2.1)`, async () => {
      const { status, text } = await client().get(path)
      const token = client() === server().admin ? {} : { authorization: 'Bearer nobody' }
      const stream = ask(path, token)
      const headers = await begun(stream)
      expect([headers[':status'], String(await restOf(stream))]).to.deep.equal([status, text])
      expect(Number(headers['content-length'])).to.equal(text.length)
      expect(status).to.be.greaterThan(399)
    })
  }

  it('is a list if the request only resembles a watch (reference 5.2)', async () => {
    for (let at = 0; at < 3; at++)
      await server().admin.post(secrets, {
        metadata: { name: `s${at}` },
        spec: { data: { text: Buffer.alloc(manyBytes / 2, 'x').toString('base64') } },
      })
    const { text } = await server().admin.get(secrets)
    const stream = ask(`${secrets}?watch=false`)
    // Other writes of the server may come between: the lists have their own revisions.
    const itemsOf = (list: string) => (JSON.parse(list) as { items: unknown[] }).items
    expect(itemsOf(String(await restOf(stream)))).to.deep.equal(itemsOf(text))
    const packed = ask(`${secrets}?watch=0`, { 'accept-encoding': 'gzip' })
    expect((await begun(packed))['content-encoding']).to.equal('gzip')
    expect(itemsOf(gunzipSync(await restOf(packed)).toString())).to.deep.equal(itemsOf(text))
  })

  it('ends cleanly after its time (reference 5.1)', async () => {
    const stream = ask(`${users}?watch=1&timeoutSeconds=1&resourceVersion=${await newest(users)}`)
    expect(String(await restOf(stream))).to.equal('')
    expect(stream.rstCode).to.equal(constants.NGHTTP2_NO_ERROR)
    await untilRunning('users', 0)
  })

  it('ends when its client resets it, or the connection closes', async () => {
    const path = `${users}?watch=1&resourceVersion=${await newest(users)}`
    const [one, other] = [ask(path), ask(path)]
    await Promise.all([begun(one), begun(other)])
    await untilRunning('users', 2)
    one.close(constants.NGHTTP2_CANCEL)
    await untilRunning('users', 1)
    session.destroy()
    await untilRunning('users', 0)
  })

  it('ends when its client resets it before it starts', async () => {
    const path = `${users}?watch=1`
    for (let at = 0; at < 50; at++) {
      const stream = ask(path)
      stream.on('error', () => undefined)
      if (at % 2 === 0) await pause(1)
      stream.close(constants.NGHTTP2_CANCEL)
    }
    expect((await begun(ask(users)))[':status']).to.equal(200)
    await untilRunning('users', 0)
  })

  it('loses nothing for a reader that reads later (reference 5.9)', async () => {
    const { admin } = server()
    const stream = ask(`${secrets}?watch=1&resourceVersion=${await newest(secrets)}`)
    await begun(stream)
    const data = { text: Buffer.alloc(manyBytes / 2, 'y').toString('base64') }
    for (let at = 0; at < 5; at++)
      await admin.post(secrets, { metadata: { name: `late${at}` }, spec: { data } })
    const names: string[] = []
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) {
      const lines = (text + String(chunk)).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        // Event of a stream written by the server.
        const { object } = JSON.parse(line) as { object: { metadata: { name: string } } }
        names.push(object.metadata.name)
      }
      if (names.length === 5) break
    }
    expect(names).to.deep.equal(['late0', 'late1', 'late2', 'late3', 'late4'])
  })

  it('ignores a body', async () => {
    const stream = ask(`${users}?watch=1&timeoutSeconds=1`, {}, false)
    stream.end(Buffer.alloc(512 * 1024))
    expect((await begun(stream))[':status']).to.equal(200)
    stream.resume()
    await once(stream, 'close')
    expect(stream.rstCode).to.equal(constants.NGHTTP2_NO_ERROR)
  })
})
