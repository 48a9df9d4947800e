import { expect } from 'chai'
import { constants, type ServerHttp2Session } from 'node:http2'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { CallError } from '../../../../apiserver/storage/etcd/callErrors.ts'
import { Connection } from '../../../../apiserver/storage/etcd/connection.ts'
import type { Method } from '../../../../apiserver/storage/etcd/messages.ts'
import { FakeClock } from '../../../support/fakes/fakeClock.ts'
import { waitUntil } from '../../../support/waitUntil.ts'
import { GrpcServer, joined, respond, type Received } from './grpcServer.ts'

/** A method whose requests are bytes and whose responses are strings. */
const method: Method = {
  path: '/test/Echo',
  encode: (message) => message as Buffer, // Sound: the tests give nothing else.
  decode: (bytes) => bytes.toString(),
}
const timeoutMs = 10_000

describe('Connection to an etcd member', () => {
  let clock: FakeClock
  let server: GrpcServer
  let connection: Connection

  const start = async (...given: Parameters<typeof GrpcServer.start>): Promise<void> => {
    server = await GrpcServer.start(...given)
    connection = new Connection({ endpoint: server.endpoint, credentials: {}, clock })
  }
  const call = (request: string, more: { token?: string } = {}): Promise<unknown> =>
    connection.call(method, Buffer.from(request), { timeoutMs, ...more })
  const failure = async (calling: Promise<unknown>): Promise<CallError> => {
    const error: unknown = await calling.catch((thrown: unknown) => thrown)
    if (error instanceof CallError) return error
    throw new Error(`no error of a call: ${String(error)}`)
  }
  const echo = ({ stream, request }: Received): void => {
    void request.then((messages) => respond(stream, ...messages))
  }

  /** Pings the client; the answer comes after it has seen the frames before. */
  const answeredPing = async (session: ServerHttp2Session | undefined): Promise<void> => {
    let isAnswered = false
    session?.ping(() => (isAnswered = true))
    await waitUntil(() => isAnswered)
  }

  beforeEach(() => {
    clock = new FakeClock(0)
  })
  afterEach(async () => {
    connection.close()
    await server.stop()
    expect(clock.timers).to.equal(0)
  })

  it('returns the response to a call, and sends its token', async () => {
    const received: Received[] = []
    const codes: number[] = []
    await start((given) => {
      received.push(given)
      given.stream.on('close', () => codes.push(given.stream.rstCode))
      echo(given)
    })
    const long = 'x'.repeat(300)
    expect(await call('one', { token: long })).to.equal('one')
    expect(await call('two')).to.equal('two')
    expect(received.map(({ headers }) => [headers[':path'], headers['token']])).to.deep.equal([
      ['/test/Echo', long],
      ['/test/Echo', undefined],
    ])
    expect(received[0]?.headers).to.include({
      ':method': 'POST',
      ':scheme': 'http',
      ':authority': new URL(server.endpoint).host,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    await waitUntil(() => codes.length === 2)
    expect(codes).to.deep.equal([0, 0])
    expect(server.sessions).to.have.lengthOf(1)
  })

  it('sends and receives many messages that are larger than the windows', async () => {
    await start(echo, { settings: { initialWindowSize: 1_000 } })
    const large = Array.from({ length: 20 }, (_, at) => String(at).repeat(300_000))
    const results = await Promise.all(large.map((request) => call(request)))
    expect(results.every((result, at) => result === large[at])).to.equal(true)
    expect(await call('x'.repeat(6_000_000))).to.have.lengthOf(6_000_000)
  })

  it('starts only as many calls at a time as the member permits', async () => {
    let [open, most] = [0, 0]
    await start(
      ({ stream, request }) => {
        most = Math.max(most, ++open)
        stream.on('close', () => open--)
        void request.then(() => setImmediate(() => respond(stream, 'done')))
      },
      { settings: { maxConcurrentStreams: 2 } },
    )
    const results = await Promise.all(Array.from({ length: 10 }, (_, at) => call(String(at))))
    expect(results).to.deep.equal(Array.from({ length: 10 }, () => 'done'))
    expect(most).to.equal(2)
  })

  it('reports the status and the message of a failed call', async () => {
    await start(({ stream }) => {
      const status = { 'grpc-status': '9', 'grpc-message': 'no leader: 100%25 %C3%A9' }
      stream.respond({ ':status': 200, ...status }, { endStream: true })
    })
    const { code, message, isUnsent } = await failure(call('a'))
    expect({ code, message, isUnsent }).to.deep.equal({
      code: 9,
      message: 'no leader: 100% é',
      isUnsent: false,
    })
  })

  it('reports a response of a proxy that has no status of a call', async () => {
    await start(({ stream }) => {
      stream.respond({ ':status': 503 })
      stream.end('try later')
    })
    const { code, message } = await failure(call('a'))
    expect([code, message]).to.deep.equal([14, 'HTTP status 503 without a gRPC status'])
  })

  it('joins messages that arrive byte by byte', async () => {
    await start(({ stream }) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      const sendFrom = (at: number): void => {
        const rest = joined('whole').subarray(at)
        if (rest.length === 0) return void stream.end()
        stream.write(rest.subarray(0, 1), () => setImmediate(() => sendFrom(at + 1)))
      }
      sendFrom(0)
    })
    expect(await call('a')).to.equal('whole')
  })

  it('fails a call whose response is compressed, and tells the member', async () => {
    const codes: number[] = []
    await start(({ stream }) => {
      stream.on('close', () => codes.push(stream.rstCode))
      stream.respond({ ':status': 200 })
      stream.write(Buffer.of(1, 0, 0, 0, 0))
    })
    const { code, message } = await failure(call('a'))
    expect([code, message]).to.deep.equal([13, 'a message is compressed'])
    await waitUntil(() => codes.length > 0)
    expect(codes).to.deep.equal([constants.NGHTTP2_CANCEL])
  })

  it('ends a stream whose response ends before its request, and tells the member', async () => {
    const codes: number[] = []
    await start(({ stream }) => {
      stream.on('close', () => codes.push(stream.rstCode))
      respond(stream)
    })
    let end: Error | undefined
    const onEnd = (error: Error): void => void (end = error)
    await connection.openWatch(method, { onResponse: () => undefined, onEnd }, {})
    await waitUntil(() => codes.length > 0)
    expect([end?.message, codes]).to.deep.equal(['the watch has ended', [constants.NGHTTP2_CANCEL]])
  })

  it('reports the reason of a connection that the member ends at once', async () => {
    await start(({ stream }) => stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM))
    const { code, message } = await failure(call('a'))
    expect([code, message]).to.deep.equal([14, 'Session closed with error code 11'])
  })

  it('ends a call without a response after its timeout, and tells the member', async () => {
    const codes: number[] = []
    let isReceived = false
    await start(({ stream }) => {
      isReceived = true
      stream.on('close', () => codes.push(stream.rstCode))
    })
    const failed = failure(call('a'))
    await waitUntil(() => isReceived)
    clock.advance(timeoutMs)
    expect((await failed).code).to.equal(4)
    await waitUntil(() => codes.length > 0)
    expect(codes).to.deep.equal([constants.NGHTTP2_CANCEL])
  })

  it('knows which calls a member has not processed', async () => {
    await start(({ stream, request }) => {
      void request.then(([text]) => {
        if (text === 'refused') stream.close(constants.NGHTTP2_REFUSED_STREAM)
        if (text === 'broken') stream.session?.destroy()
      })
    })
    const [refused, broken] = [await failure(call('refused')), await failure(call('broken'))]
    expect([refused.isUnsent, broken.isUnsent]).to.deep.equal([true, false])
    expect([refused.code, broken.code]).to.deep.equal([14, 14])
  })

  it('finishes calls on a connection that the member closes, and makes further ones on another', async () => {
    const waiting: Received[] = []
    await start((received) => void waiting.push(received))
    const first = call('first')
    await waitUntil(() => waiting.length === 1)
    const [session] = server.sessions
    session?.goaway(constants.NGHTTP2_NO_ERROR, 1)
    await answeredPing(session)
    const second = call('second')
    await waitUntil(() => waiting.length === 2)
    for (const { stream } of waiting) respond(stream, 'done')
    expect(await Promise.all([first, second])).to.deep.equal(['done', 'done'])
    expect(server.sessions).to.have.lengthOf(2)
  })

  it('fails at once for a while if it cannot connect, and then connects again', async () => {
    await start(echo)
    const { port } = server
    expect(await call('a')).to.equal('a')
    await server.stop()
    const refused = await failure(waitForLoss(() => call('b')))
    expect([refused.code, refused.isUnsent]).to.deep.equal([14, true])
    server = await GrpcServer.start(echo, { port })
    expect(await failure(call('c'))).to.equal(refused)
    clock.advance(100)
    expect(await call('d')).to.equal('d')
  })

  it('refuses calls once it is closed', async () => {
    await start(echo)
    await call('a')
    connection.close()
    expect((await failure(call('b'))).message).to.equal('the client is closed')
    expect(server.sessions).to.have.lengthOf(1)
  })

  it('fails calls of a server that closes the connection at once, and does not wait for its end', async () => {
    await start(echo)
    const settings = Buffer.from('000000040000000000', 'hex')
    const goAway = Buffer.from('000008070000000000', 'hex')
    const sockets: Socket[] = []
    const hasty = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined)
      sockets.push(socket)
      socket.write(Buffer.concat([settings, goAway, Buffer.alloc(8)]))
    })
    const endpoint = await listening(hasty)
    const other = new Connection({ endpoint, credentials: {}, clock })
    const { code, isUnsent } = await failure(other.call(method, Buffer.from('a'), { timeoutMs }))
    expect([code, isUnsent]).to.deep.equal([14, true])
    await waitUntil(() => {
      clock.advance(10_000)
      return clock.timers === 0
    })
    for (const socket of sockets) socket.destroy()
    hasty.close()
  })

  it('gives up connecting to a server that does not answer', async () => {
    await start(echo)
    const silent = createServer((socket) => socket.on('error', () => undefined))
    const endpoint = await listening(silent)
    const other = new Connection({ endpoint, credentials: {}, clock })
    const failed = failure(other.call(method, Buffer.from('a'), { timeoutMs }))
    clock.advance(5_000)
    const { message, isUnsent } = await failed
    expect([message, isUnsent]).to.deep.equal([
      `no connection to ${endpoint}: no answer within 5 seconds`,
      true,
    ])
    silent.close()
  })

  it('ends calls when a member no longer answers pings', async () => {
    let isReceived = false
    await start(() => (isReceived = true))
    const failed = failure(connection.call(method, Buffer.from('a'), { timeoutMs: 60_000 }))
    await waitUntil(() => isReceived)
    const [session] = server.sessions
    let pings = 0
    session?.on('ping', () => pings++)
    clock.advance(10_000)
    await waitUntil(() => pings === 1)
    clock.advance(5_000)
    await answeredPing(session)
    // Nothing comes back from here on: the answers are not even read.
    clock.advance(10_000)
    clock.advance(5_000)
    const { code, message } = await failed
    expect([code, message]).to.deep.equal([14, 'the peer does not answer'])
  })

  it('sends no pings while there are no calls', async () => {
    await start(echo)
    await call('a')
    const [session] = server.sessions
    let pings = 0
    session?.on('ping', () => pings++)
    clock.advance(10_000)
    clock.advance(10_000)
    expect(await call('b')).to.equal('b')
    expect(pings).to.equal(0)
  })

  it('streams both ways, and holds responses back while paused', async () => {
    const streams: Received[] = []
    await start((received) => void streams.push(received))
    const seen: unknown[] = []
    let end: unknown
    const watch = await connection.openWatch(
      method,
      {
        onResponse: (response, self) => {
          seen.push(response)
          if (seen.length === 2) self.pause()
        },
        onEnd: (error) => (end = error),
      },
      { needsLeader: true },
    )
    await waitUntil(() => streams.length === 1)
    const [received] = streams
    if (received === undefined) throw new Error('no call')
    expect(received.headers['hasleader']).to.equal('true')
    received.stream.respond({ ':status': 200 })
    received.stream.write(joined('a', 'b', 'c', 'd'))
    await waitUntil(() => seen.length === 2)
    expect(seen).to.deep.equal(['a', 'b'])
    watch.resume()
    expect(seen).to.deep.equal(['a', 'b', 'c', 'd'])
    received.stream.session?.destroy()
    await waitUntil(() => end !== undefined)
    expect(end).to.be.instanceOf(CallError)
  })
})

/** Address at which a server listens. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // Sound: it listens on a port.
  return `127.0.0.1:${port}`
}

/** Repeats a call that may still be made on the connection that is about to be lost. */
async function waitForLoss(call: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (error instanceof CallError && error.message.startsWith('no connection')) throw error
    }
  }
}
