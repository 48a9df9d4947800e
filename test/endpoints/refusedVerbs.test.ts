import { expect } from 'chai'
import { writeError } from '../../apiserver/endpoints/response/response.ts'
import { TurnEnd } from '../../apiserver/endpoints/response/turnEnd.ts'
import type { Exchange } from '../../apiserver/endpoints/exchange.ts'
import { management, useTestServer } from './support/testServer.ts'

describe('unsupported requests', () => {
  const server = useTestServer()

  it('a watch of a kind that supports list but not watch: 405 with its name (reference 5.1)', async () => {
    const answer = await server().admin.get(`${management}/configs?watch=true`)
    expect(answer.json).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'watch is not supported on resources of kind "configs.management.platform"',
      reason: 'MethodNotAllowed',
      details: { group: 'management.platform', kind: 'configs' },
      code: 405,
    })
  })

  it('a watch of a kind that cannot be listed: 405 of the route (reference 5.1)', async () => {
    const reviews = '/apis/authentication.k8s.io/v1/tokenreviews'
    const answer = await server().admin.get(`${reviews}?watch=true`)
    expect([answer.status, answer.field('message')]).to.deep.equal([
      405,
      'the server does not allow this method on the requested resource',
    ])
  })

  it('a request that opens a connection has no dry run: 400 (reference 1.14)', async () => {
    const { admin } = server()
    const pods = '/api/v1/namespaces/default/pods'
    await admin.post(pods, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    })
    const answer = await admin.post(`${pods}/p/exec?dryRun=All&command=ls`, {})
    expect([answer.status, answer.field('message')]).to.deep.equal([400, 'dryRun is not supported'])
  })

  it('an internal error is logged, and sent to the client without its message: 500 (reference 1.6)', async () => {
    const written: unknown[] = []
    const reported: unknown[] = []
    const response = {
      writableEnded: false,
      headersSent: false,
      setHeader: () => undefined,
      writeHead: (...head: unknown[]) => void written.push(head[0]),
      end: (body: Buffer) => void written.push(JSON.parse(String(body))),
      once: () => undefined,
      destroy: () => expect.fail('nothing was written'),
    }
    // The members used for writing an error.
    const turnEnd = new TurnEnd()
    const exchange = {
      request: { headers: {}, httpVersionMajor: 1 },
      response,
      turnEnd,
      query: new URLSearchParams(),
      warnings: new Set(),
      method: 'GET',
    } as unknown as Exchange
    const mistake = new TypeError('secret is undefined')
    writeError(exchange, mistake, (error) => reported.push(error))
    expect(reported.map((error) => (error as Error).cause)).to.deep.equal([mistake])
    await turnEnd.wait()
    expect(written).to.deep.equal([
      500,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'an error on the server ("") has prevented the request from succeeding',
        reason: 'InternalError',
        details: {},
        code: 500,
      },
    ])
  })
})
