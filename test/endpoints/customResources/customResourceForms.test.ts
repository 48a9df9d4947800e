import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import type { Answer } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const spec = (properties: object) => ({ properties: { spec: { type: 'object', properties } } })

const widget = (content: object) => ({
  ...{ kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'a' } },
  ...content,
})

describe('forms of custom resources', () => {
  const server = useTestServer()
  const admin = () => server().admin
  const define = async (...args: Parameters<typeof widgetDefinition>) => {
    const answer = await admin().post(definitions, widgetDefinition(...args))
    expect(answer.status, answer.text).to.equal(201)
  }
  const specOf = (answer: Answer) => [
    answer.status,
    answer.field('spec') ?? answer.field('message'),
  ]

  afterEach(async () => {
    const path = `${definitions}/widgets.example.com`
    await admin().delete(path)
    await waitUntil(async () => (await admin().get(path)).status === 404)
  })

  it('a list of many objects can be applied to, as it can be written', async () => {
    const items = { type: 'object', properties: { n: { type: 'integer' } } }
    await define(spec({ list: { type: 'array', items } }))
    const list = Array.from({ length: 6_000 }, (_, n) => ({ n }))
    expect((await admin().post(widgets, widget({ spec: { list } }))).status).to.equal(201)
    const { kind, apiVersion } = widget({}) as { kind: string; apiVersion: string }
    const applied = { kind, apiVersion, metadata: { name: 'a', labels: { a: 'b' } } }
    const path = `${widgets}/a?fieldManager=m`
    const answer = await admin().patch(path, 'apply-patch+yaml', applied)
    expect(answer.status, answer.text.slice(0, 300)).to.equal(200)
  })

  it('a status that is no object leaves its creator without managed fields', async () => {
    const status = { type: 'object', properties: { a: { type: 'integer' } } }
    const parts = { version: { subresources: { status: {} } } }
    await define({ ...spec({}), properties: { ...spec({}).properties, status } }, parts)
    const answer = await admin().post(widgets, widget({ spec: {}, status: 'x' }))
    expect([answer.status, answer.field('metadata', 'managedFields')]).to.deep.equal([
      ...[201, undefined],
    ])
  })

  it('a null version is refused, and fields of another version are reported before it is', async () => {
    await define(spec({ n: { type: 'integer' } }))
    const none = await admin().post(widgets, { ...widget({ spec: {} }), apiVersion: null })
    expect([none.status, none.field('message')]).to.deep.equal([
      400,
      'Widget in version "" cannot be handled as a Widget: .apiVersion accessor error: <nil> is of the type <nil>, expected string',
    ])
    const other = await admin().post(widgets, {
      ...widget({ spec: { n: 1 } }),
      apiVersion: 'example.com/v9',
    })
    expect([other.status, other.headers['warning']]).to.deep.equal([
      400,
      '299 - "unknown field \\"spec\\""',
    ])
  })

  it('nulls of known fields are pruned even if unknown fields are kept', async () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    await define(spec({ open: { ...open, properties: { known: { type: 'object' } } } }))
    const sent = { open: { known: null, other: null } }
    expect(specOf(await admin().post(widgets, widget({ spec: sent })))).to.deep.equal([
      201,
      { open: { other: null } },
    ])
  })

  it('a stored object has the defaults of its storage version, whichever version is requested', async () => {
    const version = (name: string, properties: object) => ({
      ...{ name, served: true, storage: name === 'v1' },
      schema: { openAPIV3Schema: { type: 'object', ...spec(properties) } },
    })
    const text = { type: 'string' }
    const one = { a: { ...text, default: 'one' } }
    const two = { a: { ...text, default: 'two' }, b: { ...text, default: 'two' } }
    await define({}, { spec: { versions: [version('v1', one), version('v2', two)] } })
    await admin().post(widgets, widget({ spec: {} }))
    const read = () => admin().get(widgets.replace('/v1/', '/v2/') + '/a')
    expect(specOf(await read())).to.deep.equal([200, { a: 'one' }])
    const versions = [version('v1', one), version('v2', two)].map((each) => ({
      ...each,
      storage: each.name === 'v2',
    }))
    const path = `${definitions}/widgets.example.com`
    await admin().patch(path, 'merge-patch+json', { spec: { versions } })
    expect(specOf(await read())).to.deep.equal([200, { a: 'one' }])
  })

  it('a count is accepted for a field without one', async () => {
    const schema = spec({ replicas: { type: 'integer' } })
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
    await define(schema, { version: { subresources: { scale } } })
    await admin().post(widgets, widget({ spec: {} }))
    const path = `${widgets}/a/scale`
    const answer = await admin().patch(path, 'merge-patch+json', { spec: { replicas: 3 } })
    expect([answer.status, answer.field('spec')]).to.deep.equal([200, { replicas: 3 }])
    expect((await admin().get(`${widgets}/a`)).field('spec')).to.deep.equal({ replicas: 3 })
  })

  it('an unchecked format causes a warning when it is new', async () => {
    const schema = spec({
      a: { type: 'string', format: 'color' },
      b: { type: 'string', format: 'uri' },
    })
    const made = await admin().post(definitions, widgetDefinition(schema))
    expect(made.headers['warning']).to.equal('299 - "unrecognized format \\"color\\""')
    const path = `${definitions}/widgets.example.com`
    const changed = await admin().patch(path, 'merge-patch+json', {
      metadata: { labels: { a: 'b' } },
    })
    expect([changed.status, changed.headers['warning']]).to.deep.equal([200, undefined])
  })

  const refused = [
    {
      title: 'a duration is compared as one',
      schema: { d: { type: 'string', format: 'duration' } },
      rule: "self.d > duration('1h')",
      sent: { d: '59m' },
    },
    {
      title: 'the order of a set does not count',
      schema: { s: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } },
      rule: "self.s != ['a', 'b']",
      sent: { s: ['b', 'a'] },
    },
    {
      title: 'a word of the language is a name of a field too',
      schema: { namespace: { type: 'string' } },
      rule: "self.namespace == 'a' && self.__namespace__ == 'a'",
      sent: { namespace: 'b' },
    },
  ]
  for (const { title, schema, rule, sent } of refused) {
    it(`by a rule: ${title}`, async () => {
      const validations = { 'x-kubernetes-validations': [{ rule, message: 'not so' }] }
      const { properties } = spec(schema)
      await define({ properties: { spec: { ...properties.spec, ...validations } } })
      const answer = await admin().post(widgets, widget({ spec: sent }))
      expect(answer.field('message')).to.equal(
        'Widget.example.com "a" is invalid: spec: Invalid value: not so',
      )
    })
  }
})
