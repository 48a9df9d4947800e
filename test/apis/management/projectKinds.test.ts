import { expect } from 'chai'
import { management, useTestServer } from '../../endpoints/support/testServer.ts'
import type { Answer, HttpClient } from '../../endpoints/support/httpClient.ts'

const projects = `${management}/projects`
const instancesOf = (project: string) =>
  `${management}/namespaces/p-${project}/virtualclusterinstances`

async function made(answer: Promise<Answer>): Promise<Answer> {
  const done = await answer
  expect(done.status, done.text).to.equal(201)
  return done
}

/** Repeats the request until the response is as expected: controllers take a few turns. */
async function until(ask: () => Promise<Answer>, isSo: (answer: Answer) => boolean) {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await ask()
    if (isSo(answer)) return answer
  }
  return expect.fail('it did not come about')
}

describe('Project', () => {
  const server = useTestServer()
  let admin: HttpClient

  before(() => {
    admin = server().admin
  })

  it('has its namespace before the create is answered (facts 1.0)', async () => {
    for (let count = 0; count < 20; count++) {
      await made(admin.post(projects, { metadata: { name: `at-once-${count}` } }))
      const namespace = await admin.get(`/api/v1/namespaces/p-at-once-${count}`)
      expect(namespace.status).to.equal(200)
    }
  })

  it('accepts objects in its namespace right away', async () => {
    const [project, instance] = await Promise.all([
      admin.post(projects, { metadata: { name: 'race' } }),
      new Promise((resolve) => setImmediate(resolve)).then(() =>
        until(
          () => admin.post(instancesOf('race'), { metadata: { name: 'vc' } }),
          ({ status }) => status === 201,
        ),
      ),
    ])
    expect([project.status, instance.status]).to.deep.equal([201, 201])
  })

  it('has a namespace if created by a PUT', async () => {
    const name = 'put'
    await made(admin.put(`${projects}/${name}`, { metadata: { name } }))
    expect((await admin.get('/api/v1/namespaces/p-put')).status).to.equal(200)
  })

  it('creates no namespace in a dry run', async () => {
    await made(admin.post(`${projects}?dryRun=All`, { metadata: { name: 'dry' } }))
    expect((await admin.get('/api/v1/namespaces/p-dry')).status).to.equal(404)
  })

  it('is deleted with its namespace and everything in it', async () => {
    await made(admin.post(projects, { metadata: { name: 'gone' } }))
    await made(admin.post(instancesOf('gone'), { metadata: { name: 'vc' } }))
    expect((await admin.delete(`${projects}/gone`)).status).to.equal(200)
    const missing = ({ status }: Answer) => status === 404
    await until(() => admin.get('/api/v1/namespaces/p-gone'), missing)
    await until(() => admin.get(`${instancesOf('gone')}/vc`), missing)
  })

  it('can be created again under the same name', async () => {
    await made(admin.post(projects, { metadata: { name: 'again' } }))
    await admin.delete(`${projects}/again`)
    await made(admin.post(projects, { metadata: { name: 'again' } }))
    await until(
      () => admin.post(instancesOf('again'), { metadata: { name: 'vc' } }),
      ({ status }) => status === 201,
    )
  })

  it('refuses a name whose namespace name would be invalid: 422', async () => {
    const name = 'a'.repeat(62)
    const refused = await admin.post(projects, { metadata: { name } })
    expect(refused.status).to.equal(422)
    expect(refused.field('details', 'causes')).to.deep.equal([
      {
        reason: 'FieldValueInvalid',
        message: `Invalid value: "${name}": must be no more than 61 characters, since the namespace of the project is named p-<name>`,
        field: 'metadata.name',
      },
    ])
  })

  it('belongs to its creator (facts 7.3)', async () => {
    const project = await made(admin.post(projects, { metadata: { name: 'owned' } }))
    expect(project.field('spec', 'owner')).to.deep.equal({ user: 'admin' })
  })

  it('keeps fields that the reference does not name', async () => {
    const spec = { owner: { user: 'admin' }, integration: { enabled: true } }
    const project = await made(admin.post(projects, { metadata: { name: 'open' }, spec }))
    expect(project.field('spec')).to.deep.equal({
      integration: { enabled: true },
      owner: spec.owner,
    })
  })

  it('has a status subresource (facts 1.0)', async () => {
    const name = 'reported'
    await made(admin.post(projects, { metadata: { name } }))
    const status = { quotas: { project: { used: { pods: '1' } } } }
    const answer = await admin.patch(`${projects}/${name}/status`, 'merge-patch+json', { status })
    expect([answer.status, answer.field('status')]).to.deep.equal([200, status])
  })

  it('cannot be changed or deleted by a write of its status', async () => {
    const gone = { apiVersion: 'v1', kind: 'Namespace', name: 'gone', uid: 'never' }
    const metadata = {
      ...{ labels: { a: 'b' }, annotations: { a: 'b' } },
      ...{ finalizers: ['example.com/a'], ownerReferences: [gone] },
    }
    const reported = [
      [projects, 'p1', {}],
      [`${management}/clusters`, 'c1', {}],
      [instancesOf('p1'), 'v1', { template: {} }],
      [`${management}/namespaces/p-p1/spaceinstances`, 's1', { template: {} }],
    ] as const
    for (const [path, name, spec] of reported) {
      const { metadata: before, spec: kept } = (
        await made(admin.post(path, { metadata: { name }, spec }))
      ).json as { metadata: object; spec: object }
      const sent = { metadata, spec: { displayName: 'other' }, status: { message: 'new' } }
      const answer = await admin.patch(`${path}/${name}/status`, 'merge-patch+json', sent)
      expect(answer.status, answer.text).to.equal(200)
      const after = answer.json as { metadata: { managedFields?: unknown } }
      const ignored = { resourceVersion: '', managedFields: [] }
      expect({ ...after.metadata, ...ignored }).to.deep.equal({ ...before, ...ignored })
      expect(answer.field('spec')).to.deep.equal(kept)
      expect(answer.field('status', 'message')).to.equal('new')
      const managers = JSON.stringify(after.metadata.managedFields)
      expect(managers).not.to.match(/f:(labels|ownerReferences|finalizers)/)
    }
    expect((await admin.delete(`${management}/clusters/c1`)).status).to.equal(200)
  })

  describe('with clusters, templates and members', () => {
    before(async () => {
      for (const name of ['one', 'two']) {
        await made(admin.post(`${management}/clusters`, { metadata: { name } }))
        await made(admin.post(`${management}/virtualclustertemplates`, { metadata: { name } }))
        await made(admin.post(`${management}/spacetemplates`, { metadata: { name } }))
      }
      await made(
        admin.post(`${management}/teams`, {
          metadata: { name: 'ops' },
          spec: { displayName: 'Ops' },
        }),
      )
      const template = { kind: 'VirtualClusterTemplate', name: 'two' }
      const spec = {
        allowedClusters: [{ name: 'one' }, { name: 'missing' }],
        allowedTemplates: [
          { kind: 'SpaceTemplate', name: '*' },
          { ...template, isDefault: true },
        ],
        members: [
          { kind: 'Team', name: 'ops' },
          { kind: 'User', name: 'admin' },
          { kind: 'User', name: 'stranger' },
        ],
      }
      await made(admin.post(projects, { metadata: { name: 'full' }, spec }))
      const every = { allowedClusters: [{ name: '*' }] }
      await made(admin.post(projects, { metadata: { name: 'every' }, spec: every }))
    })

    const names = (answer: Answer, field: string): unknown[] =>
      // The test only reads fields that are lists of objects.
      (answer.field(field) as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)

    it('GET projects/P/clusters returns the allowed clusters (facts 3.2)', async () => {
      const clusters = await admin.get(`${projects}/full/clusters`)
      expect(clusters.field('kind')).to.equal('ProjectClusters')
      expect(names(clusters, 'clusters')).to.deep.equal(['one'])
      const all = await admin.get(`${projects}/every/clusters`)
      expect(names(all, 'clusters')).to.deep.equal(['one', 'two'])
    })

    it('GET projects/P/templates returns the allowed templates and the default (facts 3.2)', async () => {
      const templates = await admin.get(`${projects}/full/templates`)
      expect(templates.field('defaultVirtualClusterTemplate')).to.equal('two')
      expect(names(templates, 'virtualClusterTemplates')).to.deep.equal(['two'])
      expect(names(templates, 'spaceTemplates')).to.deep.equal(['one', 'two'])
    })

    it('GET projects/P/members returns the members (facts 3.3)', async () => {
      expect((await admin.get(`${projects}/full/members`)).json).to.deep.equal({
        kind: 'ProjectMembers',
        apiVersion: 'management.platform/v1',
        metadata: { name: 'full' },
        teams: [{ info: { name: 'ops', displayName: 'Ops' } }],
        users: [
          {
            info: {
              name: 'admin',
              displayName: 'Administrator',
              username: 'admin',
              subject: 'admin',
            },
          },
          { info: { name: 'stranger' } },
        ],
      })
    })

    for (const sub of ['clusters', 'templates', 'members']) {
      it(`answers 404 for ${sub} of a project that does not exist`, async () => {
        expect((await admin.get(`${projects}/none/${sub}`)).status).to.equal(404)
      })
    }
  })
})
