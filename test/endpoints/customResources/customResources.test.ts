import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { vectorLines } from '../../support/vectorLines.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import type { Answer } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const spec = (properties: object, rest: object = {}) => ({
  properties: { spec: { type: 'object', properties, ...rest } },
})

const widget = (content: object, name = 'a') => ({
  kind: 'Widget',
  apiVersion: 'example.com/v1',
  metadata: { name },
  ...content,
})

/**
 * Custom object that its definition refuses. `rest` contains keywords besides the properties of the
 * schema.
 */
interface Refused {
  title: string
  schema: object
  rest?: object
  spec: object
  says: string
}

// The file contains lines of this type.
const refused = vectorLines('refused.vectors.jsonl', import.meta.url) as Refused[]

describe('custom resources', () => {
  const server = useTestServer()
  const admin = () => server().admin

  const define = async (...args: Parameters<typeof widgetDefinition>) => {
    const answer = await admin().post(definitions, widgetDefinition(...args))
    expect(answer.status, answer.text).to.equal(201)
  }
  const condition = async (type: string, name = 'widgets.example.com') => {
    const answer = await admin().get(`${definitions}/${name}`)
    const conditions = (answer.field('status', 'conditions') ?? []) as {
      type: string
      status: string
      reason: string
      message: string
    }[]
    return conditions.find((one) => one.type === type)
  }
  const specOf = (answer: Answer) => [
    answer.status,
    answer.field('spec') ?? answer.field('message'),
  ]

  afterEach(async () => {
    for (const name of ['widgets.example.com', 'gadgets.example.com']) {
      await admin().delete(`${definitions}/${name}`)
      await waitUntil(async () => (await admin().get(`${definitions}/${name}`)).status === 404)
    }
  })

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

  it('undeclared fields are pruned at every depth', async () => {
    await define(
      spec({
        known: { type: 'object', properties: { a: { type: 'string' } } },
        empty: { type: 'object' },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { closed: { type: 'object', properties: {} } },
        },
        map: { type: 'object', additionalProperties: { type: 'string' } },
      }),
    )
    const sent = {
      known: { a: 'x', b: 'y' },
      empty: { a: 1 },
      free: { a: { b: 1 }, closed: { c: 1 } },
      map: { k: 'v', gone: null },
      other: 1,
    }
    const created = await admin().post(widgets, widget({ spec: sent, more: 1 }))
    expect(specOf(created)).to.deep.equal([
      201,
      { empty: {}, free: { a: { b: 1 }, closed: {} }, known: { a: 'x' }, map: { k: 'v' } },
    ])
  })

  it('nulls are kept if nullable, defaulted if there is a default, else pruned', async () => {
    await define(
      spec({
        foo: { type: 'string', default: 'default' },
        bar: { type: 'string', nullable: true },
        baz: { type: 'string' },
        list: { type: 'array', items: { type: 'string', nullable: true } },
      }),
    )
    const sent = { foo: null, bar: null, baz: null, list: ['a', null] }
    expect(specOf(await admin().post(widgets, widget({ spec: sent })))).to.deep.equal([
      201,
      { bar: null, foo: 'default', list: ['a', null] },
    ])
  })

  it('defaults are filled in at every depth, also when stored objects are read', async () => {
    await define(
      spec({ a: { type: 'object', properties: { b: { type: 'integer', default: 1 } } } }),
    )
    await admin().post(widgets, widget({ spec: { a: {} } }))
    await admin().post(widgets, widget({ spec: {} }, 'b'))
    const path = `${definitions}/widgets.example.com`
    const added = spec({
      a: { type: 'object', properties: { b: { type: 'integer', default: 1 } } },
      later: { type: 'string', default: 'x' },
    })
    const versions = (widgetDefinition(added) as { spec: { versions: object[] } }).spec.versions
    expect((await admin().patch(path, 'merge-patch+json', { spec: { versions } })).status).to.equal(
      200,
    )
    const listed = await admin().get(widgets)
    expect([listed.field('items', 0, 'spec'), listed.field('items', 1, 'spec')]).to.deep.equal([
      { a: { b: 1 }, later: 'x' },
      { later: 'x' },
    ])
  })

  it('multiplying defaults are refused: 413; stored objects can still be read and deleted', async () => {
    const list = (a: object) =>
      spec({ list: { type: 'array', items: { type: 'object', properties: { a } } } })
    const content = { spec: { list: Array.from({ length: 20_000 }, () => ({})) } }
    await define(list({ type: 'string' }))
    expect((await admin().post(widgets, widget(content))).status).to.equal(201)
    const { spec: changed } = widgetDefinition(
      list({ type: 'string', default: 'x'.repeat(2000) }),
    ) as { spec: { versions: object[] } }
    const path = `${definitions}/widgets.example.com`
    await admin().patch(path, 'merge-patch+json', { spec: { versions: changed.versions } })
    expect((await admin().post(widgets, widget(content, 'b'))).status).to.equal(413)
    expect((await admin().get(`${widgets}/a`)).status).to.equal(200)
    expect((await admin().delete(`${widgets}/a`)).status).to.equal(200)
  })

  for (const { title, schema, spec: sent, says, rest = {} } of refused) {
    it(`refuses ${title}`, async () => {
      await define(spec(schema, rest))
      const answer = await admin().post(widgets, widget({ spec: sent }))
      expect([answer.status, answer.field('message')]).to.deep.equal([
        422,
        `Widget.example.com "a" is invalid: ${says}`,
      ])
    })
  }

  it('a rule of the whole object and its field paths are reported as by the real server', async () => {
    const broken = (fieldPath?: string, reason?: string) => ({
      rule: '!has(self.spec) || !has(self.spec.a) || self.spec.a > 2',
      message: 'low',
      ...(fieldPath === undefined ? {} : { fieldPath }),
      ...(reason === undefined ? {} : { reason }),
    })
    const rules = [
      broken(),
      broken(undefined, 'FieldValueDuplicate'),
      broken('.spec.a', 'FieldValueRequired'),
      broken(".spec['x-y']"),
      broken("['spec'].m['k.j']"),
    ]
    const members = {
      a: { type: 'integer' },
      'x-y': { type: 'string' },
      m: { type: 'object', additionalProperties: { type: 'string' } },
    }
    await define({ ...spec(members), 'x-kubernetes-validations': rules })
    const answer = await admin().post(widgets, widget({ spec: { a: 1 } }))
    expect([answer.status, answer.field('message')]).to.deep.equal([
      422,
      'Widget.example.com "a" is invalid: [<nil>: Invalid value: low, <nil>: Duplicate value, ' +
        'spec.a: Required value: low, spec.x-y: Invalid value: low, spec.m[k.j]: Invalid value: low]',
    ])
  })

  it("a rule's field path must be in its schema", async () => {
    const schema = {
      a: { type: 'integer' },
      l: { type: 'array', items: { type: 'string' } },
      m: { type: 'object', additionalProperties: { type: 'string' } },
      p: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    }
    const told = async (fieldPath: string) => {
      const rest = { 'x-kubernetes-validations': [{ rule: 'true', fieldPath }] }
      const definition = widgetDefinition(spec(schema, rest))
      const answer = await admin().post(`${definitions}?dryRun=All`, definition)
      const known = 'must be a valid path'
      return [answer.status, String(answer.field('message')).endsWith(known)]
    }
    for (const path of ['.a', "['l']", '.m.k', ".m['k']"])
      expect(await told(path), path).to.deep.equal([201, false])
    for (const path of ['.b', '.a.b', '.l.b', '.p.b', '.metadata.name', '.toString', 'a'])
      expect(await told(path), path).to.deep.equal([422, true])
  })

  it('rules about the old object apply only to updates', async () => {
    const immutable = { rule: 'self == oldSelf', message: 'is immutable' }
    await define(
      spec({
        a: { type: 'string', 'x-kubernetes-validations': [immutable] },
        b: {
          type: 'string',
        },
      }),
    )
    await admin().post(widgets, widget({ spec: { a: 'x' } }))
    const patch = (body: object) => admin().patch(`${widgets}/a`, 'merge-patch+json', body)
    expect(specOf(await patch({ spec: { b: 'y' } }))).to.deep.equal([200, { a: 'x', b: 'y' }])
    expect(specOf(await patch({ spec: { a: 'z' } }))).to.deep.equal([
      422,
      'Widget.example.com "a" is invalid: spec.a: Invalid value: "z": is immutable',
    ])
  })

  it('unchanged values are not checked against a stricter schema', async () => {
    await define(spec({ a: { type: 'string' }, b: { type: 'string' } }))
    await admin().post(widgets, widget({ spec: { a: 'long' } }))
    const stricter = spec({ a: { type: 'string', maxLength: 1 }, b: { type: 'string' } })
    const versions = (widgetDefinition(stricter) as { spec: { versions: object[] } }).spec.versions
    await admin().patch(`${definitions}/widgets.example.com`, 'merge-patch+json', {
      spec: { versions },
    })
    const patch = (body: object) => admin().patch(`${widgets}/a`, 'merge-patch+json', body)
    expect((await patch({ spec: { b: 'x' } })).status).to.equal(200)
    expect((await patch({ spec: { a: 'other' } })).status).to.equal(422)
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

  describe('in several versions', () => {
    const version = (name: string, rest: object = {}) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object', ...spec({ a: { type: 'string' } }) } },
      ...rest,
    })
    const beta = '/apis/example.com/v1beta1/namespaces/default/widgets'
    beforeEach(() =>
      define({}, { spec: { versions: [version('v1beta1', { deprecated: true }), version('v1')] } }),
    )

    it('an object is the same in each version but for apiVersion', async () => {
      const created = await admin().post(beta, {
        ...widget({ spec: { a: 'x' } }),
        apiVersion: 'example.com/v1beta1',
      })
      const read = await admin().get(`${widgets}/a`)
      expect([
        created.field('apiVersion'),
        read.field('apiVersion'),
        read.field('spec'),
        read.field('metadata', 'uid'),
      ]).to.deep.equal([
        'example.com/v1beta1',
        'example.com/v1',
        { a: 'x' },
        created.field('metadata', 'uid'),
      ])
      const listed = await admin().get(beta)
      expect(listed.field('items', 0, 'apiVersion')).to.equal('example.com/v1beta1')
    })

    it('a deprecated version causes a warning in every response', async () => {
      const answers = [await admin().get(beta), await admin().get(widgets)]
      expect(answers.map(({ headers }) => headers['warning'])).to.deep.equal([
        '299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"',
        undefined,
      ])
    })

    it('discovery names both, the preferred one first, with the storage version hash', async () => {
      const group = await admin().get('/apis/example.com')
      const hashes = await Promise.all(
        ['v1', 'v1beta1'].map(async (name) => {
          const answer = await admin().get(`/apis/example.com/${name}`)
          return answer.field('resources', 0, 'storageVersionHash')
        }),
      )
      expect(group.field('preferredVersion', 'version')).to.equal('v1')
      expect(hashes[0]).to.equal(hashes[1])
    })

    it('the storage version cannot be removed', async () => {
      const path = `${definitions}/widgets.example.com`
      const answer = await admin().patch(path, 'merge-patch+json', {
        spec: { versions: [version('v1beta1', { storage: true })] },
      })
      expect([answer.status, answer.field('details', 'causes', 0, 'field')]).to.deep.equal([
        422,
        'status.storedVersions[0]',
      ])
    })
  })

  it('names of another definition are refused until that is deleted', async () => {
    await define(spec({}), { names: { shortNames: ['wd'] } })
    const other = widgetDefinition(spec({}), {
      names: { plural: 'gadgets', kind: 'Widget', shortNames: ['wd'] },
    })
    await admin().post(definitions, { ...other, metadata: { name: 'gadgets.example.com' } })
    const names = () => condition('NamesAccepted', 'gadgets.example.com')
    await waitUntil(async () => (await names())?.status === 'False')
    expect((await names())?.message).to.equal('"WidgetList" is already in use')
    expect((await condition('Established', 'gadgets.example.com'))?.reason).to.equal('NotAccepted')
    expect((await admin().get('/apis/example.com/v1/gadgets')).status).to.equal(404)

    await admin().delete(`${definitions}/widgets.example.com`)
    await waitUntil(async () => (await names())?.status === 'True')
    expect((await admin().get('/apis/example.com/v1/gadgets')).status).to.equal(200)
  })

  it('a definition of a built-in kind is not accepted, and its deletion keeps the objects', async () => {
    const definition = widgetDefinition(spec({}), {
      spec: { group: 'apps' },
      names: { plural: 'deployments', kind: 'Deployment' },
    })
    const answer = await admin().post(definitions, {
      ...definition,
      metadata: { name: 'deployments.apps' },
    })
    expect(answer.status).to.equal(422)
    const leases = widgetDefinition(spec({}), {
      spec: { group: 'coordination.k8s.io' },
      names: { plural: 'leases', kind: 'Lease' },
    })
    const name = 'leases.coordination.k8s.io'
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' }
    expect(
      (await admin().post(definitions, { ...leases, metadata: { name, annotations } })).status,
    ).to.equal(201)
    await waitUntil(async () => (await condition('NamesAccepted', name))?.status === 'False')
    const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    await admin().post(lease, { metadata: { name: 'kept' } })
    await admin().delete(`${definitions}/${name}`)
    await waitUntil(async () => (await admin().get(`${definitions}/${name}`)).status === 404)
    expect((await admin().get(`${lease}/kept`)).status).to.equal(200)
  })

  it('a definition is deleted with its objects, and waits for those with finalizers', async () => {
    await define(spec({}))
    const kept = widget({ metadata: { name: 'a', finalizers: ['example.com/wait'] } })
    expect((await admin().post(widgets, kept)).status).to.equal(201)
    const path = `${definitions}/widgets.example.com`
    const deleted = await admin().delete(path)
    expect([deleted.status, deleted.field('metadata', 'finalizers')]).to.deep.equal([
      200,
      ['customresourcecleanup.apiextensions.k8s.io'],
    ])
    await waitUntil(
      async () => (await condition('Terminating'))?.reason === 'InstanceDeletionInProgress',
    )
    const refusal = await admin().post(widgets, widget({}, 'b'))
    expect([refusal.status, refusal.field('message')]).to.deep.equal([
      403,
      'widgets.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
    ])
    await admin().patch(`${widgets}/a`, 'merge-patch+json', { metadata: { finalizers: null } })
    await waitUntil(async () => (await admin().get(path)).status === 404)
    expect((await admin().get(widgets)).status).to.equal(404)
    await define(spec({}))
    expect((await admin().get(widgets)).field('items')).to.deep.equal([])
  })

  it('a watch ends when its definition changes', async () => {
    await define(spec({}))
    const watch = admin().get(`${widgets}?watch=true`)
    await admin().post(widgets, widget({}))
    await admin().delete(`${definitions}/widgets.example.com`)
    const { text } = await watch
    expect(text.split('\n')[0]).to.include('"type":"ADDED"')
    expect(text).to.include('"type":"DELETED"')
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
