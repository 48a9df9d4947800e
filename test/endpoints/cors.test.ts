import { expect } from 'chai'
import { writeBody } from '../../apiserver/endpoints/response/response.ts'
import { openChainServer, type ChainServer } from './support/chainServer.ts'

const origin = 'https://console.example.dev'
const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH'
const headersAllowed =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since, X-Platform-Client, X-Sleep-Mode-Ignore, Impersonate-User, Impersonate-Group, Impersonate-Uid, Impersonate-Joined-Group'

describe('allowOrigin', () => {
  let server: ChainServer
  let closed: ChainServer

  const options = {
    serveDocument: async (exchange: Parameters<typeof writeBody>[0]) => {
      await writeBody(exchange, Buffer.from('here\n'), { code: 200, mediaType: 'text/plain' })
      return true
    },
  }

  before(async () => {
    server = await openChainServer({ ...options, allowsOrigin: (one) => one === origin })
    closed = await openChainServer(options)
  })
  after(async () => {
    await server.close()
    await closed.close()
  })

  it('a page of an allowed origin gets the CORS headers (reference 1.3)', async () => {
    const { status, headers } = await server.as('bob').get('/version', { origin })
    expect(status).to.equal(200)
    expect(headers).to.deep.include({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': headersAllowed,
      'access-control-expose-headers': 'Date',
      'access-control-allow-credentials': 'true',
    })
  })

  it('a preflight request is 204, before authentication (reference 1.3)', async () => {
    const answer = await server
      .as('nobody')
      .call('/apis', { method: 'OPTIONS', headers: { origin } })
    expect([answer.status, answer.text]).to.deep.equal([204, ''])
    expect(answer.headers['access-control-allow-origin']).to.equal(origin)
  })

  it('refusals have the headers too, so that the page can read them (reference 1.3)', async () => {
    const answer = await server.as('nobody').get('/apis', { origin })
    expect([answer.status, answer.headers['access-control-allow-origin']]).to.deep.equal([
      401,
      origin,
    ])
  })

  const others = [
    ['another origin', () => server.as('bob').get('/version', { origin: 'https://evil.dev' })],
    ['no origin', () => server.as('bob').get('/version')],
    ['a server without origins', () => closed.as('bob').get('/version', { origin })],
  ] as const
  for (const [what, call] of others) {
    it(`${what}: served, without these headers (reference 1.3)`, async () => {
      const answer = await call()
      const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))
      expect([answer.status, names]).to.deep.equal([200, []])
    })
  }
})
