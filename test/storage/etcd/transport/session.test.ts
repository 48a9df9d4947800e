import { expect } from 'chai'
import { connect, createServer, type AddressInfo } from 'node:net'
import { CallError } from '../../../../apiserver/storage/etcd/callErrors.ts'
import { Session } from '../../../../apiserver/storage/etcd/transport/session.ts'
import { FakeClock } from '../../../support/fakes/fakeClock.ts'
import { waitUntil } from '../../../support/waitUntil.ts'
import { GrpcServer, respond, type Received } from './grpcServer.ts'

const headers = { ':method': 'POST', ':path': '/test/Echo' }

/** Session with the server on a port, and its events. */
function sessionWith(port: number, lastStream?: number) {
  const clock = new FakeClock(0)
  const seen = { isReady: false, closed: [] as string[] }
  const session = new Session({
    socket: connect(port, '127.0.0.1'),
    clock,
    onReady: () => (seen.isReady = true),
    onClosed: ({ message }) => seen.closed.push(message),
    ...(lastStream === undefined ? {} : { lastStream }),
  })
  return { session, clock, seen }
}

describe('Session', () => {
  it('refuses a peer that is not HTTP/2', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // Sound: it listens on a port.
    const { seen, clock } = sessionWith(port)
    await waitUntil(() => seen.closed.length > 0)
    expect(seen).to.deep.equal({ isReady: false, closed: ['Protocol error'] })
    expect(clock.timers).to.equal(0)
    server.close()
  })

  it('opens no more calls after the last number of a stream, and finishes those in progress', async () => {
    const received: Received[] = []
    const server = await GrpcServer.start((given) => void received.push(given))
    const { session, seen } = sessionWith(server.port, 1)
    await waitUntil(() => seen.isReady)
    const ends: (CallError | undefined)[] = []
    const onEnd = (error: CallError | undefined): void => void ends.push(error)
    const call = session.open(headers, { onMessage: () => undefined, onEnd })
    call.send(Buffer.from('a'), { isLast: true })
    expect(session.isOpen).to.equal(false)
    expect(() => session.open(headers, { onMessage: () => undefined, onEnd })).to.throw(CallError)
    await waitUntil(() => received.length === 1)
    for (const { stream } of received) respond(stream, 'done')
    await waitUntil(() => seen.closed.length > 0)
    expect(ends).to.deep.equal([undefined])
    expect(seen.closed).to.deep.equal(['the connection has no more streams'])
    await server.stop()
  })
})
