import { expect } from 'chai'
import { useTestServer } from '../endpoints/support/testServer.ts'

interface Sent {
  /** Method and path; `M` is the management API as the real client addresses it. */
  line: string
  body?: Record<string, unknown>
  status: number
  /** Fields that the real client reads, by path. */
  reads?: readonly string[]
}

const M = '/kubernetes/management/apis/management.platform/v1'
const P = `${M}/namespaces/p-shop`
const self = { line: 'POST M/selves', body: {}, status: 201 }
const rights = (name: string) => ({
  line: 'POST M/selfsubjectaccessreviews',
  body: {
    spec: {
      resourceAttributes: {
        verb: 'use',
        group: 'management.platform',
        resource: 'projectsecrets',
        name,
        namespace: 'p-shop',
      },
    },
  },
  status: 201,
  reads: ['status.allowed'],
})

/** Requests of the real platform's client, by command. Source: platform facts 3.2. */
const commands: Readonly<Record<string, readonly Sent[]>> = {
  'login --access-key': [
    {
      ...self,
      reads: ['status.user.name', 'status.projectNamespacePrefix', 'status.accessKeyType'],
    },
    { line: 'GET M/users/admin', status: 200, reads: ['spec'] },
  ],
  'login --host, verify version': [{ line: 'GET /version', status: 200, reads: ['major'] }],
  'create accesskey': [
    self,
    {
      line: 'POST M/ownedaccesskeys',
      body: {
        metadata: { name: 'ci' },
        spec: { type: 'User', user: 'admin', displayName: 'ci', ttl: 60 },
      },
      status: 201,
      reads: ['spec.key'],
    },
  ],
  'create accesskey --vcluster-role': [
    {
      line: 'POST M/ownedaccesskeys',
      body: {
        metadata: { name: 'vc' },
        spec: { type: 'User', user: 'admin', scope: { roles: [{ role: 'vcluster' }] } },
      },
      status: 201,
      reads: ['spec.key'],
    },
  ],
  'set secret': [
    { line: 'GET M/namespaces/platform/sharedsecrets/db', status: 404, reads: ['reason'] },
    {
      line: 'POST M/namespaces/platform/sharedsecrets',
      body: { metadata: { name: 'db' }, spec: { displayName: 'db', data: { password: 'cHc=' } } },
      status: 201,
    },
  ],
  'get secret': [
    { line: 'GET M/namespaces/vcluster-platform/sharedsecrets/db', status: 404, reads: ['reason'] },
    {
      line: 'GET M/namespaces/platform/sharedsecrets/db',
      status: 200,
      reads: ['spec.data.password'],
    },
  ],
  'set secret, again': [
    {
      line: 'PUT M/namespaces/platform/sharedsecrets/db',
      body: { metadata: { name: 'db' }, spec: { displayName: 'db', data: { password: 'cHc=' } } },
      status: 200,
    },
  ],
  'set secret --project': [
    {
      line: 'POST P/projectsecrets',
      body: { metadata: { name: 'db' }, spec: { data: { a: 'cHc=' } } },
      status: 201,
    },
  ],
  'list secrets --all': [
    { line: 'GET M/sharedsecrets', status: 200, reads: ['items.0.metadata.name'] },
    { line: 'GET M/projects', status: 200, reads: ['items.0.metadata.name'] },
    { line: 'GET P/projectsecrets', status: 200, reads: ['items.0.metadata.name'] },
    rights('db'),
  ],
  'create vcluster': [
    { line: 'GET M/projects/shop/templates', status: 200 },
    {
      line: 'POST M/selfsubjectaccessreviews',
      body: {
        spec: {
          resourceAttributes: {
            verb: 'create',
            group: 'management.platform',
            resource: 'virtualclusterinstances',
            subresource: 'restricted',
            namespace: 'p-shop',
          },
        },
      },
      status: 201,
      reads: ['status.allowed'],
    },
    {
      line: 'POST P/virtualclusterinstances',
      body: {
        metadata: { name: 'web' },
        spec: { template: { accessPoint: { ingress: { enabled: true } } } },
      },
      status: 201,
    },
    { line: 'GET P/virtualclusterinstances/web', status: 200 },
  ],
  'list vclusters --owner': [
    {
      line: 'GET M/virtualclusterinstances?extended=true',
      status: 200,
      reads: ['items.0.status.canUse', 'items.0.spec.owner.user'],
    },
  ],
  'connect vcluster': [
    { line: 'GET M/projects/shop', status: 200 },
    {
      line: 'GET P/virtualclusterinstances/web?extended=true',
      status: 200,
      reads: ['status.canUse'],
    },
    { line: 'GET M/projects/shop/clusters', status: 200 },
  ],
  'share vcluster': [
    {
      line: 'PUT P/virtualclusterinstances/web',
      body: {
        metadata: { name: 'web' },
        spec: {
          template: { accessPoint: { ingress: { enabled: true } } },
          extraAccessRules: [{ users: ['admin'], clusterRole: 'admin' }],
        },
      },
      status: 200,
      reads: ['spec.extraAccessRules.0.clusterRole'],
    },
  ],
  'sleep vcluster, wakeup vcluster': [
    {
      line: 'PATCH P/virtualclusterinstances/web',
      body: { metadata: { annotations: { 'sleepmode.platform/force': 'true' } } },
      status: 200,
    },
    { line: 'GET P/virtualclusterinstances/web', status: 200, reads: ['status.phase'] },
    {
      line: 'PATCH P/virtualclusterinstances/web',
      body: { metadata: { annotations: { 'sleepmode.platform/force': null } } },
      status: 200,
    },
  ],
  'add vcluster': [
    {
      line: 'GET P/virtualclusterinstances/web/accesskey',
      status: 200,
      reads: ['accessKey'],
    },
  ],
  'token --virtual-cluster': [
    {
      line: 'POST P/virtualclusterinstances/web/kubeconfig',
      body: { spec: { certificateTTL: 86_400 } },
      status: 201,
      reads: ['status.kubeConfig'],
    },
  ],
  'token --direct-cluster-endpoint': [
    { line: 'POST M/directclusterendpointtokens', body: {}, status: 201, reads: ['status.token'] },
  ],
  'add cluster': [
    { line: 'POST M/clusters', body: { metadata: { name: 'one' } }, status: 201 },
    { line: 'GET M/clusters/one/accesskey', status: 200, reads: ['accessKey'] },
    { line: 'GET M/clusters/one', status: 200, reads: ['status.phase'] },
  ],
  'get cluster-access-key': [
    { line: 'GET M/clusters/one/accesskey', status: 200, reads: ['accessKey'] },
  ],
  'list projects, list spaces': [
    { line: 'GET M/projects', status: 200, reads: ['items.0.metadata.name'] },
    { line: 'GET M/spaceinstances?extended=true', status: 200, reads: ['items'] },
  ],
  'connect cluster': [{ line: 'GET M/clusters/one', status: 200 }],
  'connect namespace': [
    { line: 'GET M/spaceinstances?extended=true', status: 200, reads: ['items'] },
  ],
  'list clusters': [
    { line: 'GET M/clusters', status: 200, reads: ['items.0.metadata.creationTimestamp'] },
  ],
  'get current-user': [
    { ...self, reads: ['status.user.username', 'status.subject', 'status.groups'] },
  ],
  'list teams': [
    { line: 'GET M/users/admin/accesskeys', status: 200, reads: ['accessKeys.0.metadata.name'] },
  ],
  'delete vcluster': [
    { line: 'DELETE P/virtualclusterinstances/web', status: 200 },
    { line: 'GET P/virtualclusterinstances/web', status: 404, reads: ['reason'] },
  ],
  logout: [{ line: 'DELETE M/ownedaccesskeys/ci', status: 200 }],
}

describe('requests of the real platform client', () => {
  // The password is stored in the platform's own namespace.
  const server = useTestServer({ adminPassword: 'the password' })
  before(() => server().admin.post(`${M}/projects`, { metadata: { name: 'shop' } }))

  for (const [command, requests] of Object.entries(commands))
    it(`gets every response that "${command}" needs`, async () => {
      for (const { line, body, status, reads = [] } of requests) {
        const [method = '', given = ''] = line.split(' ')
        const path = given.replace(/^M\//, `${M}/`).replace(/^P\//, `${P}/`)
        const response = await fetch(`${server().running.insecureUrl}${path}`, {
          method,
          headers: {
            authorization: `bearer ${server().running.adminAccessKey}`,
            ...(body === undefined ? {} : { 'content-type': contentTypeOf(method) }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const answer: unknown = await response.json()
        expect([line, response.status]).to.deep.equal([line, status])
        for (const field of reads)
          expect(valueAt(answer, field), `${line}: ${field}`).to.not.equal(undefined)
      }
    })

  it('gets the login page for a browser', async () => {
    const page = await fetch(`${server().running.insecureUrl}/login?cli=true`)
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([
      200,
      'text/html; charset=utf-8',
    ])
  })
})

/** Updates of the real client are merge patches. */
function contentTypeOf(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)
}
