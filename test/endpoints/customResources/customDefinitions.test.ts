import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { spec, useWidgetServer, widget } from './widgetServer.ts'

describe('definitions of custom resources', () => {
  const { admin, define, condition } = useWidgetServer()

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
})
