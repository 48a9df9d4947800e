import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { useTestServer } from '../support/testServer.ts'

const mergePatch = { 'content-type': 'application/merge-patch+json' }
const everywhere = '/apis/example.com/v1/widgets'

describe('routes of a custom kind', () => {
  const server = useTestServer()
  const widget = { kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'a' } }

  before(async () => {
    const schema = { 'x-kubernetes-preserve-unknown-fields': true }
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
    const { admin } = server()
    await admin.post(
      definitions,
      widgetDefinition(schema, { version: { subresources: { scale } } }),
    )
    await admin.post(widgets, { ...widget, spec: { replicas: 1 } })
  })

  const missing = '404 widgets.example.com "a" not found'
  const noRoute = '404 404 page not found\n'
  const noName = '400 name must be provided'
  const exists = '409 widgets.example.com "a" already exists'
  const unsupported = (verb: string) =>
    `405 ${verb} is not supported on resources of kind "widgets.example.com"`
  const cases: [method: string, path: string, want: string][] = [
    ['GET', `${widgets}/a/status`, missing],
    ['PUT', `${widgets}/a/status`, missing],
    ['PATCH', `${widgets}/a/status`, missing],
    ['OPTIONS', `${widgets}/a/none`, missing],
    ['GET', `${widgets}/a/scale`, '200'],
    ['GET', `${widgets}/a/scale/more/of/it`, '200'],
    ['POST', `${widgets}/a/scale`, unsupported('create')],
    ['DELETE', `${widgets}/a/scale`, unsupported('delete')],
    ['OPTIONS', `${widgets}/a`, unsupported('')],
    ['OPTIONS', widgets, unsupported('')],
    ['OPTIONS', everywhere, noRoute],
    ['POST', `${widgets}/other`, exists],
    ['POST', everywhere, noRoute],
    ['GET', `${everywhere}/a`, noRoute],
    ['GET', everywhere, '200'],
    ['PUT', widgets, noName],
    ['PATCH', widgets, noName],
    ['PUT', everywhere, noRoute],
  ]
  for (const [method, path, want] of cases) {
    it(`${method} ${path}: ${want.trimEnd()} (reference 0.4, 1.5)`, async () => {
      const body = { POST: widget, PUT: widget, PATCH: {} }[method]
      const headers = method === 'PATCH' ? mergePatch : {}
      const answer = await server().admin.call(path, { method, headers, ...(body && { body }) })
      const { status } = answer
      const isText = answer.headers['content-type']?.startsWith('text/plain') === true
      const message = status === 200 ? [] : [isText ? answer.text : answer.field('message')]
      expect([status, ...message].join(' ')).to.equal(want)
    })
  }

  it('a HEAD is a GET without its body (reference 0.4, 1.4)', async () => {
    const head = async (path: string) => {
      const { status, text } = await server().admin.call(path, { method: 'HEAD' })
      return [status, text]
    }
    expect(await head(widgets)).to.deep.equal([200, ''])
    expect(await head(`${widgets}/a`)).to.deep.equal([200, ''])
    expect(await head(`${widgets}/none`)).to.deep.equal([404, ''])
    expect(await head(`${widgets}/a/scale`)).to.deep.equal([200, ''])
  })

  it('the base of a generated name is checked only when an object is created (reference 3.4)', async () => {
    const { admin } = server()
    const metadata = { name: 'prefixed', generateName: 'A_b' }
    expect((await admin.post(widgets, { ...widget, metadata })).status).to.equal(422)
    const patch = { metadata: { generateName: 'A_b' } }
    expect((await admin.patch(`${widgets}/a`, 'merge-patch+json', patch)).status).to.equal(200)
  })
})
