import { expect } from 'chai'
import type { Answer, HttpClient } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const core = '/api/v1/namespaces/default'
const batch = '/apis/batch/v1/namespaces/default'
const container = { name: 'c', image: 'i:1' }
const resources = '/apis/apps/v1/namespaces/default/deployments'

/** Comparison with the real server's responses to the same requests. */
describe('owners of the fields of built-in kinds', () => {
  const server = useTestServer()
  let admin: HttpClient

  before(() => {
    admin = server().admin
  })

  const apply = (path: string, object: object, query = '') =>
    admin.patch(`${path}?fieldManager=applier${query}`, 'apply-patch+yaml', object)

  function owned(answer: Answer, manager: string): unknown {
    expect(answer.status, answer.text).to.be.oneOf([200, 201])
    const entries = answer.field('metadata', 'managedFields') as {
      manager: string
      fieldsV1: Record<string, unknown>
    }[]
    return entries.find((entry) => entry.manager === manager)?.fieldsV1['f:spec']
  }

  it('structs that are never absent have no owner, at any depth (reference 3.11)', async () => {
    const spec = { template: { spec: { containers: [container], restartPolicy: 'Never' } } }
    const made = await admin.post(`${batch}/jobs?fieldManager=maker`, {
      metadata: { name: 'j' },
      spec,
    })
    expect(owned(made, 'maker'))
      .to.have.property('f:template')
      .that.deep.equals({
        'f:spec': {
          'f:containers': {
            'k:{"name":"c"}': {
              '.': {},
              'f:image': {},
              'f:imagePullPolicy': {},
              'f:name': {},
              'f:resources': {},
              'f:terminationMessagePath': {},
              'f:terminationMessagePolicy': {},
            },
          },
          'f:dnsPolicy': {},
          'f:restartPolicy': {},
          'f:schedulerName': {},
          'f:securityContext': {},
          'f:terminationGracePeriodSeconds': {},
        },
      })
  })

  it("a strategy and template labels are owned by the content's writer", async () => {
    const spec = {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } },
    }
    const made = await admin.post(`${resources}?fieldManager=maker`, {
      metadata: { name: 'd' },
      spec,
    })
    const fields = owned(made, 'maker') as Record<string, Record<string, object>>
    expect(fields['f:selector']).to.deep.equal({})
    expect(Object.keys(fields['f:strategy'] ?? {})).to.deep.equal(['f:rollingUpdate', 'f:type'])
    expect(fields['f:template']?.['f:metadata']).to.deep.equal({
      'f:labels': { '.': {}, 'f:app': {} },
    })
  })

  it('a port applied without its protocol is the one with the default protocol', async () => {
    const ports = [{ port: 80, targetPort: 'http' }]
    await admin.post(`${core}/services?fieldManager=maker`, {
      metadata: { name: 's' },
      spec: { type: 'NodePort', ports },
    })
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } }
    const applied = await apply(`${core}/services/s`, { ...service, spec: { ports } })
    expect(owned(applied, 'applier')).to.deep.equal({
      'f:ports': {
        'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:targetPort': {} },
      },
    })
    expect(applied.field('spec', 'ports')).to.have.length(1)
  })

  it('a job applied over its own creation keeps the labels of its pods', async () => {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'k' } }
    const spec = { template: { spec: { containers: [container], restartPolicy: 'Never' } } }
    expect((await apply(`${batch}/jobs/k`, { ...job, spec })).status).to.equal(201)
    const again = await apply(`${batch}/jobs/k`, { ...job, spec: { ...spec, suspend: true } })
    expect(again.status, again.text).to.equal(200)
    expect(again.field('spec', 'template', 'metadata', 'labels')).to.include({ 'job-name': 'k' })
  })

  it('rules below the items of a schema may be repeated, since they have no merge key', async () => {
    const rules = [
      { rule: 'self.size() > 0', message: 'one' },
      { rule: 'self.size() > 0', message: 'two' },
    ]
    const items = { type: 'string', 'x-kubernetes-validations': rules }
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'parts.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'parts', singular: 'part', kind: 'Part', listKind: 'PartList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { names: { type: 'array', items, maxItems: 9 } },
              },
            },
          },
        ],
      },
    }
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/parts.example.com'
    const applied = await apply(path, definition)
    expect([applied.status, owned(applied, 'applier')]).to.deep.equal([
      201,
      {
        'f:group': {},
        'f:names': { 'f:kind': {}, 'f:listKind': {}, 'f:plural': {}, 'f:singular': {} },
        'f:scope': {},
        'f:versions': {},
      },
    ])
    await admin.delete(path)
  })

  it('an initial status has the fields that are always present', async () => {
    const made = await admin.post('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      metadata: { name: 'p' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
    })
    expect(made.field('status')).to.deep.equal({
      disruptionsAllowed: 0,
      currentHealthy: 0,
      desiredHealthy: 0,
      expectedPods: 0,
    })
    const ingress = await admin.post('/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
      metadata: { name: 'i' },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    })
    expect(ingress.field('status')).to.deep.equal({ loadBalancer: {} })
  })

  it('endpoints cause a warning for every verb', async () => {
    const { headers } = await admin.get(`${core}/endpoints`)
    expect(headers['warning']).to.contain('v1 Endpoints is deprecated in v1.33+')
  })
})
