import { expect } from 'chai'
import { management, openBob, openTestServer, useTestServer } from '../support/testServer.ts'

const configs = `${management}/configs`
const config = (yaml: string) => ({ spec: { raw: Buffer.from(yaml).toString('base64') } })

describe('the configuration over HTTP', () => {
  const server = useTestServer()

  afterEach(async () => {
    await server().admin.post(configs, config('{}'))
  })

  it('both paths are the same; a first write responds with 201 (spec endpoint.Config.read, endpoint.Config.set, service.config)', async () => {
    const { admin } = server()
    const made = await admin.post(`${management}/config`, config('projectNamespacePrefix: q-'))
    expect([made.status, made.field('status', 'projectNamespacePrefix')]).to.deep.equal([201, 'q-'])
    for (const path of [`${configs}/a`, `${management}/config/a`]) {
      const answer = await admin.get(path)
      expect([answer.status, answer.field('metadata', 'name')]).to.deep.equal([200, 'a'])
      expect(answer.field('status', 'projectNamespacePrefix')).to.equal('q-')
    }
    expect((await admin.get(configs)).field('items', 0, 'metadata', 'name')).to.equal('config')
  })

  it('a patch changes the document; it cannot be deleted', async () => {
    const { admin } = server()
    const patched = await admin.patch(
      `${configs}/a`,
      'merge-patch+json',
      config('projectNamespacePrefix: r-'),
    )
    expect([patched.status, patched.field('status', 'projectNamespacePrefix')]).to.deep.equal([
      200,
      'r-',
    ])
    expect((await admin.delete(`${configs}/a`)).status).to.equal(405)
  })

  it('requires rights', async () => {
    const bob = await openBob(server())
    for (const answer of [
      await bob.get(`${configs}/a`),
      await bob.get(configs),
      await bob.post(configs, config('{}')),
      await bob.post(`${management}/config`, config('{}')),
    ]) {
      expect(answer.status).to.equal(403)
      expect(answer.text).to.include('configs.management.platform')
    }
  })

  it('its secrets require get on configs/secrets', async () => {
    const { admin } = server()
    await admin.post(configs, config('auth: {oidc: {clientSecret: hidden}}'))
    const bob = await openBob(server(), 'reader')
    const secret = async () =>
      (await bob.get(`${configs}/a`)).field('status', 'auth', 'oidc', 'clientSecret')
    const allow = async (name: string, resource: string) => {
      const roles = '/apis/rbac.authorization.k8s.io/v1'
      const rules = [{ apiGroups: ['management.platform'], resources: [resource], verbs: ['get'] }]
      await admin.post(`${roles}/clusterroles`, { metadata: { name }, rules })
      await admin.post(`${roles}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
      })
    }
    await allow('config-reader', 'configs')
    expect(await secret()).to.equal('***')
    expect((await bob.get(configs)).text).to.not.include('hidden')
    await allow('config-secrets', 'configs/secrets')
    expect(await secret()).to.equal('hidden')
  })

  it('the version can be restricted to users, with immediate effect (spec config.authenticateVersionEndpoint)', async () => {
    const { admin } = server()
    const anonymous = admin.with({ authorization: '' })
    const version = () =>
      Promise.all(
        ['/version', '/version/', '/kubernetes/management/version'].map(
          async (path) => (await anonymous.get(path)).status,
        ),
      )
    expect(await version()).to.deep.equal([200, 200, 200])
    await admin.post(configs, config('authenticateVersionEndpoint: true'))
    expect(await version()).to.deep.equal([401, 401, 401])
    expect((await admin.get('/version')).status).to.equal(200)
    expect((await anonymous.get('/healthz')).status).to.equal(200)
  })
})

describe('the configuration given at start', () => {
  it('is reported in a sentence if unreadable', async () => {
    const failure = await openTestServer({ platformConfigFile: '/nowhere/config.yaml' }).catch(
      (error: unknown) => error,
    )
    expect(String(failure)).to.equal(
      'StartError: cannot read the platform configuration /nowhere/config.yaml: it does not exist',
    )
    const folder = await openTestServer({ platformConfigFile: '/' }).catch(
      (error: unknown) => error,
    )
    expect(String(folder)).to.equal(
      'StartError: cannot read the platform configuration /: it is a folder',
    )
  })
})
