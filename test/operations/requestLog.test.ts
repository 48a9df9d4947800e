import { expect } from 'chai'
import { RequestLog } from '../../apiserver/operations/requestLog.ts'
import { startServer } from '../../apiserver/server.ts'
import type { GivenServerOptions } from '../../apiserver/runtime/options/serverOptions.ts'
import type { Exchange } from '../../apiserver/endpoints/exchange.ts'
import { clientOf, namespaces } from '../endpoints/support/testServer.ts'
import { RawSocket } from '../endpoints/support/rawSocket.ts'
import { waitUntil } from '../support/waitUntil.ts'

type Line = Record<string, unknown>

/** Server with these options and the lines of its log. */
async function logged(options: GivenServerOptions) {
  const lines: string[] = []
  const common = { storage: 'memory', securePort: 0, insecurePort: 0 } as const
  const logTo = { write: (line: string) => void lines.push(line) }
  const running = await startServer({ ...common, ...options }, { logTo })
  const parsed = () => lines.map((line) => JSON.parse(line) as Line)
  return { running, admin: clientOf(running), lines, parsed }
}

describe('server logs', () => {
  it('have a line for each request at debug', async () => {
    const { running, admin, parsed } = await logged({ logLevel: 'debug' })
    const path = `${namespaces}/default/configmaps`
    await admin.post(`${path}?secret=1`, { metadata: { name: 'logged' } })
    const own = () => parsed().filter(({ msg, path: of }) => msg === 'request' && of === path)
    await waitUntil(() => own().length === 1)
    const [{ durationMs, revision, auditId, time, ...rest } = {}] = own()
    expect(rest).to.deep.equal({
      level: 'debug',
      user: 'admin',
      method: 'POST',
      verb: 'create',
      path,
      resource: 'configmaps',
      namespace: 'default',
      status: 201,
      msg: 'request',
    })
    expect([durationMs, revision].map((value) => typeof value)).to.deep.equal(['number', 'number'])
    expect(auditId).to.be.a('string')
    expect(time).to.be.a('string')
    await running.stop()
  })

  it('have a line for a watch when it ends', async () => {
    const { running, admin, parsed } = await logged({ logLevel: 'debug' })
    const watch = await admin.open(`${namespaces}?watch=1`)
    watch.destroy()
    await waitUntil(() => parsed().some(({ verb, status }) => verb === 'watch' && status === 200))
    await running.stop()
  })

  it('have status 500 for a request whose client left while sending its body', async () => {
    const { running, parsed } = await logged({ logLevel: 'debug' })
    const socket = await RawSocket.open(Number(new URL(running.insecureUrl ?? '').port))
    socket.write(
      `POST ${namespaces} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${running.adminAccessKey}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 500\r\nExpect: 100-continue\r\n\r\n{"a"',
    )
    await socket.until('100 Continue')
    socket.close()
    const left = () => parsed().find(({ method, path }) => method === 'POST' && path === namespaces)
    await waitUntil(() => left() !== undefined)
    expect(left()?.['status']).to.equal(500)
    await running.stop()
  })

  it('report start and stop at info, and no requests', async () => {
    const { running, admin, parsed } = await logged({ logLevel: 'info' })
    await admin.get(namespaces)
    await running.stop()
    const messages = parsed().map(({ msg }) => msg)
    expect(messages).to.deep.equal(['starting', 'serving', 'stopping', 'stopped'])
  })

  it('are plain text on request', async () => {
    const { running, lines } = await logged({ logLevel: 'info', logFormat: 'text' })
    await running.stop()
    expect(lines[0]).to.match(
      /^\d\d:\d\d:\d\d\.\d{3} INFO {2}starting {25}version=\S+ node=\S+ pid=\d+\n$/,
    )
  })

  it('report slow requests at info, with the time spent in filters', () => {
    const lines: unknown[] = []
    const write = (level: string) => (fields: unknown, message: string) =>
      void lines.push([level, message, fields])
    const log = { info: write('info'), debug: write('debug') } as unknown as ConstructorParameters<
      typeof RequestLog
    >[0]['log'] // the log uses these two alone
    const requests = new RequestLog({ log, logsAll: false, revision: () => 7 })
    const exchange = {
      info: { verb: 'list', group: '', resource: 'pods', subresource: '', namespace: '', name: '' },
      ...{ method: 'GET', path: '/api/v1/pods', user: { name: 'jane' }, auditId: 'a' },
      response: { statusCode: 200, headersSent: true, writableEnded: true },
      filtersMs: { authentication: 900 },
    } as unknown as Exchange // the log reads these fields alone
    requests.ended(exchange, 0.999)
    requests.ended(exchange, 1.5)
    expect(lines).to.deep.equal([
      [
        'info',
        'slow request',
        {
          ...{ user: 'jane', method: 'GET', verb: 'list', path: '/api/v1/pods', resource: 'pods' },
          ...{ status: 200, durationMs: 1500, revision: 7, auditId: 'a' },
          filtersMs: { authentication: 900 },
        },
      ],
    ])
  })
})
