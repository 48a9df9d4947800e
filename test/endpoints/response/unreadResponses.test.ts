import { expect } from 'chai'
import type { Exchange } from '../../../apiserver/endpoints/exchange.ts'
import { writeBody } from '../../../apiserver/endpoints/response/response.ts'
import { sliceBytes } from '../../../apiserver/meta/waiting/writeSlices.ts'
import { UnreadAnswers } from '../../../apiserver/endpoints/response/unreadResponses.ts'
import { openChainServer, type ChainServer } from '../support/chainServer.ts'
import { RawSocket } from '../support/rawSocket.ts'
import { failure } from '../support/status.ts'
import { waitUntil } from '../../support/waitUntil.ts'

const bytes = (length: number) => Buffer.alloc(length)

describe('UnreadAnswers', () => {
  let unread: UnreadAnswers

  beforeEach(() => {
    unread = new UnreadAnswers(100)
  })

  it('refuses responses when there is no room left, until something was read', () => {
    const release = unread.hold('a', [bytes(95)])
    expect(unread.hold('a', [bytes(1)])).to.equal(undefined)
    release?.()
    expect(unread.hold('a', [bytes(1)])).to.be.a('function')
  })

  it('keeps the last tenth for users who hold less than a tenth', () => {
    unread.hold('a', [bytes(91)])
    expect(unread.hold('a', [bytes(1)])).to.equal(undefined)
    expect(unread.hold('b', [bytes(9)])).to.be.a('function')
    expect(unread.hold('c', [bytes(1)])).to.equal(undefined)
  })

  it('counts shared bytes once, as long as one response keeps them', () => {
    const shared = bytes(60)
    const releases = ['a', 'b', 'c'].map((user) => unread.hold(user, [shared]))
    expect(unread.hold('a', [bytes(35)])).to.be.a('function')
    releases[0]?.()
    expect(unread.hasRoom('d')).to.equal(true)
    expect(unread.hold('d', [bytes(5)])).to.be.a('function')
    expect(unread.hold('e', [bytes(1)])).to.equal(undefined)
    releases[1]?.()
    releases[2]?.()
    expect(unread.hold('e', [bytes(1)])).to.be.a('function')
  })

  it('accepts bytes already kept for another response, and responses that are never refused', () => {
    const shared = bytes(100)
    unread.hold('a', [shared])
    expect(unread.hold('b', [shared])).to.be.a('function')
    expect(unread.hold('c', [bytes(100)], { always: true })).to.be.a('function')
  })

  it('counts memory besides the parts', () => {
    const release = unread.hold('a', [bytes(10)], { more: 85 })
    expect(unread.hasRoom('a')).to.equal(false)
    release?.()
    expect(unread.hasRoom('a')).to.equal(true)
  })
})

describe('unread responses', () => {
  // More than the socket buffers of both sides hold.
  const large = 16 * 1024 * 1024
  let server: ChainServer
  let port: number

  beforeEach(async () => {
    const shared = bytes(large)
    const serveDocument = async (exchange: Exchange) => {
      const unshared = exchange.path === '/large' ? large : 20_000
      const body = exchange.path === '/shared' ? shared : bytes(unshared)
      await writeBody(exchange, body, { code: 200, mediaType: 'text/plain' })
      return true
    }
    const limits = { unread: new UnreadAnswers(2 * large) }
    server = await openChainServer({ serveDocument, limits })
    port = server.port
  })

  afterEach(() => server.close())

  async function open(token: string, path = '/large'): Promise<RawSocket> {
    const raw = await RawSocket.open(port)
    raw.socket.pause()
    raw.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    return raw
  }

  it('are sent until there is no room, then 429, but not for other users or masters', async () => {
    const held = [await open('bob'), await open('bob')]
    const { limits } = server
    await waitUntil(() => limits.readOnly === 2 && !limits.unread.hasRoom('bob'))
    const refused = await server.as('bob').get('/large')
    expect([refused.status, refused.headers['retry-after'], refused.json]).to.deep.equal([
      429,
      '1',
      failure(429, 'TooManyRequests', 'too many answers wait to be read, please try again later', {
        retryAfterSeconds: 1,
      }),
    ])
    expect((await server.as('master').get('/large')).status).to.equal(200)
    held[0]?.close()
    await waitUntil(() => limits.unread.hasRoom('bob'))
    expect((await server.as('ann').get('/large')).status).to.equal(200)
    held[1]?.close()
  })

  it('that share their bytes count as one, plus the slice that each connection encrypts', async () => {
    const { limits } = server
    const held = await Promise.all(Array.from({ length: 8 }, () => open('bob', '/shared')))
    await waitUntil(() => limits.readOnly === held.length)
    const slices = held.length * sliceBytes
    const rest = 2 * large - (large + slices)
    expect(limits.unread.hold('ann', [], { more: rest - 1 })).to.be.a('function')
    expect(limits.unread.hasRoom('cid')).to.equal(true)
    expect(limits.unread.hold('cid', [], { more: 1 })).to.be.a('function')
    expect(limits.unread.hasRoom('cid')).to.equal(false)
    for (const raw of held) raw.close()
  })

  it('are sent completely when the client reads on', async () => {
    const raw = await open('bob')
    await waitUntil(() => server.limits.readOnly === 1)
    let received = 0
    raw.socket.on('data', (text: string) => (received += text.length))
    raw.socket.resume()
    await waitUntil(() => received > large)
    raw.close()
  })
})
