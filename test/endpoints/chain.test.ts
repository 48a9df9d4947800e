import { expect } from 'chai'
import { writeBody } from '../../apiserver/endpoints/response/response.ts'
import type { Exchange } from '../../apiserver/endpoints/exchange.ts'
import { openChainServer, type ChainServer } from './support/chainServer.ts'
import { badRequest, failure } from './support/status.ts'

/** Requests to `/held` wait until they are released. */
class Gate {
  readonly #waiting: (() => void)[] = []
  #arrived: () => void = () => undefined
  count = 0

  async hold(exchange: Exchange): Promise<boolean> {
    if (exchange.path !== '/held') {
      await writeBody(exchange, Buffer.from('free\n'), { code: 200, mediaType: 'text/plain' })
      return true
    }
    this.count++
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
      this.#arrived()
    })
    await writeBody(exchange, Buffer.from('let go\n'), { code: 200, mediaType: 'text/plain' })
    return true
  }

  async holding(count: number): Promise<void> {
    while (this.count < count) await new Promise<void>((resolve) => (this.#arrived = resolve))
  }

  letGo(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
    this.count = 0
  }
}

describe('the filter chain', () => {
  let server: ChainServer
  const gate = new Gate()

  beforeEach(async () => {
    server = await openChainServer({
      serveDocument: (exchange) => gate.hold(exchange),
      limits: { maxReadOnly: 1, maxMutating: 1 },
    })
  })
  afterEach(async () => {
    gate.letGo()
    await server.close()
  })

  describe('limitInFlight', () => {
    for (const method of ['GET', 'POST']) {
      it(`a ${method} above the limit is 429 in plain text (reference 1.7, 2.6)`, async () => {
        const bob = server.as('bob')
        const held = bob.call('/held', { method })
        await gate.holding(1)
        const refused = await bob.call('/free', { method, headers: { 'audit-id': 'mine' } })
        expect([refused.status, refused.text]).to.deep.equal([
          429,
          'Too many requests, please try again later.\n',
        ])
        const { headers } = refused
        expect([headers['content-type'], headers['retry-after']]).to.deep.equal([
          'text/plain; charset=utf-8',
          '1',
        ])
        expect([headers['audit-id'], headers['cache-control']]).to.deep.equal([
          'mine',
          'no-cache, private',
        ])
        gate.letGo()
        expect((await held).text).to.equal('let go\n')
        expect((await bob.call('/free', { method })).text).to.equal('free\n')
      })
    }

    it('reads and writes are counted separately, and system:masters are never refused (reference 1.7)', async () => {
      const held = server.as('bob').get('/held')
      await gate.holding(1)
      const answers = [
        await server.as('bob').post('/free', ''),
        await server.as('master').get('/free'),
      ]
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200])
      gate.letGo()
      await held
    })

    it('the last tenth of the places is for users who hold fewer', async () => {
      server.limits.maxReadOnly = 20
      const bob = server.as('bob')
      const held = Array.from({ length: 18 }, () => bob.get('/held'))
      await gate.holding(18)
      const refused = await bob.get('/free')
      const other = await server.as('ann').get('/free')
      expect([refused.status, other.status]).to.deep.equal([429, 200])
      gate.letGo()
      await Promise.all(held)
      expect((await bob.get('/free')).status).to.equal(200)
      expect([...server.limits.byUser.readOnly]).to.deep.equal([])
    })

    it('an unknown token is 401 under load too (reference 1.1)', async () => {
      const held = server.as('bob').get('/held')
      await gate.holding(1)
      expect((await server.as('nobody').get('/free')).status).to.equal(401)
      gate.letGo()
      await held
    })

    it('a disconnecting client frees its place', async () => {
      const held = server
        .as('bob')
        .open('/held')
        .catch(() => undefined)
      await gate.holding(1)
      expect(server.limits.readOnly).to.equal(1)
      await server.close()
      await held
      expect(server.limits.readOnly).to.equal(0)
      server = await openChainServer()
    })
  })

  describe('setDeadline', () => {
    const refused = [
      ['abc', 'time: invalid duration "abc"'],
      ['5', 'time: missing unit in duration "5"'],
      ['5x', 'time: unknown unit "x" in duration "5x"'],
    ] as const
    it('a timeout of excessive length is refused without parsing it (reference 1.6)', async () => {
      const answer = await server.as('nobody').get(`/apis?timeout=${'1h'.repeat(100)}`)
      expect([answer.status, answer.field('message')]).to.deep.equal([
        400,
        'invalid timeout specified in the request URL',
      ])
    })

    for (const [text, why] of refused) {
      it(`timeout=${text} is 400, before authentication (reference 1.6)`, async () => {
        const answer = await server.as('nobody').get(`/free?timeout=${text}`)
        const message = `invalid timeout specified in the request URL - ${why}`
        expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
      })
    }

    const deadlines = [
      ['', 60_000],
      ['?timeout=5s', 5_000],
      ['?timeout=1m', 60_000],
      ['?timeout=0', 60_000],
      ['?timeout=0s', 60_000],
      ['?timeout=-5s', 60_000],
      ['?timeout=2h', 60_000],
    ] as const
    for (const [query, ms] of deadlines) {
      it(`${query === '' ? 'no timeout' : query} ends after ${ms} ms: 504 (reference 1.6)`, async () => {
        const held = server.as('master').get(`/held${query}`)
        await gate.holding(1)
        server.clock.advance(ms - 1)
        expect(server.clock.timers).to.equal(1)
        server.clock.advance(1)
        const answer = await held
        const message = 'Timeout: request did not complete within the allotted timeout'
        expect([answer.status, answer.json]).to.deep.equal([
          504,
          failure(504, 'Timeout', message, {}),
        ])
        // Errors of the handler after that are not a bug.
        gate.letGo()
        await server.as('master').get('/free')
        expect(server.reported).to.deep.equal([])
        const { ok, error } = server.tallies.late
        expect(ok + error, '6.8: apiserver_request_post_timeout_total').to.equal(1)
      })
    }

    it('leaves no timer behind', async () => {
      await server.as('master').get('/free')
      await server.as('nobody').get('/free')
      await server.close()
      expect(server.clock.timers).to.equal(0)
      server = await openChainServer()
    })
  })

  for (const [how, authorize] of [
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ] as const) {
    it(`an authorizer that ${how} allows nothing: 500 in plain text, and is reported (reference 2.4)`, async () => {
      await server.close()
      server = await openChainServer({ authorize })
      const { status, text, headers } = await server.as('master').get('/free?a=b')
      expect([status, text]).to.deep.equal([500, 'Internal Server Error: "/free?a=b": broken\n'])
      expect(headers['x-content-type-options']).to.equal('nosniff')
      expect(server.reported.map(String)).to.deep.equal(['Error: broken'])
    })
  }

  it('an unexpected error is 500 without a reason, and is reported (reference 2.1)', async () => {
    await server.close()
    const bug = new Error('a bug')
    server = await openChainServer({
      serveDocument: () => Promise.reject(bug),
    })
    const answer = await server.as('master').get('/free')
    expect([answer.status, answer.json]).to.deep.equal([500, failure(500, '', 'a bug')])
    expect(server.reported.map((error) => (error as Error).cause)).to.deep.equal([bug])
  })
})
