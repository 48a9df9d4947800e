import { expect } from 'chai'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { management, useTestServer } from '../endpoints/support/testServer.ts'
import { clusterBase, instanceBase, makePlanes } from '../server/planes/planeServer.ts'
import { WebhookServer } from '../support/servers/webhookServer.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } }

describe('admission of planes', () => {
  const server = useTestServer()
  let admin: HttpClient
  let hooks: WebhookServer
  before(async () => {
    ;({ admin } = server())
    hooks = await WebhookServer.open()
    await makePlanes(admin, { hosts: ['one'], virtual: ['web'] })
  })
  after(() => hooks.close())

  for (const base of [clusterBase('one'), instanceBase('web')]) {
    it(`applies the pod plugins of a cluster at ${base}`, async () => {
      const answer = await admin.post(`${base}/api/v1/namespaces/default/pods?dryRun=All`, pod)
      const spec = answer.field('spec') as Record<string, unknown>
      expect([spec['serviceAccountName'], spec['priority']]).to.deep.equal(['default', 0])
      expect((spec['tolerations'] as unknown[]).length).to.equal(2)
    })
  }

  it('leaves pods of the management API unchanged', async () => {
    const answer = await admin.post('/api/v1/namespaces/default/pods?dryRun=All', pod)
    const { priority, tolerations } = answer.field('spec') as Record<string, unknown>
    expect([priority, tolerations]).to.deep.equal([undefined, undefined])
  })

  it("calls only the webhooks of the request's plane", async () => {
    const base = clusterBase('one')
    hooks.on('/v', () => ({ allowed: false, status: { message: 'not here' } }))
    const webhook = hooks.webhook('/v', { namespaceSelector: {} })
    await admin.post(`${base}${configurations}`, { metadata: { name: 'v' }, webhooks: [webhook] })
    const path = '/api/v1/namespaces/default/configmaps'
    const codes = []
    for (const of of [base, instanceBase('web'), '']) {
      codes.push((await admin.post(of + path, { metadata: { name: 'a' } })).status)
    }
    expect(codes).to.deep.equal([400, 201, 201])
  })

  it('calls webhooks of a plane for subresources that are not stored', async () => {
    const base = instanceBase('web')
    hooks.on('/tokens', () => ({ allowed: false, status: { message: 'no tokens' } }))
    const rule = {
      ...{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'] },
      resources: ['serviceaccounts/token'],
    }
    const webhook = hooks.webhook('/tokens', { rules: [rule], namespaceSelector: {} })
    const metadata = { name: 'tokens' }
    await admin.post(`${base}${configurations}`, { metadata, webhooks: [webhook] })
    const accounts = `${base}/api/v1/namespaces/default/serviceaccounts`
    const answer = await admin.post(`${accounts}/default/token`, { spec: {} })
    expect(answer.field('message')).to.equal(
      'admission webhook "tokens.example.dev" denied the request: no tokens',
    )
  })

  it('calls webhooks for platform kinds and custom kinds', async () => {
    const spec = {
      group: 'example.dev',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    }
    await admin.post(definitions, { metadata: { name: 'widgets.example.dev' }, spec })
    const rules = [
      {
        operations: ['CREATE'],
        apiGroups: ['example.dev', 'management.platform'],
        apiVersions: ['v1'],
        resources: ['widgets', 'users'],
      },
    ]
    hooks.on('/k', ({ kind }) => ({
      allowed: false,
      status: { message: (kind as { kind: string }).kind },
    }))
    const webhook = hooks.webhook('/k', { namespaceSelector: {}, rules })
    await admin.post(configurations, { metadata: { name: 'k' }, webhooks: [webhook] })
    const messages = []
    for (const [path, object] of [
      [`${management}/users`, { metadata: { name: 'u' }, spec: { subject: 'u' } }],
      [
        '/apis/example.dev/v1/namespaces/default/widgets',
        { kind: 'Widget', apiVersion: 'example.dev/v1', metadata: { name: 'w' } },
      ],
    ] as const) {
      messages.push((await admin.post(path, object)).field('message'))
    }
    const denied = 'admission webhook "k.example.dev" denied the request:'
    expect(messages).to.deep.equal([`${denied} User`, `${denied} Widget`])
  })
})
