import { expect } from 'chai'
import type { OwnerReference } from '../../../apiserver/meta/types.ts'
import type { HttpClient } from '../support/httpClient.ts'
import { openBob, useTestServer } from '../support/testServer.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const rbac = '/apis/rbac.authorization.k8s.io/v1'

describe('a reference that blocks the deletion of its owner', () => {
  const server = useTestServer()
  let bob: HttpClient

  before(async () => {
    const { admin } = server()
    bob = await openBob(server())
    const writes = { apiGroups: [''], resources: ['configmaps'] }
    const rules = [
      { ...writes, verbs: ['get', 'create', 'update', 'patch'] },
      { ...writes, verbs: ['delete'], resourceNames: ['mine'] },
    ]
    await admin.post(`${rbac}/clusterroles`, { metadata: { name: 'writer' }, rules })
    await admin.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'writer' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'writer' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
    })
    for (const name of ['mine', 'theirs', 'plain', 'blocking']) {
      await admin.post(configMaps, { metadata: { name } })
    }
    const blocking = { metadata: { ownerReferences: [await owner('theirs')] } }
    await admin.patch(`${configMaps}/blocking`, 'merge-patch+json', blocking)
  })

  async function owner(name: string, blockOwnerDeletion = true): Promise<OwnerReference> {
    const uid = String((await server().admin.get(`${configMaps}/${name}`)).field('metadata', 'uid'))
    return { apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion }
  }

  type Write = (client: HttpClient, owners: OwnerReference[]) => ReturnType<HttpClient['get']>

  const apply = (name: string): Write => {
    return (client, ownerReferences) =>
      client.patch(`${configMaps}/${name}?fieldManager=test&force=true`, 'apply-patch+yaml', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, ownerReferences },
      })
  }

  const writes: Record<string, Write> = {
    create: (client, ownerReferences) =>
      client.post(`${configMaps}?dryRun=All`, { metadata: { name: 'new', ownerReferences } }),
    update: (client, ownerReferences) =>
      client.put(`${configMaps}/plain?dryRun=All`, {
        metadata: { name: 'plain', ownerReferences },
      }),
    patch: (client, ownerReferences) =>
      client.patch(`${configMaps}/plain?dryRun=All`, 'merge-patch+json', {
        metadata: { ownerReferences },
      }),
    apply: apply('plain'),
    'apply that creates': apply('applied'),
  }

  for (const [name, write] of Object.entries(writes)) {
    it(`${name} requires the right to delete the owner: 422 (reference 3.7, spec error.422)`, async () => {
      const { status, json } = await write(bob, [await owner('mine'), await owner('theirs')])
      const cause = {
        reason: 'FieldValueForbidden',
        message:
          "Forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't delete",
        field: 'metadata.ownerReferences[1].blockOwnerDeletion',
      }
      expect(status).to.equal(422)
      expect(json).to.have.nested.property('details.causes').that.deep.equals([cause])
    })

    it(`${name} may name any owner without blocking, and block those it may delete (reference 3.7)`, async () => {
      const owners = [await owner('mine'), await owner('theirs', false)]
      expect((await write(bob, owners)).status).to.be.oneOf([200, 201])
    })

    it(`${name} is allowed for a superuser (reference 3.7)`, async () => {
      const { status } = await write(server().admin, [await owner('theirs')])
      expect(status).to.be.oneOf([200, 201])
    })
  }

  it('an existing blocking reference may stay (reference 3.7)', async () => {
    const labels = { metadata: { labels: { a: 'b' } } }
    const { status } = await bob.patch(`${configMaps}/blocking`, 'merge-patch+json', labels)
    expect(status).to.equal(200)
  })
})
