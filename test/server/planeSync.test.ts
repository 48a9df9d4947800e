import { expect } from 'chai'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'
import { waitUntil } from '../support/waitUntil.ts'
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

  it('spec sync.enabled: is synced from its first use on', async () => {
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

  it('spec sync.patches.path: another configuration takes effect', async () => {
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

  it('what is deleted inside is deleted on the host', async () => {
    await admin.delete(`${virtual}${inDefault}/endpoints/db`)
    await waitUntil(async () => !(await found(`${host}/endpoints/db-x-default-x-web`)))
  })

  it('what is of a deleted instance stays on the host as it is, and is synced no more', async () => {
    await admin.delete(`${instances}/web`)
    await waitUntil(async () => !(await found(`${virtual}/api`)))
    expect(await found(`${host}/services/db-x-default-x-web`)).to.equal(true)
  })
})
