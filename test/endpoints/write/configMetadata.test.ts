import { expect } from 'chai'
import {
  management,
  namespaces,
  openBob,
  openTestServer,
  type TestServer,
} from '../support/testServer.ts'

const config = `${management}/configs/config`
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
const raw = (yaml: string) => Buffer.from(yaml).toString('base64')

function applied(yaml: string, labels: Record<string, string> = {}) {
  return {
    apiVersion: 'management.platform/v1',
    kind: 'Config',
    metadata: { name: 'config', labels },
    spec: { raw: raw(yaml) },
  }
}

describe('the metadata of the configuration', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await openTestServer()
  })
  afterEach(() => server.running.stop())

  const merge = (patch: object, query = '') =>
    server.admin.patch(`${config}${query}`, 'merge-patch+json', patch)
  const apply = (body: object, manager = 'me', more = '') =>
    server.admin.patch(`${config}?fieldManager=${manager}${more}`, 'apply-patch+yaml', body)
  const secret = async () =>
    (await server.admin.get(`${namespaces}/platform/secrets/platform-manager-config`)).json

  it('can be set before the first setting, and is kept with it', async () => {
    const annotated = await merge({ metadata: { annotations: { x: 'y' } } })
    expect([annotated.status, annotated.field('spec')]).to.deep.equal([200, {}])
    await merge({ spec: { raw: raw('projectNamespacePrefix: q-') } })
    const { metadata, status } = (await server.admin.get(config)).json as Record<string, object>
    expect(metadata).to.include.keys('uid', 'resourceVersion', 'managedFields')
    expect(metadata).to.have.property('annotations').that.deep.equals({ x: 'y' })
    expect(status).to.have.property('projectNamespacePrefix', 'q-')
    const bare = await merge({ metadata: { annotations: null } })
    expect(bare.field('metadata', 'annotations')).to.equal(undefined)
  })

  it('survives a second kubectl apply, which changes nothing', async () => {
    const annotations = { [lastApplied]: '{"a":1}\n' }
    const body = applied('projectNamespacePrefix: q-', { tier: 'one' })
    await merge({ ...body, metadata: { ...body.metadata, annotations } })
    const shown = await server.admin.get(config)
    expect(shown.field('metadata', 'annotations')).to.deep.equal(annotations)
    expect(shown.field('metadata', 'labels')).to.deep.equal({ tier: 'one' })
    const again = await merge({ ...body, metadata: { ...body.metadata, annotations } })
    expect(again.field('metadata')).to.deep.equal(shown.field('metadata'))
  })

  it('server-side apply creates it, owns its fields, and changes nothing the second time', async () => {
    const body = applied('projectNamespacePrefix: q-', { tier: 'one' })
    const made = await apply(body)
    expect([made.status, made.field('status', 'projectNamespacePrefix')]).to.deep.equal([200, 'q-'])
    expect(made.field('metadata', 'managedFields', 0, 'fieldsV1')).to.deep.equal({
      'f:metadata': { 'f:labels': { 'f:tier': {} } },
      'f:spec': { 'f:raw': {} },
    })
    const before = await secret()
    expect((await apply(body)).json).to.deep.equal(made.json)
    expect(await secret()).to.deep.equal(before)
    const other = await apply(applied('projectNamespacePrefix: r-'), 'you')
    expect([other.status, other.field('reason')]).to.deep.equal([409, 'Conflict'])
    const forced = await apply(applied('projectNamespacePrefix: r-'), 'you', '&force=true')
    expect(forced.field('status', 'projectNamespacePrefix')).to.equal('r-')
    const withoutLabels = await apply(applied('projectNamespacePrefix: r-'))
    expect(withoutLabels.field('metadata', 'labels')).to.equal(undefined)
  })

  it('dry runs return it without storing it', async () => {
    const shown = await apply(
      applied('projectNamespacePrefix: q-', { a: 'b' }),
      'me',
      '&dryRun=All',
    )
    expect(shown.field('metadata', 'labels')).to.deep.equal({ a: 'b' })
    expect((await server.admin.get(config)).field('metadata')).to.deep.equal({ name: 'config' })
  })

  it('is validated like that of every object', async () => {
    const { status, json } = await merge({ metadata: { labels: { 'a b': 'c' } } })
    expect([status, (json as { message: string }).message.slice(0, 75)]).to.deep.equal([
      422,
      'Config.management.platform "config" is invalid: metadata.labels: Invalid va',
    ])
    const stale = await merge({ metadata: { resourceVersion: '1', labels: { a: 'b' } } })
    expect(stale.status).to.equal(409)
  })

  it('concurrent writers lose nothing', async () => {
    const keys = Array.from({ length: 20 }, (_, at) => `key-${at}`)
    const answers = await Promise.all(
      keys.map((key) => merge({ metadata: { annotations: { [key]: 'x' } } })),
    )
    expect(answers.map(({ status }) => status)).to.deep.equal(keys.map(() => 200))
    const annotations = (await server.admin.get(config)).field('metadata', 'annotations')
    expect(Object.keys(annotations as object).sort()).to.deep.equal([...keys].sort())
  })

  it('an update replaces it; an update without a document is refused once there is one', async () => {
    await merge(applied('projectNamespacePrefix: q-', { tier: 'one' }))
    const put = await server.admin.put(config, applied('projectNamespacePrefix: q-', { b: 'c' }))
    expect(put.field('metadata', 'labels')).to.deep.equal({ b: 'c' })
    const empty = await server.admin.put(config, { ...applied(''), spec: {} })
    expect([empty.status, empty.field('details', 'causes', 0, 'field')]).to.deep.equal([
      422,
      'spec.raw',
    ])
  })

  it('survives a Secret whose metadata was edited', async () => {
    await merge(applied('projectNamespacePrefix: q-', { tier: 'one' }))
    for (const text of ['{', '[]', '{"labels":[1]}', '{"managedFields":"x"}']) {
      const data = { metadata: Buffer.from(text).toString('base64') }
      const path = `${namespaces}/platform/secrets/platform-manager-config`
      await server.admin.patch(path, 'merge-patch+json', { data })
      const shown = await server.admin.get(config)
      expect([shown.status, shown.field('metadata', 'labels')], text).to.deep.equal([
        200,
        undefined,
      ])
      expect((await apply(applied('projectNamespacePrefix: q-'))).status, text).to.equal(200)
    }
  })

  describe('for a user who may not see its secrets', () => {
    const yaml = 'auth: {oidc: {clientSecret: hunter2}}'
    const roles = '/apis/rbac.authorization.k8s.io/v1'
    const openEditor = async () => {
      const bob = await openBob(server)
      const verbs = ['get', 'list', 'patch', 'update', 'create']
      const rules = [{ apiGroups: ['management.platform'], resources: ['configs'], verbs }]
      const metadata = { name: 'config-editor' }
      await server.admin.post(`${roles}/clusterroles`, { metadata, rules })
      const apiGroup = 'rbac.authorization.k8s.io'
      await server.admin.post(`${roles}/clusterrolebindings`, {
        metadata,
        roleRef: { apiGroup, kind: 'ClusterRole', ...metadata },
        subjects: [{ apiGroup, kind: 'User', name: 'bob' }],
      })
      return bob
    }

    it("omits kubectl's annotation, which repeats the document", async () => {
      const annotations = { [lastApplied]: JSON.stringify(applied(yaml)), note: 'seen' }
      await merge({ metadata: { annotations }, spec: { raw: raw(yaml) } })
      const bob = await openEditor()
      const json = 'json-patch+json'
      const annotation = `/metadata/annotations/${lastApplied.replace('/', '~1')}`
      const hidden = [Buffer.from('hunter2').toString('base64').slice(0, 8), 'hunter2', raw(yaml)]
      for (const { text } of [
        await bob.get(config),
        await bob.get(`${management}/configs`),
        await bob.patch(config, json, [{ op: 'copy', from: annotation, path: '/metadata/labels' }]),
        await bob.patch(config, json, [
          { op: 'copy', from: '/spec/raw', path: '/metadata/annotations/copied' },
        ]),
        await bob.patch(config, json, [{ op: 'test', path: '/spec/raw', value: raw(yaml) }]),
        await bob.patch(`${config}?fieldManager=kubectl`, 'apply-patch+yaml', applied('{}')),
      ])
        for (const secretText of hidden) expect(text).to.not.include(secretText)
    })

    it('an annotation change keeps the document and the hidden annotation', async () => {
      const annotations = { [lastApplied]: JSON.stringify(applied(yaml)) }
      await merge({ metadata: { annotations }, spec: { raw: raw(yaml) } })
      const bob = await openEditor()
      const patched = await bob.patch(config, 'merge-patch+json', {
        metadata: { annotations: { mine: 'yes' } },
      })
      expect(patched.status).to.equal(200)
      const shown = await bob.get(config)
      expect((await bob.put(config, shown.json as object)).status).to.equal(200)
      const kept = await server.admin.get(config)
      expect(kept.field('spec', 'raw')).to.equal(raw(yaml))
      expect(kept.field('metadata', 'annotations')).to.deep.equal({ ...annotations, mine: 'yes' })
    })
  })
})
