import { expect } from 'chai'
import {
  healthResultsOf,
  serveHealth,
  type HealthCheck,
} from '../../../apiserver/endpoints/documents/health.ts'
import { openChainServer, type ChainServer } from '../support/chainServer.ts'

describe('serveHealth', () => {
  let server: ChainServer
  let broken: string | undefined
  const check = (name: string): HealthCheck => ({
    name,
    check: () => {
      if (broken === name) throw new Error('out of order')
    },
  })
  const checks = [check('ping'), check('log'), { ...check('shutdown'), roots: ['readyz'] }] as const

  before(async () => {
    server = await openChainServer({
      serveDocument: async (exchange) => serveHealth(exchange, checks),
    })
  })
  after(() => server.close())
  beforeEach(() => (broken = undefined))

  const cases = [
    ['/healthz', 'ok'],
    ['/livez', 'ok'],
    ['/readyz', 'ok'],
    ['/healthz?verbose', '[+]ping ok\n[+]log ok\nhealthz check passed\n'],
    ['/livez?verbose=false', '[+]ping ok\n[+]log ok\nlivez check passed\n'],
    ['/readyz?verbose=1', '[+]ping ok\n[+]log ok\n[+]shutdown ok\nreadyz check passed\n'],
    ['/healthz?exclude=log', 'ok'],
    [
      '/healthz?verbose&exclude=log&exclude=ping',
      '[+]ping excluded: ok\n[+]log excluded: ok\nhealthz check passed\n',
    ],
    [
      '/healthz?verbose&exclude=nothing',
      '[+]ping ok\n[+]log ok\nwarn: some health checks cannot be excluded: no matches for "nothing"\nhealthz check passed\n',
    ],
  ] as const
  for (const [path, text] of cases) {
    it(`${path}, with and without a token (reference 6.8)`, async () => {
      for (const client of [server.as('bob'), server.as('bob').with({ authorization: '' })]) {
        const answer = await client.get(path)
        expect([answer.status, answer.text]).to.deep.equal([200, text])
        expect([
          answer.headers['content-type'],
          answer.headers['x-content-type-options'],
        ]).to.deep.equal(['text/plain; charset=utf-8', 'nosniff'])
      }
    })
  }

  for (const path of ['/healthz/log', '/readyz/shutdown']) {
    it(`${path} requires the right to read it, and its type is not fixed (seen on kube-apiserver 1.37.2)`, async () => {
      const [admin, nobody] = [server.as('bob'), server.as('bob').with({ authorization: '' })]
      const answer = await admin.get(path)
      expect([answer.status, answer.text, answer.headers['x-content-type-options']]).to.deep.equal([
        200,
        'ok',
        undefined,
      ])
      expect((await nobody.get(path)).status).to.equal(401)
    })
  }

  const failing = [
    ['/healthz', '[+]ping ok\n[-]log failed: reason withheld\nhealthz check failed\n'],
    ['/healthz/log', 'internal server error: out of order\n'],
    [
      '/readyz?exclude=ping',
      '[+]ping excluded: ok\n[-]log failed: reason withheld\n[+]shutdown ok\nreadyz check failed\n',
    ],
  ] as const
  for (const [path, text] of failing) {
    it(`${path} is 500 if a check fails (reference 6.8)`, async () => {
      broken = 'log'
      const answer = await server.as('bob').get(path)
      expect([answer.status, answer.text]).to.deep.equal([500, text])
    })
  }

  it('an excluded failing check does not count (reference 6.8)', async () => {
    broken = 'log'
    for (const path of ['/healthz?exclude=log', '/livez/ping']) {
      const answer = await server.as('bob').get(path)
      expect([answer.status, answer.text]).to.deep.equal([200, 'ok'])
    }
  })

  it('counts the results of each check by the path that asked it', async () => {
    const own = [check('ping'), check('log')]
    const other = await openChainServer({
      serveDocument: async (exchange) => serveHealth(exchange, own),
    })
    try {
      await other.as('bob').get('/livez/ping')
      broken = 'log'
      await other.as('bob').get('/readyz')
      await other.as('bob').get('/readyz?exclude=log')
    } finally {
      await other.close()
    }
    const lines = healthResultsOf(own).text().split('\n')
    expect(lines.filter((line) => line.startsWith('kubernetes_'))).to.deep.equal([
      'kubernetes_healthcheck{name="log",type="readyz"} 0',
      'kubernetes_healthcheck{name="ping",type="livez"} 1',
      'kubernetes_healthcheck{name="ping",type="readyz"} 1',
      'kubernetes_healthchecks_total{name="log",status="error",type="readyz"} 1',
      'kubernetes_healthchecks_total{name="ping",status="success",type="livez"} 1',
      'kubernetes_healthchecks_total{name="ping",status="success",type="readyz"} 2',
    ])
  })

  for (const path of [
    '/readyz/',
    '/healthz/nothing',
    '/healthz/shutdown',
    '/healthz/log/more',
    '/healthzz',
  ]) {
    it(`${path} is 404`, async () => {
      const answer = await server.as('bob').get(path)
      expect([answer.status, answer.field('kind')]).to.deep.equal([404, 'Status'])
    })
  }
})
