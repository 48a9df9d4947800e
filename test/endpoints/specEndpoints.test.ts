import { expect } from 'chai'
import { stringify } from 'yaml'
import type { HttpClient } from './support/httpClient.ts'
import { useTestServer } from './support/testServer.ts'

/** Path in the specification: below the proxy segment. */
const base = '/kubernetes/management/apis/management.platform/v1'

interface KindCase {
  kind: string
  collection: string
  spec: Record<string, unknown>
  /** Fields that a PUT sets. */
  changed: Record<string, unknown>
  /** Titles with the rows of the specification. */
  titles: Record<'create' | 'get' | 'list' | 'replace' | 'patch' | 'delete', string>
}

const kinds: KindCase[] = [
  {
    kind: 'SharedSecret',
    collection: `${base}/namespaces/default/sharedsecrets`,
    spec: { displayName: 'My Global Secret', data: { password: 'cGFzc3dvcmQ=' } },
    changed: { displayName: 'Another', data: { password: 'YQ==' } },
    titles: {
      create: 'POST of YAML answers 201 (spec endpoint.SharedSecret.create, endpoint.yaml)',
      get: 'GET of one answers 200 (spec endpoint.SharedSecret.get)',
      list: 'GET of all answers a list of the kind (spec endpoint.SharedSecret.list)',
      replace: 'PUT answers 200 (spec endpoint.SharedSecret.replace, endpoint.put.resourceVersion)',
      patch: 'PATCH answers 200 (spec endpoint.SharedSecret.patch, endpoint.jsonPatch)',
      delete:
        'DELETE answers 200, then it is gone (spec endpoint.SharedSecret.delete, endpoint.status, service.verbs)',
    },
  },
  {
    kind: 'User',
    collection: `${base}/users`,
    spec: { displayName: 'My User', username: 'my-user', email: 'my-user@example.com' },
    changed: { displayName: 'Another', username: 'my-user' },
    titles: {
      create: 'POST of YAML answers 201 (spec endpoint.User.create, endpoint.yaml)',
      get: 'GET of one answers 200 (spec endpoint.User.get)',
      list: 'GET of all answers a list of the kind (spec endpoint.User.list)',
      replace: 'PUT answers 200 (spec endpoint.User.replace, endpoint.put.resourceVersion)',
      patch: 'PATCH answers 200 (spec endpoint.User.patch, endpoint.jsonPatch)',
      delete:
        'DELETE answers 200, then it is gone (spec endpoint.User.delete, endpoint.status, service.verbs)',
    },
  },
  {
    kind: 'OwnedAccessKey',
    collection: `${base}/ownedaccesskeys`,
    spec: { displayName: 'My Access Key', type: 'User', user: 'admin', ttl: 1_728_000 },
    changed: { displayName: 'Another', type: 'User', user: 'admin', disabled: true },
    titles: {
      create: 'POST of YAML answers 201 (spec endpoint.OwnedAccessKey.create, endpoint.yaml)',
      get: 'GET of one answers 200 (spec endpoint.OwnedAccessKey.get)',
      list: 'OwnedAccessKey, an extension: GET of all answers a list of the kind',
      replace:
        'PUT answers 200 (spec endpoint.OwnedAccessKey.replace, endpoint.put.resourceVersion)',
      patch: 'PATCH answers 200 (spec endpoint.OwnedAccessKey.patch, endpoint.jsonPatch)',
      delete:
        'DELETE answers 200, then it is gone (spec endpoint.OwnedAccessKey.delete, endpoint.status)',
    },
  },
]

const yaml = { 'content-type': 'application/yaml' }

for (const { kind, collection, spec, changed, titles } of kinds) {
  describe(`the endpoints of ${kind}, below the proxy segment (spec endpoint.base)`, () => {
    const server = useTestServer()
    const item = `${collection}/my-object`
    let admin: HttpClient
    before(async () => {
      ;({ admin } = server())
      const body = {
        apiVersion: 'management.platform/v1',
        kind,
        metadata: { name: 'my-object' },
        spec,
      }
      const made = await admin.post(collection, stringify(body), yaml)
      expect([made.status, made.field('kind')]).to.deep.equal([201, kind])
    })

    it(titles.create, async () => {
      // User names and addresses are unique.
      const names = { username: 'other', email: 'other@example.com' }
      const own = 'username' in spec ? { ...spec, ...names } : spec
      const body = { metadata: { name: 'other' }, spec: own }
      const made = await admin.post(collection, stringify(body), yaml)
      expect([made.status, made.field('kind'), made.field('apiVersion')]).to.deep.equal([
        ...[201, kind, 'management.platform/v1'],
      ])
      expect(made.field('metadata', 'name')).to.equal('other')
      expect(made.field('spec')).to.deep.include(own)
      await admin.delete(`${collection}/other`)
    })

    it(titles.get, async () => {
      const found = await admin.get(item)
      expect([found.status, found.field('kind')]).to.deep.equal([200, kind])
      expect(found.field('metadata', 'name')).to.equal('my-object')
      expect(found.field('spec')).to.deep.include(spec)
    })

    it(titles.list, async () => {
      const list = await admin.get(collection)
      expect([list.status, list.field('kind')]).to.deep.equal([200, `${kind}List`])
      const names = (list.field('items') as { metadata: { name: string } }[]).map(
        // Items of a list are objects with metadata.
        ({ metadata }) => metadata.name,
      )
      expect(names).to.include('my-object')
    })

    it(titles.patch, async () => {
      const operations = [
        { op: 'add', path: '/metadata/annotations', value: { 'my-annotation': 'my-value' } },
      ]
      const patched = await admin.patch(item, 'json-patch+json', operations)
      expect(patched.status).to.equal(200)
      expect(patched.field('metadata', 'annotations')).to.deep.equal({
        'my-annotation': 'my-value',
      })
      expect(patched.field('spec')).to.deep.include(spec)
    })

    it(titles.replace, async () => {
      const current = await admin.get(item)
      const next = { ...(current.json as object), spec: changed }
      const replaced = await admin.put(item, stringify(next), yaml)
      expect(replaced.status).to.equal(200)
      expect(replaced.field('spec')).to.deep.include(changed)
      expect(replaced.field('metadata', 'uid')).to.equal(current.field('metadata', 'uid'))
      expect(replaced.field('metadata', 'resourceVersion')).to.not.equal(
        current.field('metadata', 'resourceVersion'),
      )
      const stale = await admin.put(item, stringify(next), yaml)
      expect([stale.status, stale.field('reason')]).to.deep.equal([409, 'Conflict'])
    })

    it(titles.delete, async () => {
      expect((await admin.delete(item)).status).to.equal(200)
      expect((await admin.get(item)).status).to.equal(404)
    })
  })
}
