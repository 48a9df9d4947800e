import { expect } from 'chai'
import { on, once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { useTestServer } from '../endpoints/support/testServer.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const objects = 12
const objectBytes = 1_000_000
const connections = 48
const megabyte = 1024 * 1024

/** Growth of the process with all connections open; one object for each connection would be more. */
const allowedBytes = 40 * megabyte

const handshake = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
]

/** A frame of HTTP/2. Source: RFC 9113 section 4.1. */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A GET in HTTP/2 that opens both windows as far as possible. */
function http2Request(headers: Readonly<Record<string, string>>): Buffer {
  const window = Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])
  const more = Buffer.from([0x7f, 0xff, 0, 0])
  // Literals that are not indexed, with lengths of one byte. Source: RFC 7541 section 6.2.2.
  const fields = Object.entries(headers).map(([name, value]) =>
    Buffer.from(
      `\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`,
    ),
  )
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(4, 0, 0, window),
    frame(8, 0, 0, more),
    frame(1, 5, 1, Buffer.concat(fields)),
  ])
}

describe('clients that do not read, over TLS', function () {
  this.timeout(20_000)
  const server = useTestServer()
  const open: TLSSocket[] = []
  let watch: string

  before(async () => {
    const list = await server().admin.get(configMaps)
    // All objects are created later: events that the watches share.
    watch = `${configMaps}?watch=1&resourceVersion=${String(list.field('metadata', 'resourceVersion'))}`
    for (let at = 0; at < objects; at++) {
      const made = { metadata: { name: `large-${at}` }, data: { a: 'x'.repeat(objectBytes) } }
      expect((await server().admin.post(configMaps, made)).status).to.equal(201)
    }
    expect((await server().admin.get(configMaps)).status).to.equal(200)
  })
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy()
  })

  async function connection(protocol: string): Promise<TLSSocket> {
    const { url, caCertificate = '' } = server().running
    const { hostname, port } = new URL(url)
    const ca = caCertificate
    const socket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: [protocol] })
    open.push(socket)
    await once(socket, 'secureConnect')
    return socket
  }

  const authorization = () => `Bearer ${server().running.adminAccessKey}`

  const http1Request = (path: string, ...headers: string[]) =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: a',
      `Authorization: ${authorization()}`,
      ...headers,
      '',
      '',
    ].join('\r\n')

  const listOverHttp2 = () =>
    http2Request({
      ':method': 'GET',
      ':scheme': 'https',
      ':authority': 'a',
      ':path': configMaps,
      authorization: authorization(),
    })

  /** Reads more than the headers, then no more. */
  async function readALittle(socket: TLSSocket): Promise<void> {
    let bytes = 0
    for await (const [chunk] of on(socket, 'data')) {
      bytes += (chunk as Buffer).length
      if (bytes > 4_000) break
    }
    socket.pause()
  }

  for (const { name, protocol = 'http/1.1', request } of [
    { name: 'a watch', request: () => http1Request(watch) },
    { name: 'a watch over a websocket', request: () => http1Request(watch, ...handshake) },
    { name: 'a list', request: () => http1Request(configMaps) },
    { name: 'a list with open windows in HTTP/2', protocol: 'h2', request: listOverHttp2 },
  ]) {
    it(`hold no encrypted copy of a large response each: ${name}`, async () => {
      const sockets = await Promise.all(
        Array.from({ length: connections }, () => connection(protocol)),
      )
      const before = process.memoryUsage.rss()
      for (const socket of sockets) {
        socket.write(request())
        await readALittle(socket)
      }
      expect(process.memoryUsage.rss() - before).to.be.lessThan(allowedBytes)
    })
  }

  it('or do read: they get a whole list, even if they offered an upgrade', async () => {
    const socket = await connection('http/1.1')
    let bytes = 0
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length))
    socket.write(http1Request(configMaps, ...handshake))
    await once(socket, 'close')
    expect(bytes).to.be.greaterThan(objects * objectBytes)
  })
})
