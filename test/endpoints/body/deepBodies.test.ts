import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { useTestServer } from '../support/testServer.ts'

const types = {
  json: 'application/json',
  yaml: 'application/yaml',
  merge: 'application/merge-patch+json',
  jsonPatch: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

const nested = (depth: number, opening: string, closing: string) =>
  `${opening.repeat(depth)}1${closing.repeat(depth)}`
const typed = (name: string, rest: string) =>
  `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}"},${rest}}`

describe('deeply nested bodies (reference 1.12)', () => {
  const server = useTestServer()
  const send = (method: string, path: string, body: string, type: string) =>
    server().admin.call(path, { method, body, headers: { 'content-type': type } })

  before('a kind that keeps what it does not know', async () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    const definition = widgetDefinition({ properties: { spec: open } })
    const made = await server().admin.post(definitions, definition)
    expect(made.status, made.text).to.equal(201)
    await server().admin.post(widgets, typed('deep', '"spec":{}'))
  })

  afterEach('the server answers as before', async () => {
    expect((await server().admin.get(`${widgets}/deep`)).status).to.equal(200)
  })

  const one = `${widgets}/deep`
  const content = (value: string) => typed('new', `"spec":{"x":${value}}`)
  const patched = (value: string) => `{"spec":{"x":${value}}}`
  const added = (value: string) => `[{"op":"add","path":"/spec/x","value":${value}}]`
  const applied = (value: string) => typed('deep', `"spec":{"x":${value}}`)
  const writes: [string, string, string, (value: string) => string, number][] = [
    ['POST', `${widgets}?dryRun=All`, types.json, content, 201],
    ['POST', `${widgets}?dryRun=All`, types.yaml, content, 201],
    ['PATCH', one, types.merge, patched, 200],
    ['PATCH', one, types.jsonPatch, added, 200],
    ['PATCH', `${one}?fieldManager=m&force=true`, types.apply, applied, 200],
  ]
  for (const [method, path, type, body, taken] of writes) {
    for (const [opening, closing] of [
      ['{"a":', '}'],
      ['[', ']'],
    ] as const) {
      it(`${method} of ${type}: stored content may nest 990 deep in ${opening}`, async () => {
        const answer = await send(method, path, body(nested(990, opening, closing)), type)
        expect(answer.status, answer.text.slice(0, 500)).to.equal(taken)
      })

      for (const depth of [1000, 2000, 9000, 10_001, 100_000]) {
        it(`${method} of ${type}: ${depth} deep in ${opening}: 400`, async () => {
          const answer = await send(method, path, body(nested(depth, opening, closing)), type)
          expect([answer.status, answer.field('reason')]).to.deep.equal([400, 'BadRequest'])
        })
      }
    }
  }

  it('schemas nested beyond the limit: 400', async () => {
    const schema = { type: 'object', properties: { spec: { enum: ['here'] } } }
    const deep = nested(2000, '{"not":', '}').replace('1', '{}')
    const body = JSON.stringify(widgetDefinition(schema)).replace('{"enum":["here"]}', deep)
    const answer = await send('POST', definitions, body, types.json)
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      "invalid character '{' exceeded max depth",
    ])
  })

  it('options of a delete: unknown fields may nest', async () => {
    const deep = `{"x":${nested(9000, '{"a":', '}')}}`
    const answer = await send('DELETE', `${widgets}/nobody`, deep, types.json)
    expect(answer.status).to.equal(404)
  })
})
