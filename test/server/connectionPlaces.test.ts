import { expect } from 'chai'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ConnectionPlaces, connectionPlaces } from '../../apiserver/http/connectionPlaces.ts'
import { listen, type Listener } from '../../apiserver/http/listeners.ts'
import { issueAuthority, issueLeaf } from '../../apiserver/http/pki/issueCertificates.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../apiserver/runtime/realRandom.ts'
import { waitUntil } from '../support/waitUntil.ts'

const max = 8

describe('connection limits', () => {
  let ca: string
  let plain: Listener
  let secure: Listener
  let held: ServerResponse[]
  let sockets: Socket[]

  before(async () => {
    const sources = { clock: realClock, random: realRandom }
    const authority = await issueAuthority(undefined, sources)
    ca = authority.cert
    const tls = await issueLeaf(authority, ['127.0.0.1'], sources)
    const places = new ConnectionPlaces(max)
    // Requests to /held get a delayed response.
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/held') held.push(response)
      else response.end('ok')
      return Promise.resolve()
    }
    const given = { address: '127.0.0.1', port: 0, serve, places }
    secure = await listen({ ...given, tls })
    plain = await listen(given)
  })

  beforeEach(() => {
    held = []
    sockets = []
  })

  afterEach(() => {
    for (const response of held) response.end()
    for (const socket of sockets) socket.destroy()
  })

  after(() => Promise.all([plain.close(0), secure.close(0)]))

  function followed(socket: Socket): Socket {
    sockets.push(socket)
    socket.on('error', () => undefined)
    return socket.setEncoding('latin1').resume()
  }

  async function openPlain(): Promise<Socket> {
    const socket = followed(connectTcp(plain.port, '127.0.0.1'))
    await once(socket, 'connect')
    return socket
  }

  /** Connection without a TLS handshake. */
  async function openBare(): Promise<Socket> {
    const socket = followed(connectTcp(secure.port, '127.0.0.1'))
    await once(socket, 'connect')
    return socket
  }

  async function openSecure(): Promise<Socket> {
    const socket = followed(connectTls({ port: secure.port, host: '127.0.0.1', ca }))
    await once(socket, 'secureConnect')
    return socket
  }

  async function ask(socket: Socket, path = '/'): Promise<string> {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    if (path === '/held') return ''
    const [text] = (await once(socket, 'data')) as [string]
    return text.slice(0, 12)
  }

  const cases = [
    { name: 'plain', open: openPlain },
    { name: 'unencrypted', open: openBare },
    { name: 'encrypted', open: openSecure },
  ]
  for (const { name, open } of cases) {
    it(`${name} idle connections are closed to make room`, async () => {
      const idle: Socket[] = []
      for (let count = 0; count < max; count++) idle.push(await open())
      expect(await ask(await openSecure())).to.equal('HTTP/1.1 200')
      expect(await ask(await openPlain())).to.equal('HTTP/1.1 200')
      await waitUntil(() => idle.every((socket) => socket.closed))
    })
  }

  it('a connection with a running request is kept, and new ones are refused', async () => {
    const busy = await Promise.all(Array.from({ length: max }, openSecure))
    await Promise.all(busy.map((socket) => ask(socket, '/held')))
    await waitUntil(() => held.length === max)
    const late = await openPlain()
    await waitUntil(() => late.closed)
    for (const response of held) response.end('done')
    await Promise.all(busy.map((socket) => once(socket, 'data')))
    expect(await ask(await openPlain())).to.equal('HTTP/1.1 200')
  })

  it('an HTTP/2 session without a stream is idle', async () => {
    const session = connectHttp2(`https://127.0.0.1:${secure.port}`, { ca })
    session.on('error', () => undefined)
    const stream = session.request({ ':path': '/held' }).resume()
    stream.on('error', () => undefined)
    await waitUntil(() => held.length === 1)
    for (let count = 0; count <= max; count++) await openBare()
    expect(await ask(await openSecure())).to.equal('HTTP/1.1 200')
    expect(session.closed).to.equal(false)
    held[0]?.end()
    await once(stream, 'close')
    for (let count = 0; count <= 2 * max; count++) await openBare()
    await waitUntil(() => session.closed)
  })

  it('connections that fail before encryption free their places', async () => {
    for (let count = 0; count < 2 * max; count++) {
      const socket = await openBare()
      socket.write('hello\r\n\r\n')
      await waitUntil(() => socket.closed)
    }
    const open = await Promise.all(Array.from({ length: max }, openSecure))
    const answers = await Promise.all(open.map((socket) => ask(socket)))
    expect(answers).to.deep.equal(Array<string>(max).fill('HTTP/1.1 200'))
    expect(open.every((socket) => !socket.closed)).to.equal(true)
  })

  it('are below the limit of open files', async () => {
    const places = await connectionPlaces()
    const taken: (() => void)[] = []
    for (let leave = places.take(); leave !== undefined && taken.length < 100_000;) {
      taken.push(leave)
      leave = places.take()
    }
    expect(taken.length).to.be.greaterThan(100)
    taken[0]?.()
    expect(places.take()).to.be.a('function')
  })
})
