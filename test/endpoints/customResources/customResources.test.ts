import { expect } from 'chai'
import { widgetsPath as widgets } from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { spec, useWidgetServer, widget } from './widgetServer.ts'

describe('custom resources', () => {
  const { admin, define, condition } = useWidgetServer()

  it('report repeated fields, unknown metadata and other unknown fields, in that order (reference 1.13)', async () => {
    await define(spec({ size: { type: 'integer' } }))
    const body =
      '{"zz":1,"spec":{"q":1,"size":1,"size":1,"b":2},"apiVersion":"example.com/v1","kind":"Widget",' +
      '"metadata":{"name":"a","z":1,"a":2}}'
    const answer = await admin().post(`${widgets}?fieldValidation=Strict`, body)
    const unknown = ['metadata.a', 'metadata.z', 'spec.b', 'spec.q', 'zz']
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      `Widget in version "v1" cannot be handled as a Widget: strict decoding error: ${[
        'duplicate field "spec.size"',
        ...unknown.map((path) => `unknown field "${path}"`),
      ].join(', ')}`,
    ])
  })

  it('are served once the definition is created, and it is established soon after', async () => {
    await define(spec({ size: { type: 'integer' } }))
    const created = await admin().post(widgets, widget({ spec: { size: 1 } }))
    expect([created.status, created.field('metadata', 'generation')]).to.deep.equal([201, 1])
    await waitUntil(async () => (await condition('Established'))?.status === 'True')
    const accepted = await condition('NamesAccepted')
    expect([accepted?.status, accepted?.reason]).to.deep.equal(['True', 'NoConflicts'])
  })

  describe('with a status subresource', () => {
    const schema = {
      properties: {
        spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
        status: {
          type: 'object',
          required: ['ready'],
          properties: { ready: { type: 'integer' }, selector: { type: 'string' } },
        },
      },
    }
    const scale = {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.ready',
      labelSelectorPath: '.status.selector',
    }
    beforeEach(() => define(schema, { version: { subresources: { status: {}, scale } } }))

    it('a create drops the status without validating it', async () => {
      const created = await admin().post(widgets, widget({ spec: {}, status: {} }))
      expect([created.status, created.field('status')]).to.deep.equal([201, undefined])
    })

    it('the status is written separately, without a new generation', async () => {
      const { json } = await admin().post(widgets, widget({ spec: { replicas: 1 } }))
      const body = {
        ...(json as object),
        metadata: { ...(json as { metadata: object }).metadata, labels: { a: 'b' } },
        spec: { replicas: 9 },
        status: { ready: 1 },
      }
      const answer = await admin().put(`${widgets}/a/status`, body)
      expect([
        answer.status,
        answer.field('spec', 'replicas'),
        answer.field('status'),
        answer.field('metadata', 'generation'),
        answer.field('metadata', 'labels'),
      ]).to.deep.equal([200, 1, { ready: 1 }, 1, undefined])
    })

    it('the main path keeps the status', async () => {
      await admin().post(widgets, widget({ spec: { replicas: 1 } }))
      const answer = await admin().patch(`${widgets}/a`, 'merge-patch+json', {
        spec: { replicas: 2 },
        status: { ready: 7 },
      })
      expect([
        answer.status,
        answer.field('status'),
        answer.field('metadata', 'generation'),
      ]).to.deep.equal([200, undefined, 2])
    })

    it('the scale reads and writes the paths of the definition', async () => {
      await admin().post(widgets, widget({ spec: { replicas: 1 } }))
      await admin().patch(`${widgets}/a/status`, 'merge-patch+json', {
        status: { ready: 3, selector: 'a=b' },
      })
      const read = await admin().get(`${widgets}/a/scale`)
      expect([read.field('kind'), read.field('spec'), read.field('status')]).to.deep.equal([
        'Scale',
        { replicas: 1 },
        { replicas: 3, selector: 'a=b' },
      ])
      const written = await admin().patch(`${widgets}/a/scale`, 'merge-patch+json', {
        spec: { replicas: 5 },
      })
      expect([written.status, written.field('spec')]).to.deep.equal([200, { replicas: 5 }])
      expect((await admin().get(`${widgets}/a`)).field('spec')).to.deep.equal({ replicas: 5 })
    })

    it('a scale whose field is missing is an error', async () => {
      await admin().post(widgets, widget({ spec: {} }))
      const answer = await admin().get(`${widgets}/a/scale`)
      expect([answer.status, answer.field('message')]).to.deep.equal([
        500,
        'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
      ])
    })
  })

  it('without a status subresource every change of content raises the generation', async () => {
    await define({
      properties: { status: { type: 'object', properties: { a: { type: 'string' } } } },
    })
    await admin().post(widgets, widget({}))
    const patch = (body: object) => admin().patch(`${widgets}/a`, 'merge-patch+json', body)
    const labelled = await patch({ metadata: { labels: { a: 'b' } } })
    const changed = await patch({ status: { a: 'x' } })
    expect([
      labelled.field('metadata', 'generation'),
      changed.field('metadata', 'generation'),
    ]).to.deep.equal([1, 2])
  })

  it('a strategic merge patch is 415 with the supported types (reference 3.9)', async () => {
    await define(spec({}))
    await admin().post(widgets, widget({}))
    const answer = await admin().patch(`${widgets}/a`, 'strategic-merge-patch+json', {})
    expect([answer.status, answer.field('message')]).to.deep.equal([
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    ])
  })

  it('another kind is 422 (reference 0.4)', async () => {
    await define(spec({}))
    const answer = await admin().post(widgets, { ...widget({}), kind: 'Other' })
    expect([answer.status, answer.field('message')]).to.deep.equal([
      422,
      'Other.example.com "a" is invalid: kind: Invalid value: "Other": must be Widget',
    ])
  })

  it('items of a list have kind and apiVersion (reference 0.4)', async () => {
    await define(spec({}))
    await admin().post(widgets, widget({}))
    const answer = await admin().get(widgets)
    expect([
      answer.field('kind'),
      answer.field('items', 0, 'kind'),
      answer.field('items', 0, 'apiVersion'),
    ]).to.deep.equal(['WidgetList', 'Widget', 'example.com/v1'])
  })

  it('tables have the columns of the definition', async () => {
    await define(
      spec({ color: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } }),
      {
        version: {
          additionalPrinterColumns: [
            { name: 'Color', type: 'string', jsonPath: '.spec.color', description: 'Its color.' },
            { name: 'Tags', type: 'string', jsonPath: '.spec.tags', priority: 1 },
            { name: 'None', type: 'integer', jsonPath: '.spec.none' },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      },
    )
    await admin().post(widgets, widget({ spec: { color: 'red', tags: ['a', 'b'] } }))
    const answer = await admin().get(widgets, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    })
    const columns = answer.field('columnDefinitions') as { name: string; description: string }[]
    expect(columns.map(({ name }) => name)).to.deep.equal(['Name', 'Color', 'Tags', 'None', 'Age'])
    const [age, ...cells] = (answer.field('rows', 0, 'cells') as unknown[]).reverse()
    expect(cells.reverse()).to.deep.equal(['a', 'red', '["a","b"]', null])
    expect(age).to.match(/^\d+s$/)
    expect(columns[2]?.description).to.equal(
      'Custom resource definition column (in JSONPath format): .spec.tags',
    )
  })

  it('selectable fields of the definition can be selected', async () => {
    await define(spec({ color: { type: 'string' } }), {
      version: { selectableFields: [{ jsonPath: '.spec.color' }] },
    })
    await admin().post(widgets, widget({ spec: { color: 'red' } }))
    await admin().post(widgets, widget({ spec: { color: 'blue' } }, 'b'))
    const names = async (selector: string) => {
      const answer = await admin().get(`${widgets}?fieldSelector=${selector}`)
      const items = answer.field('items') as { metadata: { name: string } }[]
      return items.map(({ metadata }) => metadata.name)
    }
    expect(await names('spec.color%3Dred')).to.deep.equal(['a'])
    expect((await admin().get(`${widgets}?fieldSelector=spec.size%3D1`)).status).to.equal(400)
  })

  it('server-side apply uses the list types of the schema', async () => {
    const items = { type: 'object', required: ['k'], properties: { k: { type: 'string' } } }
    await define(
      spec({
        m: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items,
        },
      }),
    )
    const apply = (manager: string, m: object[]) =>
      admin().call(`${widgets}/a?fieldManager=${manager}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: widget({ spec: { m } }),
      })
    expect((await apply('one', [{ k: 'a' }])).status).to.equal(201)
    expect((await apply('two', [{ k: 'b' }])).field('spec')).to.deep.equal({
      m: [{ k: 'a' }, { k: 'b' }],
    })
    expect((await apply('one', [])).field('spec')).to.deep.equal({ m: [{ k: 'b' }] })
  })

  it('OpenAPI has the schema, with v3-only keywords in v3 alone', async () => {
    await define(
      spec({ port: { 'x-kubernetes-int-or-string': true } }, { oneOf: [{ required: ['port'] }] }),
    )
    const v3 = await admin().get('/openapi/v3/apis/example.com/v1')
    const references = [...v3.text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)]
    const defined = Object.keys(v3.field('components', 'schemas') as object)
    expect(
      references.map(([, name]) => name).filter((name = '') => !defined.includes(name)),
    ).to.deep.equal([])
    expect(defined).to.include('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')
    const widgetSchema = ['components', 'schemas', 'com.example.v1.Widget', 'properties', 'spec']
    expect(v3.field(...widgetSchema, 'oneOf')).to.deep.equal([{ required: ['port'] }])
    const v2 = await admin().get('/openapi/v2')
    const published = v2.field(
      'definitions',
      'com.example.v1.Widget',
      'properties',
      'spec',
    ) as object
    expect(Object.keys(published)).to.deep.equal(['type', 'properties'])
  })
})
