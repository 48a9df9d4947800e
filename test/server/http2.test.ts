import { expect } from 'chai'
import { once } from 'node:events'
import {
  connect as connectHttp2,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
} from 'node:http2'
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { listen, type ListenOptions } from '../../apiserver/http/listeners.ts'
import { issueAuthority, issueLeaf } from '../../apiserver/http/pki/issueCertificates.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../apiserver/runtime/realRandom.ts'
import { openTestServer, users, useTestServer } from '../endpoints/support/testServer.ts'
import { waitUntil } from '../support/waitUntil.ts'

/** Frame of HTTP/2. Source: RFC 9113 section 4.1. */
function frame(type: number, flags: number, stream: number, payload = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

async function openListener(more: Partial<ListenOptions>) {
  const sources = { clock: realClock, random: realRandom }
  const authority = await issueAuthority(undefined, sources)
  const tls = await issueLeaf(authority, ['127.0.0.1'], sources)
  const never = () => new Promise<void>(() => undefined)
  const given = { address: '127.0.0.1', port: 0, tls, serve: never, ...more }
  return { authority, listener: await listen(given) }
}

const configMaps = '/api/v1/namespaces/default/configmaps'
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const [headersType, resetType, settingsType, pingType] = [1, 3, 4, 6]
const [goawayType, continuationType] = [7, 9]

describe('HTTP/2', () => {
  const server = useTestServer()
  const sessions: ClientHttp2Session[] = []

  function connect(): ClientHttp2Session {
    const { url, caCertificate = '' } = server().running
    const session = connectHttp2(url, { ca: caCertificate })
    // Some tests expect the server to end the connection.
    session.on('error', () => undefined)
    sessions.push(session)
    return session
  }
  afterEach(() => {
    for (const session of sessions.splice(0)) session.destroy()
  })

  const headers = (path: string, more: Record<string, string> = {}) => ({
    ':path': path,
    authorization: `Bearer ${server().running.adminAccessKey}`,
    ...more,
  })

  async function answerOf(stream: ClientHttp2Stream): Promise<{ status: number; text: string }> {
    const responded = once(stream, 'response')
    stream.end()
    const [got] = (await responded) as [{ ':status'?: number }]
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return { status: got[':status'] ?? 0, text: Buffer.concat(chunks).toString() }
  }

  async function rawSession(): Promise<TLSSocket> {
    const { url, caCertificate = '' } = server().running
    const { hostname, port } = new URL(url)
    const socket = connectTls({
      host: hostname,
      port: Number(port),
      ca: caCertificate,
      ALPNProtocols: ['h2'],
    })
    socket.on('error', () => undefined)
    await once(socket, 'secureConnect')
    socket.resume()
    socket.write(Buffer.concat([preface, frame(settingsType, 0, 0)]))
    return socket
  }

  /**
   * Resolves when the server sends GOAWAY, after which it reads nothing, or closes the connection.
   */
  function refusing(socket: TLSSocket): Promise<void> {
    let received = Buffer.alloc(0)
    return new Promise((resolve) => {
      socket.once('close', () => resolve())
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        while (received.length >= 9) {
          if (received.readUInt8(3) === goawayType) resolve()
          received = received.subarray(9 + received.readUIntBE(0, 3))
        }
      })
    })
  }

  /** Writes the results of `next` until the server stops reading. */
  async function flood(socket: TLSSocket, next: (at: number) => Buffer): Promise<void> {
    let isRefused = false
    const refused = refusing(socket).then(() => (isRefused = true))
    for (let at = 0; at < 200_000 && !isRefused; at++) {
      if (!socket.write(next(at))) {
        const drained = new Promise((resolve) => socket.once('drain', resolve))
        await Promise.race([drained, refused])
      }
    }
    await refused
    socket.destroy()
  }

  for (const [offered, chosen] of [
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [[], false],
  ] as const) {
    it(`[${offered.join()}] selects ${chosen}`, async () => {
      const { url, caCertificate = '' } = server().running
      const { hostname, port } = new URL(url)
      const protocols = offered.length === 0 ? {} : { ALPNProtocols: [...offered] }
      const options = { host: hostname, port: Number(port), ca: caCertificate, ...protocols }
      const socket = connectTls(options)
      await once(socket, 'secureConnect')
      expect(socket.alpnProtocol).to.equal(chosen)
      socket.destroy()
    })
  }

  it('responds as HTTP/1.1 does (reference 1.3, 2.3)', async () => {
    const session = connect()
    const body = JSON.stringify({ metadata: { name: 'h2' } })
    const post = session.request(headers(users, { ':method': 'POST' }))
    post.write(body)
    const made = await answerOf(post)
    const got = await answerOf(session.request(headers(`${users}/h2`)))
    const missing = await answerOf(session.request(headers(`${users}/nobody`)))
    const { admin } = server()
    const want = [await admin.get(`${users}/h2`), await admin.get(`${users}/nobody`)]
    expect([made.status, got, missing]).to.deep.equal([
      201,
      ...want.map(({ status, text }) => ({ status, text })),
    ])
  })

  it('carries hundreds of watches on one connection (reference 5.3)', async () => {
    const session = connect()
    const { admin } = server()
    const version = String((await admin.get(configMaps)).field('metadata', 'resourceVersion'))
    const query = `watch=1&resourceVersion=${version}&fieldSelector=metadata.name%3Dwatched`
    const path = `${configMaps}?${query}`
    const told = Array.from({ length: 300 }, async () => {
      const stream = session.request(headers(path))
      stream.setEncoding('utf8')
      let text = ''
      for await (const chunk of stream) {
        text += String(chunk)
        if (text.endsWith('\n')) break
      }
      return text
    })
    await admin.post(configMaps, { metadata: { name: 'watched' } })
    const events = new Set(await Promise.all(told))
    expect(events.size).to.equal(1)
    expect([...events][0]).to.match(/^\{"type":"ADDED","object":\{.*"name":"watched"/)
  })

  it('announces limits for streams and window', async () => {
    const session = connect()
    await once(session, 'remoteSettings')
    const { maxConcurrentStreams, initialWindowSize } = session.remoteSettings
    expect([maxConcurrentStreams, initialWindowSize]).to.deep.equal([2000, 256 * 1024])
  })

  it('accepts headers of many kilobytes, and refuses larger ones on that stream only', async () => {
    const session = connect()
    const large = await answerOf(
      session.request(headers(`${users}?labelSelector=${'a'.repeat(12_000)}`)),
    )
    expect(large.status).to.equal(400)
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x-${at}`, 'y']))
    const stream = session.request(headers(users, many))
    stream.on('error', () => undefined)
    stream.resume()
    stream.end()
    await new Promise((resolve) => stream.once('close', resolve))
    expect(stream.rstCode).to.not.equal(constants.NGHTTP2_NO_ERROR)
    expect((await answerOf(session.request(headers('/version')))).status).to.equal(200)
  })

  it('closes a connection that opens and resets streams without end', async () => {
    const socket = await rawSession()
    // GET / over https, in indexes of the static table, and the code CANCEL.
    const [request, cancel] = [Buffer.from([0x82, 0x84, 0x87]), Buffer.from([0, 0, 0, 8])]
    const endsBoth = 5
    await flood(socket, (at) =>
      Buffer.concat([
        frame(headersType, endsBoth, 2 * at + 1, request),
        frame(resetType, 0, 2 * at + 1, cancel),
      ]),
    )
    expect((await answerOf(connect().request(headers('/version')))).status).to.equal(200)
  })

  const floods: [string, Buffer[], Buffer][] = [
    [
      'headers that never end',
      [frame(headersType, 0, 1, Buffer.from([0x82]))],
      frame(continuationType, 0, 1, Buffer.alloc(16_000, 0x82)),
    ],
    ['empty continuations', [frame(headersType, 0, 1)], frame(continuationType, 0, 1)],
    ['frames that make no sense', [], frame(continuationType, 0, 1)],
    ['settings without end', [], frame(settingsType, 0, 0, Buffer.alloc(6 * 100, 0))],
  ]
  for (const [what, first, repeated] of floods) {
    it(`closes a connection that sends ${what}`, async () => {
      const socket = await rawSession()
      for (const one of first) socket.write(one)
      await flood(socket, () => repeated)
      expect((await answerOf(connect().request(headers('/version')))).status).to.equal(200)
    })
  }

  it('closes a connection that pings without reading', async () => {
    const socket = await rawSession()
    socket.pause()
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    const pings = Buffer.concat(Array<Buffer>(500).fill(frame(pingType, 0, 0, Buffer.alloc(8))))
    const write = (): void => {
      while (!socket.destroyed && socket.write(pings));
    }
    socket.on('drain', write)
    write()
    await closed
    expect((await answerOf(connect().request(headers('/version')))).status).to.equal(200)
  })

  it('stop() ends watches, completes responses and sends GOAWAY (reference 1.7)', async () => {
    const own = await openTestServer({ shutdownGraceSeconds: 5 })
    const { url, caCertificate = '', adminAccessKey } = own.running
    const session = connectHttp2(url, { ca: caCertificate })
    const watch = session.request({
      ':path': `${users}?watch=1`,
      authorization: `Bearer ${adminAccessKey}`,
    })
    await once(watch, 'response')
    const ended = once(watch.resume(), 'end')
    const goodbye = once(session, 'close')
    await Promise.all([own.running.stop(), ended, goodbye])
    expect(watch.rstCode).to.equal(constants.NGHTTP2_NO_ERROR)
  })
})

describe('an HTTP/2 connection', () => {
  const settings = frame(settingsType, 0, 0)
  const request = frame(headersType, 5, 1, Buffer.from([0x82, 0x84, 0x87]))
  const mistakes: [string, Buffer][] = [
    ['data on no stream', frame(0, 0, 0, Buffer.alloc(8))],
    ['a frame that is too large', frame(0, 0, 1, Buffer.alloc(20_000))],
    ['settings of a wrong size', frame(settingsType, 0, 0, Buffer.alloc(5))],
    ['a mistake, with a stream open', Buffer.concat([request, frame(0, 0, 0, Buffer.alloc(8))])],
  ]
  for (const [what, mistake] of mistakes) {
    it(`is closed after ${what}, whatever its client does`, async () => {
      const { listener, authority } = await openListener({ pingMs: 100 })
      const socket = connectTls({
        host: '127.0.0.1',
        port: listener.port,
        ca: authority.cert,
        ALPNProtocols: ['h2'],
      })
      socket.on('error', () => undefined)
      await once(socket, 'secureConnect')
      socket.resume()
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.write(Buffer.concat([preface, settings, mistake]))
      await closed
      await listener.close(0)
    })
  }

  it('is closed with its socket if its client stops reading', async () => {
    const { listener, authority } = await openListener({
      pingMs: 100,
      serve: async (_, response) => {
        response.writeHead(200)
        response.write(Buffer.alloc(16 * 1024 * 1024))
      },
    })
    let upstream: Socket | undefined
    const between = createServer((socket) => {
      upstream = connectTcp(listener.port, '127.0.0.1')
      socket.pipe(upstream).pipe(socket)
      upstream.on('error', () => undefined)
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
    const { port } = between.address() as AddressInfo
    const initialWindowSize = 32 * 1024 * 1024
    const options = { ca: authority.cert, settings: { initialWindowSize } }
    const session = connectHttp2(`https://127.0.0.1:${port}`, options)
    session.on('error', () => undefined)
    await once(session, 'connect')
    session.setLocalWindowSize(initialWindowSize)
    const stream = session.request({ ':path': '/' })
    stream.on('error', () => undefined)
    await once(stream, 'response')
    upstream?.unpipe()
    upstream?.pause()
    const open = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap')
    const before = open().length
    await waitUntil(() => open().length < before)
    session.destroy()
    upstream?.destroy()
    between.close()
    await listener.close(0)
  })

  it('stays open while its pings are answered', async () => {
    const { listener, authority } = await openListener({ pingMs: 50 })
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority.cert })
    for (let pings = 0; pings < 4; pings++) await once(session, 'ping')
    expect(session.closed).to.equal(false)
    session.destroy()
    await listener.close(0)
  })
})

describe('an HTTP/2 connection without a stream', () => {
  it('is closed after a while, unlike one with a stream', async () => {
    let letGo: () => void = () => undefined
    const { listener, authority } = await openListener({
      idleSessionMs: 100,
      serve: async (_, response) => {
        await new Promise<void>((resolve) => (letGo = resolve))
        response.end('done')
      },
    })
    const open = () => connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority.cert })
    const [idle, busy] = [open(), open()]
    const stream = busy.request({ ':path': '/' })
    await once(idle, 'close')
    expect(busy.closed).to.equal(false)
    letGo()
    const [chunk] = (await once(stream, 'data')) as [Buffer]
    expect(chunk.toString()).to.equal('done')
    busy.destroy()
    await listener.close(0)
  })
})
