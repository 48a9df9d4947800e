import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseTraceParent } from '../../apiserver/operations/traceParent.ts'
import { startServer } from '../../apiserver/server.ts'
import { clientOf, namespaces } from '../endpoints/support/testServer.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: object }[]
}

interface Export {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

describe('traces', () => {
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  let collector: Server
  let endpoint: string
  let bodies: string[]

  beforeEach(async () => {
    bodies = []
    collector = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        bodies.push(`${request.url} ${request.headers['content-type']} ${body}`)
        response.end('{}')
      })
    })
    collector.listen(0, '127.0.0.1')
    await once(collector, 'listening')
    endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}` // an address of TCP
  })
  afterEach(() => void collector.close())

  const start = (samplingRatePerMillion: number) =>
    startServer({
      ...{ storage: 'memory', securePort: 0, insecurePort: 0 },
      tracing: { endpoint, samplingRatePerMillion },
    })

  const spans = () =>
    bodies.flatMap((body) => {
      expect(body).to.match(/^\/v1\/traces application\/json \{/)
      const { resourceSpans } = JSON.parse(body.slice(body.indexOf('{'))) as Export
      return resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans))
    })

  it("continue the client's trace, and are exported at the latest at the stop", async () => {
    const running = await start(0)
    const answer = await clientOf(running).get(namespaces, { traceparent: parent })
    const untraced = await clientOf(running).get(namespaces)
    await running.stop()
    const [span, ...more] = spans()
    expect(more).to.deep.equal([])
    expect(span).to.deep.include({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      name: 'GET namespaces',
      kind: 2,
    })
    expect(span?.attributes).to.deep.include.members([
      { key: 'http.response.status_code', value: { intValue: '200' } },
      { key: 'enduser.id', value: { stringValue: 'admin' } },
    ])
    expect(Number(span?.endTimeUnixNano)).to.be.at.least(Number(span?.startTimeUnixNano))
    expect(answer.headers['traceresponse']).to.equal(
      `00-0af7651916cd43dd8448eb211c80319c-${span?.spanId}-01`,
    )
    expect(untraced.headers['traceresponse']).to.equal(undefined)
  })

  it('start at the configured sampling rate', async () => {
    const running = await start(1_000_000)
    await clientOf(running).get(namespaces)
    await running.stop()
    expect(spans().map(({ parentSpanId }) => parentSpanId)).to.deep.equal([undefined])
  })

  it('do not delay requests or the stop when the collector is gone', async () => {
    const running = await start(1_000_000)
    collector.close()
    expect((await clientOf(running).get(namespaces)).status).to.equal(200)
    await running.stop()
    expect(bodies).to.deep.equal([])
  })
})

describe('parseTraceParent', () => {
  const cases = {
    'a sampled parent': ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
    'one that is not sampled': ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', false],
    'a later version with more fields': [
      '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
      true,
    ],
    'a trace of zeros': ['00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined],
    'a span of zeros': ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', undefined],
    'more fields in version 00': [
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
      undefined,
    ],
    'version ff': ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined],
    'upper case': ['00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01', undefined],
    nothing: [undefined, undefined],
  } as const
  for (const [what, [header, isSampled]] of Object.entries(cases))
    it(`reads ${what}`, () => {
      expect(parseTraceParent(header)?.isSampled).to.equal(isSampled)
    })
})
