import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import {
  clientOf,
  management,
  namespaces,
  openTestServer,
  useTestServer,
} from '../endpoints/support/testServer.ts'
import { waitUntil } from '../support/waitUntil.ts'

const keys = `${management}/ownedaccesskeys`
const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const accountsOf = (namespace: string) => `${namespaces}/${namespace}/serviceaccounts`

describe('access keys of service accounts', () => {
  const server = useTestServer()
  let admin: HttpClient

  before(() => {
    admin = server().admin
  })

  const subjectOf = (name: string, namespace = 'default') =>
    `system:serviceaccount:${namespace}:${name}`
  const addAccount = (name: string, namespace = 'default') =>
    admin.post(accountsOf(namespace), { metadata: { name } })
  const removeAccount = (name: string, namespace = 'default') =>
    admin.delete(`${accountsOf(namespace)}/${name}`)
  async function keyOf(name: string, namespace = 'default'): Promise<HttpClient> {
    const spec = { subject: subjectOf(name, namespace), groups: ['system:masters'], type: 'Other' }
    const made = await admin.post(keys, { metadata: { name: `${namespace}-${name}` }, spec })
    expect(made.status, made.text).to.equal(201)
    return clientOf(server().running, String(made.field('spec', 'key')))
  }
  const status = async (client: HttpClient) => (await client.post(review, {})).status
  /** Resolves when the stream of a watch has ended. */
  async function watchEnd(client: HttpClient): Promise<{ end: Promise<unknown> }> {
    const stream = await client.open(`${keys}?watch=1`)
    expect(stream.statusCode).to.equal(200)
    return { end: new Promise((resolve) => stream.resume().on('end', resolve)) }
  }
  const codeOf = async (name: string) => (await admin.get(`${keys}/${name}`)).status

  it('authenticate the account', async () => {
    const account = await addAccount('robot')
    const robot = await keyOf('robot')
    const who = (await robot.post(review, {})).field('status', 'userInfo')
    expect(who).to.deep.include({
      username: subjectOf('robot'),
      uid: account.field('metadata', 'uid'),
    })
  })

  it('requested by a service account for itself are refused: 403', async () => {
    await addAccount('asking')
    const token = await admin.post(`${accountsOf('default')}/asking/token`, { spec: {} })
    const asking = clientOf(server().running, String(token.field('status', 'token')))
    for (const spec of [{}, { subject: subjectOf('asking') }, { user: 'admin' }]) {
      expect((await asking.post(keys, { metadata: { name: 'own' }, spec })).status).to.equal(403)
    }
  })

  it("with an administrator's groups, created by an account with that right, stay the account's", async () => {
    await addAccount('climbing')
    const token = await admin.post(`${accountsOf('default')}/climbing/token`, { spec: {} })
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    await admin.post(`${rbac}/clusterroles`, {
      metadata: { name: 'climb' },
      rules: [
        { apiGroups: [''], resources: ['groups', 'serviceaccounts'], verbs: ['impersonate'] },
      ],
    })
    await admin.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'climb' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'climb' },
      subjects: [{ kind: 'ServiceAccount', name: 'climbing', namespace: 'default' }],
    })
    const climbing = clientOf(server().running, String(token.field('status', 'token'))).with({
      'impersonate-user': subjectOf('climbing'),
      'impersonate-group': 'system:masters',
    })
    const spec = { subject: subjectOf('climbing') }
    const made = await climbing.post(keys, { metadata: { name: 'climbing' }, spec })
    expect(made.status, made.text).to.equal(201)
    const own = clientOf(server().running, String(made.field('spec', 'key')))
    expect(await status(own)).to.equal(201)
    await removeAccount('climbing')
    expect(await status(own)).to.equal(401)
  })

  it('expire when the account is deleted: 401, watches end, and the object is deleted', async () => {
    await addAccount('short')
    const client = await keyOf('short')
    const { end } = await watchEnd(client)
    await removeAccount('short')
    const refused = await client.post(review, {})
    expect([refused.status, refused.field('message')]).to.deep.equal([
      401,
      'platform access key not found. Please login again',
    ])
    await end
    await waitUntil(async () => (await codeOf('default-short')) === 404)
  })

  it("expire when the account's namespace is deleted", async () => {
    await admin.post(namespaces, { metadata: { name: 'team' } })
    await addAccount('worker', 'team')
    const client = await keyOf('worker', 'team')
    const { end } = await watchEnd(client)
    await admin.delete(`${namespaces}/team`)
    await end
    expect(await status(client)).to.equal(401)
  })

  it('are not valid for a later account of the same name', async () => {
    await addAccount('again')
    const client = await keyOf('again')
    await removeAccount('again')
    await addAccount('again')
    expect(await status(client)).to.equal(401)
  })

  it('cannot change their account', async () => {
    const account = await addAccount('kept')
    const client = await keyOf('kept')
    const annotation = 'platform/service-account-uid'
    const changed = await admin.patch(`${keys}/default-kept`, 'merge-patch+json', {
      metadata: { annotations: { [annotation]: 'another' } },
      spec: { displayName: 'Kept' },
    })
    const { metadata } = changed.json as { metadata: { annotations: object } }
    expect(metadata.annotations).to.deep.equal({ [annotation]: account.field('metadata', 'uid') })
    expect(await status(client)).to.equal(201)
    const given = await admin.patch(`${keys}/default-kept`, 'merge-patch+json', {
      spec: { user: 'admin', subject: '' },
    })
    expect(given.field('metadata', 'annotations')).to.equal(undefined)
    await removeAccount('kept')
    expect(await status(client)).to.equal(201)
  })

  it('created before their account are valid while it exists', async () => {
    const client = await keyOf('later')
    expect(await status(client)).to.equal(401)
    await addAccount('later')
    expect(await status(client)).to.equal(201)
    const { end } = await watchEnd(client)
    await removeAccount('later')
    await end
    expect(await status(client)).to.equal(401)
  })

  it('survive a restart, and still expire with the account', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'account-keys-'))
    const start = () => openTestServer({ storage: 'level', dataDir: join(folder, 'data') })
    let { admin: first, running } = await start()
    try {
      await first.post(accountsOf('default'), { metadata: { name: 'robot' } })
      const spec = { subject: subjectOf('robot') }
      const made = await first.post(keys, { metadata: { name: 'robot' }, spec })
      await running.stop()
      ;({ admin: first, running } = await start())
      const robot = clientOf(running, String(made.field('spec', 'key')))
      expect(await status(robot)).to.equal(201)
      await first.delete(`${accountsOf('default')}/robot`)
      expect(await status(robot)).to.equal(401)
    } finally {
      await running.stop()
      await rm(folder, { recursive: true })
    }
  })
})
