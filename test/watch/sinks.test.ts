import { once } from 'node:events'
import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { WebSocket } from 'ws'
import { sliceBytes } from '../../apiserver/meta/waiting/writeSlices.ts'
import { acceptWebSocket } from '../../apiserver/watch/acceptWebSocket.ts'
import { ChunkedSink } from '../../apiserver/watch/chunkedSink.ts'
import type { Sink } from '../../apiserver/watch/sink.ts'

const frame = (name: string): Buffer => Buffer.from(`{"type":"ADDED","object":"${name}"}\n`)

describe('ChunkedSink', () => {
  let server: Server
  let response: Promise<ServerResponse>

  beforeEach(async () => {
    server = createServer()
    response = once(server, 'request').then(([, given]) => {
      // The second argument of a request event.
      const answer = given as ServerResponse
      answer.writeHead(200, { 'Transfer-Encoding': 'chunked' })
      return answer
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  /** `mark` gets the socket before the sink does. */
  async function connect(
    mark: (socket: object) => void = () => undefined,
  ): Promise<{ sink: ChunkedSink; answer: IncomingMessage }> {
    const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end()
    mark((await response).socket ?? {})
    const sink = new ChunkedSink(await response)
    const answer = once(asked, 'response').then(([given]) => given as IncomingMessage)
    return { sink, answer: await answer }
  }

  it('sends the headers at once, then frames as they come, then a clean end (reference 5.3)', async () => {
    const { sink, answer } = await connect()
    expect([answer.statusCode, answer.headers['transfer-encoding']]).to.deep.equal([200, 'chunked'])
    sink.write(frame('a'))
    sink.write(Buffer.concat([frame('b'), frame('c')]))
    sink.end()
    expect(await text(answer)).to.equal(['a', 'b', 'c'].map((name) => frame(name)).join(''))
    expect(answer.complete).to.equal(true)
  })

  it('is full when the reader does not read, and drains when it does', async () => {
    const { sink, answer } = await connect()
    const drained = new Promise<void>((resolve) => sink.onDrain(resolve))
    const large = Buffer.alloc(1024 * 1024, 'x')
    let writes = 1
    while (sink.write(large)) writes++
    expect(writes).to.be.lessThan(100)
    answer.resume()
    await drained
  })

  // More than the socket buffers of both sides hold.
  const large = Buffer.alloc(16 * 1024 * 1024, 'x')
  const encrypt = (socket: object) => void Object.assign(socket, { encrypted: true })
  for (const { name, mark, held } of [
    { name: 'an encrypted socket large frames in slices', mark: encrypt, held: sliceBytes },
    { name: 'a plain socket large frames at once', mark: undefined, held: large.length + 100 },
  ])
    it(`gives ${name}, before later frames and the end`, async () => {
      const { sink, answer } = await connect(mark)
      const { socket } = await response
      expect(sink.write(large)).to.equal(false)
      expect(socket?.writableLength).to.be.within(1, held)
      sink.write(frame('b'))
      sink.end()
      const got = await text(answer)
      expect(got === large.toString() + frame('b').toString()).to.equal(true)
      expect(answer.complete).to.equal(true)
    })

  it('reports when the reader is gone', async () => {
    const { sink, answer } = await connect()
    const closed = new Promise<void>((resolve) => sink.onClose(resolve))
    answer.destroy()
    await closed
  })

  it('reports a reader that was gone before', async () => {
    const { sink, answer } = await connect()
    const gone = once(await response, 'close')
    answer.destroy()
    await gone
    await new Promise<void>((resolve) => sink.onClose(resolve))
    expect(sink.write(frame('a'))).to.equal(false)
  })
})

describe('WebSocketSink', () => {
  let server: Server
  let opened: Promise<Sink>

  beforeEach(async () => {
    server = createServer()
    opened = new Promise((resolve, reject) => {
      server.once('upgrade', (asked, socket, head) => {
        acceptWebSocket(asked, socket, { head: head, framing: 'lines' }).then(resolve, reject)
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  async function connect(): Promise<{ sink: Sink; client: WebSocket; messages: string[] }> {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const messages: string[] = []
    client.on('message', (data: Buffer, isBinary: boolean) => {
      messages.push(`${isBinary ? 'binary' : 'text'} ${data.toString()}`)
    })
    return { sink: await opened, client, messages }
  }

  it('sends one text message per event, with its line feed, then closes (reference 5.4)', async () => {
    const { sink, client, messages } = await connect()
    sink.write(frame('a'))
    sink.write(Buffer.concat([frame('b'), frame('c')]))
    sink.end()
    const [code] = (await once(client, 'close')) as [number]
    expect(messages).to.deep.equal(['a', 'b', 'c'].map((name) => `text ${frame(name).toString()}`))
    expect(code).to.equal(1000)
  })

  it('sends a large event as one message, before later ones (reference 5.4)', async () => {
    const { sink, client, messages } = await connect()
    const large = frame('x'.repeat(10 * sliceBytes))
    sink.write(Buffer.concat([large, frame('b')]))
    sink.end()
    await once(client, 'close')
    expect(messages.map((message) => message.length)).to.deep.equal([
      'text '.length + large.length,
      'text '.length + frame('b').length,
    ])
    expect(messages[0]).to.equal(`text ${large.toString()}`)
  })

  it('ignores messages of the client, whose disconnect ends the watch (reference 5.4)', async () => {
    const { sink, client } = await connect()
    const closed = new Promise<void>((resolve) => sink.onClose(resolve))
    await once(client, 'open')
    client.send('hello')
    client.close()
    await closed
  })

  it('reports a reader that was gone before', async () => {
    const { sink, client } = await connect()
    const gone = new Promise<void>((resolve) => sink.onClose(resolve))
    await once(client, 'open')
    client.terminate()
    await gone
    await new Promise<void>((resolve) => sink.onClose(resolve))
  })
})
