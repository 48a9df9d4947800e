import { expect } from 'chai'
import { useTestServer } from '../support/testServer.ts'

const accounts = '/api/v1/namespaces/default/serviceaccounts'
const configMaps = '/api/v1/namespaces/default/configmaps'

interface Paths {
  paths: Record<string, { delete?: { responses: Record<string, unknown> } }>
}

describe('the response to a deletion', () => {
  const server = useTestServer()

  it('is the last state of the object at the revision of its deletion, for kinds that return it (reference 3.5)', async () => {
    const { admin } = server()
    const made = await admin.post(accounts, { metadata: { name: 'gone' } })
    const answer = await admin.call(`${accounts}/gone`, { method: 'DELETE' })
    expect([answer.status, answer.field('kind'), answer.field('metadata', 'uid')]).to.deep.equal([
      200,
      'ServiceAccount',
      made.field('metadata', 'uid'),
    ])
    expect(Number(answer.field('metadata', 'resourceVersion'))).to.be.greaterThan(
      Number(made.field('metadata', 'resourceVersion')),
    )
    expect((await admin.get(`${accounts}/gone`)).status).to.equal(404)
  })

  it('is the unchanged object for a dry run (reference 3.5)', async () => {
    const { admin } = server()
    await admin.post(accounts, { metadata: { name: 'kept' } })
    const answer = await admin.call(`${accounts}/kept?dryRun=All`, { method: 'DELETE' })
    expect(answer.field('kind')).to.equal('ServiceAccount')
    expect((await admin.get(`${accounts}/kept`)).status).to.equal(200)
  })

  it('is a Status for other kinds (reference 3.5)', async () => {
    const { admin } = server()
    await admin.post(configMaps, { metadata: { name: 'gone' } })
    const answer = await admin.call(`${configMaps}/gone`, { method: 'DELETE' })
    expect(answer.field('kind')).to.equal('Status')
  })

  it('matches the OpenAPI documents (reference 6.4)', async () => {
    const { paths } = (await server().admin.get('/openapi/v2')).json as Paths
    const answers = (resource: string) =>
      JSON.stringify(paths[`/api/v1/namespaces/{namespace}/${resource}/{name}`]?.delete?.responses)
    expect(answers('pods')).to.contain('io.k8s.api.core.v1.Pod"')
    expect(answers('configmaps')).to.contain('v1.Status"')
  })
})

describe('a field selector with an unknown path', () => {
  const server = useTestServer()

  const cases = [
    ['/api/v1/pods', 'field label not supported: spec.x'],
    ['/apis/events.k8s.io/v1/events', 'field label not supported: spec.x'],
    ['/apis/batch/v1/jobs', 'field label "spec.x" not supported for Job'],
    [
      '/apis/apps/v1/deployments',
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ] as const
  for (const [path, message] of cases) {
    it(`${path}: 400, ${message} (reference 4.3)`, async () => {
      const answer = await server().admin.get(`${path}?fieldSelector=spec.x%3D1`)
      expect([answer.status, answer.field('message')]).to.deep.equal([400, message])
    })
  }
})
