import { expect } from 'chai'
import { once } from 'node:events'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { clientOf, management, useTestServer } from '../../endpoints/support/testServer.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import {
  clusterBase,
  clusters,
  instanceBase,
  instances,
  letUse,
  makePlanes,
  namesOf,
  userClient,
} from './planeServer.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const rbac = '/apis/rbac.authorization.k8s.io/v1'

describe('control planes', () => {
  const server = useTestServer()
  let admin: HttpClient
  const planes: [name: string, base: string][] = [
    ['the management API', ''],
    ['a host cluster', clusterBase('one')],
    ['another host cluster', clusterBase('two')],
    ['a virtual cluster', instanceBase('web')],
    ['another virtual cluster', instanceBase('db')],
  ]

  before(async () => {
    admin = server().admin
    await makePlanes(admin, { hosts: ['one', 'two'], virtual: ['web', 'db'] })
  })

  for (const [name, base] of planes.slice(1)) {
    it(`${name} starts with the namespaces, roles and accounts of a cluster`, async () => {
      expect(await namesOf(admin, `${base}/api/v1/namespaces`)).to.deep.equal([
        'default',
        'kube-node-lease',
        'kube-public',
        'kube-system',
      ])
      expect(await namesOf(admin, `${base}${rbac}/clusterroles`)).to.deep.equal([
        ...['admin', 'cluster-admin', 'edit', 'system:aggregate-to-admin'],
        ...['system:aggregate-to-edit', 'system:aggregate-to-view', 'system:auth-delegator'],
        'system:basic-user',
        ...['system:discovery', 'system:public-info-viewer'],
        ...['system:service-account-issuer-discovery', 'view'],
      ])
      const accounts = `${base}/api/v1/serviceaccounts`
      await waitUntil(async () => (await namesOf(admin, accounts)).length === 4)
      const service = await admin.get(`${base}/api/v1/namespaces/default/services/kubernetes`)
      expect(service.status).to.equal(200)
    })

    it(`${name} has its own documents, without kinds of the platform`, async () => {
      const groups = await admin.get(`${base}/apis`)
      const names = (groups.field('groups') as { name: string }[]).map((group) => group.name)
      expect(names).to.include.members(['apps', 'batch', 'rbac.authorization.k8s.io'])
      expect(names).not.to.include('management.platform')
      const openapi = await admin.get(`${base}/openapi/v2`)
      expect([openapi.status, openapi.field('info', 'title')]).to.deep.equal([200, 'Kubernetes'])
      expect((await admin.get(`${base}/version`)).status).to.equal(200)
      expect((await admin.get(`${base}/readyz`)).text).to.equal('ok')
      expect((await admin.get(`${base}${management}/users`)).status).to.equal(404)
    })
  }

  describe('isolation', () => {
    before(async () => {
      for (const [index, [, base]] of planes.entries()) {
        const made = await admin.post(`${base}${configMaps}`, {
          metadata: { name: 'same' },
          data: { plane: String(index) },
        })
        expect(made.status, made.text).to.equal(201)
      }
    })

    for (const [index, [name, base]] of planes.entries()) {
      it(`a read of ${name} finds only its own object`, async () => {
        const found = await admin.get(`${base}${configMaps}/same`)
        expect(found.field('data', 'plane')).to.equal(String(index))
        const all = await namesOf(
          admin,
          `${base}/api/v1/configmaps?fieldSelector=metadata.name=same`,
        )
        expect(all).to.deep.equal(['same'])
      })

      it(`a watch of ${name} reports only its own changes`, async () => {
        const watch = await admin.open(
          `${base}${configMaps}?watch=1&fieldSelector=metadata.name=seen`,
        )
        let text = ''
        watch.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        for (const [other, [, otherBase]] of planes.entries()) {
          if (other === index) continue
          await admin.post(`${otherBase}${configMaps}`, { metadata: { name: 'seen' } })
          await admin.delete(`${otherBase}${configMaps}/seen`)
        }
        await admin.post(`${base}${configMaps}`, { metadata: { name: 'seen' } })
        await admin.delete(`${base}${configMaps}/seen`)
        await waitUntil(() => text.includes('DELETED'))
        watch.destroy()
        const types = text
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { type: string }).type)
        expect(types).to.deep.equal(['ADDED', 'DELETED'])
      })

      it(`an error of ${name} is about its own objects`, async () => {
        const missing = await admin.get(`${base}${configMaps}/none`)
        expect([missing.status, missing.field('message')]).to.deep.equal([
          404,
          'configmaps "none" not found',
        ])
        const again = await admin.post(`${base}${configMaps}`, { metadata: { name: 'same' } })
        expect([again.status, again.field('reason')]).to.deep.equal([409, 'AlreadyExists'])
      })
    }

    it('a namespace of one plane does not exist in another', async () => {
      await admin.post(`${clusterBase('one')}/api/v1/namespaces`, { metadata: { name: 'own' } })
      const path = '/api/v1/namespaces/own/configmaps'
      const made = await admin.post(`${clusterBase('two')}${path}`, { metadata: { name: 'm' } })
      expect([made.status, made.field('message')]).to.deep.equal([
        404,
        'namespaces "own" not found',
      ])
    })

    it('a deleted namespace is emptied in its plane only', async () => {
      for (const base of [clusterBase('one'), clusterBase('two')]) {
        await admin.post(`${base}/api/v1/namespaces`, { metadata: { name: 'going' } })
        await admin.post(`${base}/api/v1/namespaces/going/configmaps`, { metadata: { name: 'm' } })
      }
      await admin.delete(`${clusterBase('one')}/api/v1/namespaces/going`)
      const gone = `${clusterBase('one')}/api/v1/namespaces/going`
      await waitUntil(async () => (await admin.get(gone)).status === 404)
      const kept = `${clusterBase('two')}/api/v1/namespaces/going/configmaps/m`
      expect((await admin.get(kept)).status).to.equal(200)
    })

    it('owners and dependents belong to one plane', async () => {
      const [one, two] = [clusterBase('one'), clusterBase('two')]
      const owner = await admin.post(`${one}${configMaps}`, { metadata: { name: 'owner' } })
      const ownerReferences = [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.field('metadata', 'uid') },
      ]
      await admin.post(`${one}${configMaps}`, { metadata: { name: 'owned', ownerReferences } })
      await admin.post(`${two}${configMaps}`, { metadata: { name: 'owned' } })
      await admin.delete(`${one}${configMaps}/owner`)
      await waitUntil(async () => (await admin.get(`${one}${configMaps}/owned`)).status === 404)
      expect((await admin.get(`${two}${configMaps}/owned`)).status).to.equal(200)
    })

    it('a right in one plane is not valid in another, nor on the management API', async () => {
      const binding = {
        metadata: { name: 'carol' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'carol' }],
      }
      await admin.post(`${instanceBase('web')}${rbac}/clusterrolebindings`, binding)
      const asCarol = admin.with({ 'impersonate-user': 'carol' })
      const codes = []
      for (const [, base] of planes) codes.push((await asCarol.get(`${base}${configMaps}`)).status)
      expect(codes).to.deep.equal([403, 403, 403, 200, 403])
      const review = {
        spec: { user: 'carol', resourceAttributes: { verb: 'list', resource: 'configmaps' } },
      }
      const allowed = []
      for (const [, base] of planes) {
        const path = `${base}/apis/authorization.k8s.io/v1/subjectaccessreviews`
        allowed.push((await admin.post(path, review)).field('status', 'allowed'))
      }
      expect(allowed).to.deep.equal([false, false, false, true, false])
    })

    it("requests are counted by the type of plane, and shown only by the server's own metrics", async () => {
      const text = (await admin.get('/metrics')).text
      const count = (labels: string) =>
        text
          .split('\n')
          .filter((line) => line.startsWith('apiserver_request_total{') && line.includes(labels))
          .length
      expect(count('resource="configmaps"')).to.be.greaterThan(0)
      expect(count('plane="Cluster"')).to.be.greaterThan(0)
      expect(count('plane="ProjectVCluster"')).to.be.greaterThan(0)
      expect((await admin.get(`${clusterBase('one')}/metrics`)).status).to.equal(404)
    })
  })

  describe('access to planes', () => {
    it('is refused without a token: 401', async () => {
      const nobody = clientOf(server().running, 'wrong')
      const answer = await nobody.get(`${clusterBase('one')}/api/v1/namespaces`)
      expect([answer.status, answer.field('reason')]).to.deep.equal([401, 'Unauthorized'])
    })

    it('is refused to users without access to the object, whether it exists or not: 403', async () => {
      const eve = await userClient(server(), 'eve', { name: 'eve' })
      for (const base of [clusterBase('one'), clusterBase('none')]) {
        const answer = await eve.get(`${base}/api`)
        expect([answer.status, answer.field('message')]).to.deep.equal([
          403,
          `clusters.management.platform "${base.split('/').at(-1)}" is forbidden: User "eve" cannot use resource "clusters" in API group "management.platform" at the cluster scope`,
        ])
      }
      const inside = await eve.get(`${instanceBase('web')}/api/v1/namespaces`)
      expect(inside.status).to.equal(403)
    })

    it('to a missing object is 404 for users with access', async () => {
      const answers = [
        await admin.get(`${clusterBase('none')}/api`),
        await admin.get(`${instanceBase('none')}/api/v1/pods`),
        await admin.get('/kubernetes/virtualcluster/one/n/none/api'),
      ]
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404])
      expect(answers.map((answer) => answer.field('message'))).to.deep.equal([
        'clusters.management.platform "none" not found',
        'virtualclusterinstances.management.platform "none" not found',
        'virtualclusterinstances.management.platform "none" not found',
      ])
    })

    it('works by the legacy path and percent-encoded names too', async () => {
      const clusterRef = { cluster: 'one', namespace: 'team', virtualCluster: 'v' }
      await admin.post(instances, { metadata: { name: 'old' }, spec: { clusterRef } })
      await admin.post(`${instanceBase('old')}${configMaps}`, { metadata: { name: 'mark' } })
      const paths = [
        `/kubernetes/virtualcluster/one/team/v${configMaps}/mark`,
        `/kubernetes/project/sh%6Fp/virtualcluster/%6Fld${configMaps}/mark`,
      ]
      for (const path of paths) expect((await admin.get(path)).status, path).to.equal(200)
    })

    it('makes users with access administrators inside, unless its rules say otherwise', async () => {
      await letUse(admin, 'uma', 'virtualclusterinstances')
      const uma = await userClient(server(), 'uma', { name: 'uma' })
      const made = await uma.post(`${instanceBase('db')}${configMaps}`, { metadata: { name: 'u' } })
      expect(made.status).to.equal(201)
      expect((await uma.get(`${clusterBase('one')}/api`)).status).to.equal(403)
      const extraAccessRules = [{ users: ['uma'], clusterRole: 'view' }]
      const change = { spec: { extraAccessRules } }
      const patched = await admin.patch(`${instances}/db`, 'merge-patch+json', change)
      expect(patched.status, patched.text).to.equal(200)
      const codes = [
        (await uma.get(`${instanceBase('db')}${configMaps}/u`)).status,
        (await uma.delete(`${instanceBase('db')}${configMaps}/u`)).status,
      ]
      expect(codes).to.deep.equal([200, 403])
    })

    it("needs no role for the instance's owner", async () => {
      const owen = await userClient(server(), 'owen', { name: 'owen' })
      const spec = { owner: { user: 'owen' } }
      await admin.post(instances, { metadata: { name: 'owens' }, spec })
      expect((await owen.get(`${instanceBase('owens')}/api/v1/pods`)).status).to.equal(200)
    })
  })

  describe('deletion', () => {
    it('ends watches; a plane created again is empty', async () => {
      await makePlanes(admin, { hosts: ['brief'] })
      const base = clusterBase('brief')
      await admin.post(`${base}${configMaps}`, { metadata: { name: 'm' } })
      const watch = await admin.open(`${base}${configMaps}?watch=1`)
      const ended = once(watch.resume(), 'end')
      await admin.delete(`${clusters}/brief`)
      await ended
      expect((await admin.get(`${base}${configMaps}/m`)).status).to.equal(404)
      await makePlanes(admin, { hosts: ['brief'] })
      expect((await admin.get(`${base}${configMaps}/m`)).field('message')).to.equal(
        'configmaps "m" not found',
      )
      expect(await namesOf(admin, `${base}/api/v1/namespaces`)).to.include('default')
    })

    it('of a project removes the planes of its instances', async () => {
      await admin.post(`${management}/projects`, { metadata: { name: 'gone' } })
      const path = `${management}/namespaces/p-gone/virtualclusterinstances`
      await admin.post(path, { metadata: { name: 'v' } })
      const base = instanceBase('v', 'gone')
      expect((await admin.get(`${base}/api`)).status).to.equal(200)
      await admin.delete(`${management}/projects/gone`)
      await waitUntil(async () => (await admin.get(`${base}/api`)).status === 404)
    })
  })
})
