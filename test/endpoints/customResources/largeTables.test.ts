import { expect } from 'chai'
import { deadline } from '../../support/deadlines.ts'
import { LoopMeter } from '../support/loopMeter.ts'
import { useTestServer } from '../support/testServer.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const boxes = '/apis/example.com/v1/namespaces/default/boxes'
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const asMetadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
const columns = 100
const rows = 100

describe('lists of custom objects as tables', function () {
  this.timeout(60_000)
  const server = useTestServer()

  before(async () => {
    const { admin } = server()
    const paths = Array.from({ length: columns }, (_, at) => (at === 0 ? '.spec' : '..none'))
    const made = await admin.post(definitions, {
      metadata: { name: 'boxes.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'boxes', kind: 'Box' },
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true },
            additionalPrinterColumns: paths.map((jsonPath, at) => ({
              ...{ name: `c${at}`, type: 'string', jsonPath },
            })),
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    })
    expect(made.status, made.text).to.equal(201)
    const list = Array.from({ length: 1_000 }, (_, at) => ({ at }))
    for (let at = 0; at < rows; at++) {
      const object = { apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: `a${at}` } }
      const { status, text } = await admin.post(boxes, { ...object, spec: { list } })
      expect(status, text).to.equal(201)
    }
  })

  it('leave the event loop to others between rows', async () => {
    const meter = new LoopMeter()
    const { status, json } = await server().admin.get(boxes, { accept: asTable })
    const longest = meter.take()
    meter.stop()
    expect(status).to.equal(200)
    expect(json).to.have.property('rows').with.length(rows)
    // All rows take about 700 ms.
    expect(longest).to.be.below(deadline(50))
  })

  for (const { name, accept } of [
    { name: 'tables', accept: asTable },
    { name: 'metadata', accept: asMetadata },
  ]) {
    it(`are the same in parts and as a whole: ${name}`, async () => {
      for (const query of ['limit=0', 'limit=2', 'labelSelector=none']) {
        const inParts = await server().admin.get(`${boxes}?${query}`, { accept })
        const whole = await server().admin.get(`${boxes}?${query}&pretty=1`, { accept })
        expect(inParts.text).to.equal(`${JSON.stringify(whole.json)}\n`)
      }
    })
  }
})
