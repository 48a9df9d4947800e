import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { useTestServer } from '../support/testServer.ts'

const spec = (properties: object) => ({ properties: { spec: { type: 'object', properties } } })

const widget = (content: object) => ({
  kind: 'Widget',
  apiVersion: 'example.com/v1',
  metadata: { name: 'a' },
  ...content,
})

describe('custom objects, as the real server responds', () => {
  const server = useTestServer()
  const admin = () => server().admin

  const define = async (...args: Parameters<typeof widgetDefinition>) => {
    const answer = await admin().post(definitions, widgetDefinition(...args))
    expect(answer.status, answer.text).to.equal(201)
  }

  afterEach(async () => {
    const path = `${definitions}/widgets.example.com`
    await admin().delete(path)
    await waitUntil(async () => (await admin().get(path)).status === 404)
  })

  it('an object requires kind and apiVersion: 400 (reference 1.12)', async () => {
    await define(spec({}))
    const other =
      'the API version in the data (%) does not match the expected API version (example.com/v1)'
    const bodies = [
      [
        '{"apiVersion":"example.com/v1","metadata":{"name":"a"}}',
        `the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{"apiVersion":"example.com/v1","metadata":{"name":"a"}}' ({"apiVersion":"example.com/v1" ...)`,
      ],
      ['{"kind":"Widget","metadata":{"name":"a"}}', other.replace('%', '')],
      ['{"kind":"Other","apiVersion":"v2","metadata":{"name":"a"}}', other.replace('%', 'v2')],
    ]
    for (const [body, message] of bodies) {
      const answer = await admin().post(widgets, body)
      expect([answer.status, answer.field('message')]).to.deep.equal([400, message])
    }
  })

  it('a patch cannot change kind and version: 422, and 500 without a version (reference 3.9)', async () => {
    await define(spec({}))
    await admin().post(widgets, widget({}))
    const patched = async (patch: object) => {
      const answer = await admin().patch(`${widgets}/a`, 'merge-patch+json', patch)
      return [answer.status, answer.field('message')]
    }
    expect(await patched({ kind: 'X', apiVersion: 'example.com/v9' })).to.deep.equal([
      422,
      'X.example.com "a" is invalid: [kind: Invalid value: "X": must be Widget, apiVersion: Invalid value: "example.com/v9": must be example.com/v1]',
    ])
    const [status, message] = await patched({ kind: null })
    expect(status).to.equal(422)
    expect(message).to.include(`Object 'Kind' is missing in '{"apiVersion"`)
    expect(await patched({ apiVersion: null })).to.deep.equal([
      500,
      "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
    ])
  })

  it('a wrong type is reported together with other errors, and hides its fields (reference 3.1)', async () => {
    const items = { type: 'object', required: ['k'], properties: { k: { type: 'string' } } }
    const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
    const rule = [{ rule: 'self < 5' }]
    await define(
      spec({
        n: { type: 'integer', maximum: 3, 'x-kubernetes-validations': rule },
        text: { type: 'string', enum: ['a'] },
        list: { type: 'array', items, ...keyed },
        texts: { type: 'array', items: { type: 'string' } },
      }),
    )
    const content = { n: 4, text: { b: 1 }, list: [{ k: 'a', x: 1 }, 1, 2], texts: ['a', null] }
    const refused = await admin().post(widgets, widget({ spec: content }))
    const where = 'Widget.example.com "a" is invalid: ['
    expect(refused.field('message')).to.equal(
      `${where}${[
        'spec.list[1]: Invalid value: "integer": spec.list[1] in body must be of type object: "integer"',
        'spec.list[2]: Invalid value: "integer": spec.list[2] in body must be of type object: "integer"',
        'spec.n: Invalid value: 4: spec.n in body should be less than or equal to 3',
        'spec.text: Invalid value: "object": spec.text in body must be of type string: "object"',
        'spec.text: Unsupported value: {}: supported values: "a"',
        'spec.texts[1]: Invalid value: "null": spec.texts[1] in body must be of type string: "null"',
        'spec.list[1]: Invalid value: 1: must be an object for an array of list-type map',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ].join(', ')}]`,
    )
    expect(refused.all('warning')).to.deep.equal([
      String.raw`299 - "unknown field \"spec.list[0].x\""`,
      String.raw`299 - "unknown field \"spec.text.b\""`,
    ])
  })

  it('an invalid stored status is ignored by a write that does not touch it (reference 3.4)', async () => {
    await define(
      { properties: { status: { type: 'object', properties: { n: { type: 'integer' } } } } },
      { version: { subresources: { status: {} } } },
    )
    const created = await admin().post(widgets, widget({ status: { n: 'x' } }))
    expect([created.status, created.field('status')]).to.deep.equal([201, undefined])
    const patched = async (path: string, status: unknown) =>
      (await admin().patch(path, 'merge-patch+json', { status })).status
    expect(await patched(`${widgets}/a/status`, { n: 1 })).to.equal(200)
    expect(await patched(`${widgets}/a`, 'x')).to.equal(200)
    expect(await patched(`${widgets}/a/status`, { n: 'x' })).to.equal(422)
    expect((await admin().get(`${widgets}/a`)).field('status')).to.deep.equal({ n: 1 })
  })

  it('a null cannot be applied unless the field is nullable: 422 (reference 3.12)', async () => {
    const text = { type: 'string' }
    await define(
      spec({
        color: text,
        may: { ...text, nullable: true },
        filled: { ...text, default: 'd' },
        port: { 'x-kubernetes-int-or-string': true },
      }),
    )
    const applied = async (content: object) => {
      const body = widget({ spec: content })
      const answer = await admin().patch(`${widgets}/a?fieldManager=m`, 'apply-patch+yaml', body)
      return [answer.status, answer.field('message') ?? answer.field('spec')]
    }
    expect(await applied({ color: null, port: null })).to.deep.equal([
      422,
      'Widget.example.com "a" is invalid: [spec.color: Invalid value: "null": spec.color in body must be of type string: "null", spec.port: Invalid value: "null": spec.port in body must be of type integer,string: "null"]',
    ])
    expect(await applied({ may: null, filled: null })).to.deep.equal([
      201,
      { may: null, filled: 'd' },
    ])
    const merged = await admin().patch(`${widgets}/a`, 'merge-patch+json', {
      spec: { color: null },
    })
    expect(merged.status).to.equal(200)
  })

  it('the last page of a list has an empty token (reference 4.3)', async () => {
    await define(spec({}))
    await admin().post(widgets, widget({}))
    const yaml = await admin().get(widgets, { accept: 'application/yaml' })
    const answer = await admin().get(widgets)
    expect(answer.field('metadata', 'continue')).to.equal('')
    expect(yaml.text).to.include('\n  continue: ""\n')
  })

  it('finalizers without a prefix cause one warning (reference 3.10)', async () => {
    await define(spec({}))
    const created = await admin().post(
      `${widgets}?dryRun=All`,
      widget({ metadata: { name: 'a', finalizers: ['plain', 'orphan', 'x.dev/y'] } }),
    )
    expect(created.all('warning')).to.deep.equal([
      '299 - "metadata.finalizers: \\"plain\\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"',
    ])
    await admin().post(widgets, widget({ metadata: { name: 'a', finalizers: ['plain'] } }))
    const labels = { metadata: { labels: { a: 'b' } } }
    const updated = await admin().patch(`${widgets}/a`, 'merge-patch+json', labels)
    expect([updated.status, updated.all('warning')]).to.deep.equal([200, []])
    await admin().patch(`${widgets}/a`, 'merge-patch+json', { metadata: { finalizers: null } })
  })

  it('a kind with selectable fields refuses other fields in its own words (reference 4.2)', async () => {
    await define(spec({ color: { type: 'string' } }), {
      version: { selectableFields: [{ jsonPath: '.spec.color' }] },
    })
    const answer = await admin().get(`${widgets}?fieldSelector=a%3Db`)
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      'field label not supported: a',
    ])
  })
})
