import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { useTestServer } from '../support/testServer.ts'

const spec = { type: 'object', properties: { size: { type: 'integer' } } }

describe('parts of a custom object that its schema does not describe', () => {
  const server = useTestServer()
  const widget = (metadata: object, rest: object = {}) => ({
    ...{ kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'a', ...metadata } },
    ...rest,
  })
  const apply = (name: string, metadata: object) =>
    server().admin.call(`${widgets}/${name}?fieldManager=m&force=true&dryRun=All`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: widget({ name, ...metadata }),
    })

  before(async () => {
    const { admin } = server()
    await admin.post(definitions, widgetDefinition({ type: 'object', properties: { spec } }))
    const answer = await admin.post(widgets, widget({}))
    expect(answer.status, answer.text).to.equal(201)
  })

  for (const { kind, apiVersion, status } of [
    { kind: 'Other', apiVersion: 'example.com/v1', status: 422 },
    { kind: 'Widget', apiVersion: 'other.example.com/v1', status: 400 },
  ]) {
    it(`only unknown metadata of a ${kind} of ${apiVersion} gets a warning`, async () => {
      const rest = { kind, apiVersion, unknown: 1, spec: { more: 1 } }
      const answer = await server().admin.post(widgets, widget({ name: 'b', more: 1 }, rest))
      expect([answer.status, answer.headers['warning']]).to.deep.equal([
        status,
        '299 - "unknown field \\"metadata.more\\""',
      ])
    })
  }

  for (const { metadata, why } of [
    { metadata: { deletionGracePeriodSeconds: 1.5 }, why: 'cannot convert float64 to int64' },
    {
      metadata: { deletionGracePeriodSeconds: 1.5, deletionTimestamp: true },
      why: 'json: cannot unmarshal bool into Go value of type string',
    },
    {
      metadata: { deletionTimestamp: 'x' },
      why: 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    },
  ]) {
    it(`an apply of ${JSON.stringify(metadata)} is refused with one error on the metadata`, async () => {
      const answer = await apply('a', metadata)
      const causes = answer.field('details', 'causes') as { field: string; message: string }[]
      expect(causes.map(({ field }) => field)).to.deep.equal(['metadata'])
      expect(causes[0]?.message).to.match(/^Invalid value: \{"creationTimestamp":/)
      expect(causes[0]?.message.endsWith(`}: ${why}`), causes[0]?.message).to.equal(true)
    })

    it(`an apply of ${JSON.stringify(metadata)} creates an object without them`, async () => {
      const answer = await apply('new', metadata)
      expect(answer.status, answer.text).to.equal(201)
      expect(answer.field('metadata')).to.not.have.any.keys(...Object.keys(metadata))
    })
  }

  it('the refused metadata has the generation that the write would give it', async () => {
    const answer = await server().admin.call(`${widgets}/a?fieldManager=m&force=true&dryRun=All`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: widget({ deletionTimestamp: 'x' }, { spec: { size: 7 } }),
    })
    expect(answer.field('message')).to.include('"generation":2,')
  })

  it('applied fields that the server sets may have any value', async () => {
    const answer = await apply('a', { creationTimestamp: 5, generation: 1.5 })
    expect(answer.status, answer.text).to.equal(200)
    expect(answer.field('metadata', 'generation')).to.equal(1)
  })

  it('an applied uid that is a number is refused because of its type', async () => {
    const answer = await apply('new', { uid: 5 })
    expect(answer.field('message')).to.include('.metadata.uid: expected string')
  })
})
