import { expect } from 'chai'
import { writeBody } from '../../apiserver/endpoints/response/response.ts'
import { openChainServer, type ChainServer } from './support/chainServer.ts'

describe('refuseWhenStopping', () => {
  let server: ChainServer
  let isStopping = false

  before(async () => {
    server = await openChainServer({
      isStopping: () => isStopping,
      serveDocument: async (exchange) => {
        await writeBody(exchange, Buffer.from('here\n'), { code: 200, mediaType: 'text/plain' })
        return true
      },
    })
  })
  after(() => server.close())

  it('requests while the server stops get 429 in plain text, on known and unknown paths (reference 1.7)', async () => {
    expect((await server.as('bob').get('/version')).text).to.equal('here\n')
    isStopping = true
    for (const token of ['bob', 'nobody']) {
      const answer = await server.as(token).get('/apis?timeout=x')
      const { headers } = answer
      expect([answer.status, answer.text]).to.deep.equal([
        429,
        'The apiserver is shutting down, please try again later.\n',
      ])
      expect([headers.connection, headers['retry-after'], headers['content-type']]).to.deep.equal([
        'close',
        '5',
        'text/plain; charset=utf-8',
      ])
    }
  })

  for (const path of ['/readyz', '/livez/ping', '/healthz', '/metrics']) {
    it(`${path} responds until the end (reference 1.7)`, async () => {
      isStopping = true
      expect((await server.as('bob').get(path)).status).to.equal(200)
    })
  }
})
