import { expect } from 'chai'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { deadline } from '../../support/deadlines.ts'
import { Link } from './link.ts'
import { ownerOf, PeerLink } from './peerLink.ts'

/** Echoes every chunk. */
async function echo(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function asked(socket: Socket): Promise<string> {
  socket.write('ping')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer.toString()
}

describe('Link', () => {
  let server: Server
  let link: Link
  let socket: Socket
  beforeEach(async () => {
    const far = await echo()
    server = far.server
    link = await Link.open(far.port)
    socket = await opened(link.port)
  })
  afterEach(async () => {
    await link.close()
    socket.destroy()
    server.close()
  })

  it('passes bytes while it is open', async () => {
    expect(await asked(socket)).to.equal('ping')
  })

  it('ends connections and refuses new ones while it is cut', async () => {
    expect(await asked(socket)).to.equal('ping')
    const closed = once(socket, 'close')
    link.set('cut')
    await closed
    const next = await opened(link.port)
    await once(next, 'close')
    link.set('open')
    const last = await opened(link.port)
    expect(await asked(last)).to.equal('ping')
    last.destroy()
  })

  it('holds bytes back, and passes them in order afterwards', async () => {
    expect(await asked(socket)).to.equal('ping')
    link.set('held')
    let got = ''
    socket.on('data', (piece: Buffer) => (got += piece.toString()))
    socket.write('one ')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(got).to.equal('')
    socket.write('two')
    link.set('open')
    while (got !== 'one two') await once(socket, 'data')
  })

  it('delays each piece in both directions', async () => {
    expect(await asked(socket)).to.equal('ping')
    link.set({ delayMs: 40 })
    const began = performance.now()
    expect(await asked(socket)).to.equal('ping')
    expect(performance.now() - began).to.be.within(75, deadline(400))
  })
})

describe('PeerLink', () => {
  it('refuses connections of the processes that it is told', async () => {
    const { server, port } = await echo()
    const link = await PeerLink.open(port, () => [1, process.pid])
    const socket = await opened(link.port)
    expect(ownerOf(socket.localPort ?? 0, [1, process.pid])).to.equal(process.pid)
    expect(await asked(socket)).to.equal('ping')
    link.refuse([0])
    expect(await asked(socket)).to.equal('ping')
    const closed = once(socket, 'close')
    link.refuse([1])
    await closed
    const next = await opened(link.port)
    await once(next, 'close')
    link.refuse([])
    const last = await opened(link.port)
    expect(await asked(last)).to.equal('ping')
    last.destroy()
    await link.close()
    server.close()
  })
})
