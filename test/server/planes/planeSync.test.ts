import { expect } from 'chai'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { useTestServer } from '../../endpoints/support/testServer.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { clusterBase, instanceBase, instances, makePlanes } from './planeServer.ts'

const inDefault = '/api/v1/namespaces/default'

describe('an instance with a host cluster', () => {
  const server = useTestServer()
  let admin: HttpClient
  const virtual = instanceBase('web')
  const host = `${clusterBase('one')}/api/v1/namespaces/team`

  before(async () => {
    admin = server().admin
    await makePlanes(admin, { hosts: ['one'] })
    const clusterRef = { cluster: 'one', namespace: 'team' }
    const made = await admin.post(instances, { metadata: { name: 'web' }, spec: { clusterRef } })
    expect(made.status, made.text).to.equal(201)
  })

  const found = async (path: string) => (await admin.get(path)).status === 200
  const ipOf = async () =>
    (await admin.get(`${host}/endpoints/db-x-default-x-web`)).field(
      'subsets',
      0,
      'addresses',
      0,
      'ip',
    )

  it('is synced from its first use (spec sync.enabled)', async () => {
    await admin.post(`${virtual}${inDefault}/services`, {
      metadata: { name: 'db' },
      spec: { ports: [{ port: 5432 }] },
    })
    await admin.post(`${virtual}${inDefault}/endpoints`, {
      metadata: { name: 'db' },
      subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 5432 }] }],
    })
    await waitUntil(() => found(`${host}/endpoints/db-x-default-x-web`))
    expect(await ipOf()).to.equal('10.1.2.3')
  })

  it('applies another configuration (spec sync.patches.path)', async () => {
    const values = `sync:
  toHost:
    endpoints:
      enabled: true
      patches:
        - path: subsets[*].addresses[*].ip
          expression: '"10.9.9.9"'
`
    const change = { spec: { template: { helmRelease: { values } } } }
    const patched = await admin.patch(`${instances}/web`, 'merge-patch+json', change)
    expect(patched.status, patched.text).to.equal(200)
    await waitUntil(async () => (await ipOf()) === '10.9.9.9')
  })

  it('follows objects referenced by a patch while the syncer runs (spec sync.patches.reference.import)', async () => {
    const values = `sync:
  toHost:
    endpoints:
      patches:
        - path: metadata.annotations["secret"]
          reference: { apiVersion: v1, kind: Secret }
`
    const change = { spec: { template: { helmRelease: { values } } } }
    await admin.patch(`${instances}/web`, 'merge-patch+json', change)
    const annotations = { metadata: { annotations: { secret: 'login' } } }
    await admin.patch(`${virtual}${inDefault}/endpoints/db`, 'merge-patch+json', annotations)
    const copy = `${host}/secrets/login-x-default-x-web`
    const held = async () => (await admin.get(copy)).field('data', 'key')
    const [one, two] = ['one', 'two'].map((text) => Buffer.from(text).toString('base64'))
    await admin.post(`${virtual}${inDefault}/secrets`, {
      metadata: { name: 'login' },
      data: { key: one },
    })
    await waitUntil(async () => (await held()) === one)
    await admin.patch(`${virtual}${inDefault}/secrets/login`, 'merge-patch+json', {
      data: { key: two },
    })
    await waitUntil(async () => (await held()) === two)
    // Objects that cannot be changed in place are recreated.
    await admin.delete(`${virtual}${inDefault}/secrets/login`)
    await waitUntil(async () => !(await found(copy)))
    await admin.post(`${virtual}${inDefault}/secrets`, {
      ...{ metadata: { name: 'login' }, immutable: true, data: { key: one } },
    })
    await waitUntil(async () => (await held()) === one)
    await admin.delete(`${virtual}${inDefault}/secrets/login`)
    await admin.post(`${virtual}${inDefault}/secrets`, {
      ...{ metadata: { name: 'login' }, type: 'example.com/other', data: { key: two } },
    })
    await waitUntil(async () => (await held()) === two)
  })

  it('deletes on the host what is deleted inside', async () => {
    await admin.delete(`${virtual}${inDefault}/endpoints/db`)
    await waitUntil(async () => !(await found(`${host}/endpoints/db-x-default-x-web`)))
  })

  it('moves its copies with the instance to another host', async () => {
    const metadata = { name: 'moving' }
    await admin.post(`${virtual}${inDefault}/services`, {
      metadata,
      spec: { ports: [{ port: 1 }] },
    })
    await waitUntil(() => found(`${host}/services/moving-x-default-x-web`))
    const change = { spec: { clusterRef: { cluster: 'one', namespace: 'other' } } }
    await admin.patch(`${instances}/web`, 'merge-patch+json', change)
    const other = `${clusterBase('one')}/api/v1/namespaces/other`
    await waitUntil(() => found(`${other}/services/moving-x-default-x-web`))
    await waitUntil(async () => !(await found(`${host}/services/moving-x-default-x-web`)))
    const back = { spec: { clusterRef: { cluster: 'one', namespace: 'team' } } }
    await admin.patch(`${instances}/web`, 'merge-patch+json', back)
    await waitUntil(() => found(`${host}/services/moving-x-default-x-web`))
  })

  it('removes the copies of a deleted instance, and keeps other objects on the host', async () => {
    const marked = (name: string, managedBy: string) => ({
      metadata: { name, labels: { 'vcluster.platform/managed-by': managedBy } },
    })
    // One of another virtual cluster, and one with only the label, which does not make it a copy.
    for (const made of [marked('of-another', 'shop'), marked('labelled', 'web')]) {
      await admin.post(`${host}/configmaps`, made)
    }
    await admin.delete(`${instances}/web`)
    await waitUntil(async () => !(await found(`${virtual}/api`)))
    await waitUntil(async () => !(await found(`${host}/services/db-x-default-x-web`)))
    await waitUntil(async () => !(await found(`${host}/services/moving-x-default-x-web`)))
    expect(await found(`${host}/configmaps/of-another`)).to.equal(true)
    expect(await found(`${host}/configmaps/labelled`)).to.equal(true)
  })
})
