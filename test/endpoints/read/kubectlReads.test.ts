import { expect } from 'chai'
import { useTestServer } from '../support/testServer.ts'

interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: object }
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }
}
interface Document {
  paths: Record<string, { patch?: Operation; get?: Operation }>
  components: { schemas: Record<string, { 'x-kubernetes-group-version-kind'?: object[] }> }
}

const documents = [
  ['api/v1', '/api/v1/namespaces/{namespace}/configmaps/{name}', 'ConfigMap', true],
  ['apis/management.platform/v1', '/apis/management.platform/v1/users/{name}', 'User', false],
] as const

describe('OpenAPI documents as kubectl reads them', () => {
  const server = useTestServer()
  const read = async (key: string) =>
    // The documents have this form by their specification.
    (await server().admin.get(`/openapi/v3/${key}`)).json as Document

  for (const [key, path, kind, isBuiltIn] of documents) {
    it(`${kind}: validation, dry run and patch types are found at PATCH (reference 6.7)`, async () => {
      const { patch } = (await read(key)).paths[path] ?? {}
      const inQuery = patch?.parameters?.filter((one) => one.in === 'query')
      expect(inQuery?.map(({ name }) => name)).to.include.members([
        'dryRun',
        'fieldManager',
        'fieldValidation',
        'force',
      ])
      const types = Object.keys(patch?.requestBody?.content ?? {})
      expect(types.includes('application/strategic-merge-patch+json')).to.equal(isBuiltIn)
      expect(types).to.include('application/apply-patch+yaml')
    })

    it(`${kind}: explain finds the kind at its path and among the schemas (reference 6.7)`, async () => {
      const { paths, components } = await read(key)
      const gvk = paths[path]?.get?.['x-kubernetes-group-version-kind']
      expect(gvk?.kind).to.equal(kind)
      const schemas = Object.values(components.schemas).filter((schema) =>
        schema['x-kubernetes-group-version-kind']?.some(
          (one) => JSON.stringify(one) === JSON.stringify(gvk),
        ),
      )
      expect(schemas).to.have.length(1)
    })
  }

  it('every resource has a singular name, and no subresource has one (reference 10.2)', async () => {
    const { admin } = server()
    const groups = (await admin.get('/apis')).field('groups') as {
      versions: { groupVersion: string }[]
    }[]
    const versions = groups.flatMap(({ versions: all }) => all.map((one) => one.groupVersion))
    for (const path of ['/api/v1', ...versions.map((version) => `/apis/${version}`)]) {
      const list = (await admin.get(path)).field('resources') as {
        name: string
        singularName: string
      }[]
      for (const { name, singularName } of list) {
        expect(singularName === '', `${path} ${name}`).to.equal(name.includes('/'))
      }
    }
  })
})
