import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { vectorLines } from '../../support/vectorLines.ts'
import { spec, specOf, useWidgetServer, widget } from './widgetServer.ts'

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

describe('values of custom resources', () => {
  const { admin, define } = useWidgetServer()

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
})
