import { expect } from 'chai'
import { definitionsPath, widgetDefinition, widgetsPath } from '../../support/definitions.ts'
import { deadline } from '../../support/deadlines.ts'
import { LoopMeter } from '../support/loopMeter.ts'
import { useTestServer } from '../support/testServer.ts'

const lists = 30
const items = 150
const names = Array.from({ length: lists }, (_, at) => `l${at}`)
const merge = 'merge-patch+json'

describe('rules of one custom object', function () {
  this.timeout(60_000)
  const server = useTestServer()

  /** Value whose rules take about half a second. */
  const spec = (first: number) =>
    Object.fromEntries(
      names.map((name) => [name, Array.from({ length: items }, (_, at) => first + at)]),
    )
  const widget = (name: string, first: number) => ({
    ...{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } },
    spec: spec(first),
  })

  before(async () => {
    const list = {
      type: 'array',
      maxItems: 300,
      items: { type: 'integer' },
      'x-kubernetes-validations': [
        {
          rule: 'self.all(x, self.all(y, x == y || x != y)) && !(13 in self)',
          message: 'not 13',
        },
      ],
    }
    const properties = Object.fromEntries(names.map((name) => [name, list]))
    const schema = { properties: { spec: { type: 'object', properties } } }
    const { status, text } = await server().admin.post(definitionsPath, widgetDefinition(schema))
    expect(status, text).to.equal(201)
    expect((await server().admin.get(widgetsPath)).status).to.equal(200)
  })

  async function heldBy(work: () => Promise<{ status: number; text: string }>, code: number) {
    const meter = new LoopMeter()
    const { status, text } = await work()
    const longest = meter.take()
    meter.stop()
    expect(status, text).to.equal(code)
    return { longest, text }
  }

  it('leave the event loop to others between them, in a create and an update', async () => {
    const { admin } = server()
    const created = await heldBy(() => admin.post(widgetsPath, widget('a', 1_000)), 201)
    const change = { spec: spec(2_000) }
    const updated = await heldBy(() => admin.patch(`${widgetsPath}/a`, merge, change), 200)
    expect(Math.max(created.longest, updated.longest)).to.be.below(deadline(60))
  })

  it('leave it to others if they are broken, and are all reported', async () => {
    const work = () => server().admin.post(widgetsPath, widget('b', 10))
    const { longest, text } = await heldBy(work, 422)
    expect(longest).to.be.below(deadline(60))
    expect(text.split('not 13').length - 1).to.be.at.least(lists)
  })

  it('judge an update anew if the object was changed meanwhile', async () => {
    const { admin } = server()
    expect((await admin.post(widgetsPath, widget('c', 1_000))).status).to.equal(201)
    const path = `${widgetsPath}/c`
    const [slow, quick] = await Promise.all([
      admin.patch(path, merge, { spec: spec(3_000) }),
      admin.patch(path, merge, { metadata: { labels: { a: 'b' } } }),
    ])
    expect([slow.status, quick.status]).to.deep.equal([200, 200])
    const found = await admin.get(path)
    expect(found.field('metadata', 'labels', 'a')).to.equal('b')
    expect(found.field('spec', 'l0', 0)).to.equal(3_000)
  })

  it('do not let two creates of one name succeed', async () => {
    const create = () => server().admin.post(widgetsPath, widget('d', 1_000))
    const codes = (await Promise.all([create(), create()])).map(({ status }) => status)
    expect(codes.sort()).to.deep.equal([201, 409])
  })
})
