import { expect } from 'chai'
import { ConversionServer } from '../../support/servers/conversionServer.ts'
import { definitionsPath } from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { web, webDefinition, webs } from '../../support/kinds/webDefinition.ts'
import { useTestServer } from '../../endpoints/support/testServer.ts'

describe('conversion by a hostile webhook', () => {
  const server = useTestServer()
  let hook: ConversionServer
  before(async () => {
    hook = await ConversionServer.open()
    await server().admin.post(definitionsPath, webDefinition(hook.clientConfig))
  })
  beforeEach(() => {
    hook.misbehave = undefined
  })
  after(() => hook.close())

  it('does not delay other requests while it hangs, and refuses calls beyond a hundred with 429', async () => {
    const { admin } = server()
    const names = Array.from({ length: 103 }, (_, at) => `h${at}`)
    await Promise.all(names.map((name) => admin.post(webs('v1'), web('v1', name, 1))))
    const held: (() => void)[] = []
    hook.misbehave = (response, http) => {
      const { uid, convertedObjects } = response
      const answer = { uid, result: { status: 'Failed', message: 'late' }, convertedObjects }
      held.push(() =>
        http.end(
          `${JSON.stringify({ kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response: answer })}`,
        ),
      )
      return undefined
    }
    const reads = names.map((name) => admin.get(webs('v2', name)))
    await waitUntil(() => held.length === 100)
    expect((await admin.get('/api/v1/namespaces/default')).status).to.equal(200)
    expect((await admin.get(webs('v1', 'h0'))).status).to.equal(200)
    const early = await Promise.race(reads)
    expect([early.status, early.field('message')]).to.deep.equal([
      429,
      'conversion webhook for g.example.com/v1, Kind=Web failed: too many calls of it are running',
    ])
    for (const release of held) release()
    const codes = (await Promise.all(reads)).map(({ status }) => status)
    const countOf = (code: number) => codes.filter((one) => one === code).length
    expect([countOf(500), countOf(429)]).to.deep.equal([100, 3])
  })

  const bodies = {
    'of 20 MiB': () => 'x'.repeat(20 * 1024 * 1024),
    'of 100,000 nested lists': (uid: string, object: unknown) => {
      const spec = `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
      const made = JSON.stringify(object).replace(/"spec":\{[^}]*\}/, `"spec":${spec}`)
      const response = `{"uid":"${uid}","result":{"status":"Success"},"convertedObjects":[${made}]}`
      return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":${response}}`
    },
  }
  for (const [name, bodyOf] of Object.entries(bodies)) {
    it(`fails on a response ${name}, and recovers`, async () => {
      const { admin } = server()
      await admin.post(webs('v1'), web('v1', 'big', 1))
      hook.misbehave = ({ uid, convertedObjects }, http) => {
        http.end(bodyOf(uid, convertedObjects[0]))
        return undefined
      }
      const read = await admin.get(webs('v2', 'big'))
      expect([read.status, read.field('reason')]).to.deep.equal([500, 'InternalError'])
      expect((await admin.get(webs('v1', 'big'))).status).to.equal(200)
    })
  }
})
