import { expect } from 'chai'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { useTestServer } from '../../endpoints/support/testServer.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { clusterBase, instanceBase, instances, makePlanes } from './planeServer.ts'

const inDefault = '/api/v1/namespaces/default'

describe('the clean-up of deleted instances', function () {
  this.timeout(60_000)
  const server = useTestServer()
  let admin: HttpClient
  const host = `${clusterBase('one')}/api/v1/namespaces/team`
  const copyOf = (instance: string) => `${host}/services/db-x-default-x-${instance}`
  const found = async (path: string) => (await admin.get(path)).status === 200

  before(async () => {
    admin = server().admin
    await makePlanes(admin, { hosts: ['one'] })
    await admin.post(`${clusterBase('one')}/api/v1/namespaces`, { metadata: { name: 'team' } })
  })

  async function makeSynced(name: string): Promise<void> {
    const clusterRef = { cluster: 'one', namespace: 'team' }
    await admin.post(instances, { metadata: { name }, spec: { clusterRef } })
    const service = { metadata: { name: 'db' }, spec: { ports: [{ port: 5432 }] } }
    await admin.post(`${instanceBase(name)}${inDefault}/services`, service)
    await waitUntil(() => found(copyOf(name)))
  }

  const configure = (name: string, value: string) => {
    const patch = { path: 'metadata.annotations.a', expression: `"${value}"` }
    const values = JSON.stringify({ sync: { toHost: { services: { patches: [patch] } } } })
    const spec = { template: { helmRelease: { values } } }
    return admin.patch(`${instances}/${name}`, 'merge-patch+json', { spec })
  }

  it('continues for every instance after some were deleted right after a change of their configuration', async () => {
    const hasty = Array.from({ length: 6 }, (_, at) => `hasty${at}`)
    await Promise.all([...hasty, 'other'].map(makeSynced))
    await Promise.all(
      hasty.map(async (name, at) => {
        const change = await configure(name, `v${at}`)
        expect(change.status, change.text).to.equal(200)
        // The syncer is at different steps of the change when its plane is removed.
        await new Promise((resolve) => setTimeout(resolve, at * 4))
        await admin.delete(`${instances}/${name}`)
      }),
    )
    await admin.delete(`${instances}/other`)
    for (const name of [...hasty, 'other']) {
      await waitUntil(async () => !(await found(copyOf(name))))
    }
  })
})
