import { expect } from 'chai'
import { referenceFields } from '../../../apiserver/apis/management/references.ts'
import { management, useTestServer } from '../support/testServer.ts'
import type { Answer } from '../support/httpClient.ts'

const warningsOf = ({ headers }: Answer) => String(headers['warning'] ?? '')

describe('warnings about objects that cannot work', () => {
  const server = useTestServer()
  const create = (plural: string, spec: object, metadata: object = {}) =>
    server().admin.post(`${management}/${plural}`, {
      metadata: { generateName: 'x', ...metadata },
      spec,
    })

  const cases: [string, object, string][] = [
    ['ownedaccesskeys', { user: 'nobody' }, 'spec.user: there is no object \\"nobody\\" of users'],
    ['ownedaccesskeys', { team: 'none' }, 'spec.team: there is no object \\"none\\" of teams'],
    [
      'projects',
      {
        members: [
          { kind: 'User', name: 'admin' },
          { kind: 'Team', name: 'none' },
        ],
      },
      'spec.members[1].name: there is no object \\"none\\" of teams',
    ],
    [
      'projects',
      { members: [{ kind: 'User', name: 'admin', clusterRole: 'none' }] },
      'spec.members[0].clusterRole: there is no object \\"none\\" of clusterroles',
    ],
    [
      'projects',
      { allowedClusters: [{ name: '*' }, { name: 'far' }] },
      'spec.allowedClusters[1].name: there is no object \\"far\\" of clusters',
    ],
    [
      'projects',
      { allowedTemplates: [{ kind: 'SpaceTemplate', name: 't' }] },
      'spec.allowedTemplates[0].name: there is no object \\"t\\" of spacetemplates',
    ],
    [
      'projects',
      { owner: { user: 'nobody' } },
      'spec.owner.user: there is no object \\"nobody\\" of users',
    ],
    [
      'teams',
      { users: ['admin', 'nobody'] },
      'spec.users[1]: there is no object \\"nobody\\" of users',
    ],
    [
      'teams',
      { access: [{ verbs: ['get'], users: ['*'], teams: ['none'] }] },
      'spec.access[0].teams[0]: there is no object \\"none\\" of teams',
    ],
    [
      'users',
      { clusterRoles: [{ name: 'none' }] },
      'spec.clusterRoles[0].name: there is no object \\"none\\" of clusterroles',
    ],
  ]
  for (const [plural, spec, want] of cases) {
    it(`${plural}: ${JSON.stringify(spec)}`, async () => {
      const answer = await create(plural, spec)
      expect([answer.status, warningsOf(answer).split(', 299').length]).to.deep.equal([201, 1])
      expect(warningsOf(answer)).to.include(want)
    })
  }

  it('are not given for existing references, nor again for other changes', async () => {
    const { admin } = server()
    const right = { members: [{ kind: 'User', name: 'admin', clusterRole: 'cluster-admin' }] }
    expect(warningsOf(await create('projects', right))).to.equal('')
    await create('teams', { users: ['nobody'] }, { name: 'kept', generateName: '' })
    const patch = (spec: object) =>
      admin.patch(`${management}/teams/kept`, 'merge-patch+json', { spec })
    expect(warningsOf(await patch({ displayName: 'd' }))).to.equal('')
    expect(warningsOf(await patch({ users: ['nobody', 'new'] }))).to.include('spec.users[1]')
  })

  it('are summarised if there are many', async () => {
    const answer = await create('teams', {
      users: Array.from({ length: 500 }, (_, at) => `u${at}`),
    })
    expect(warningsOf(answer)).to.include('490 more objects that are named do not exist')
  })

  it('are given for an applied key, whose value is only in the response', async () => {
    const { admin } = server()
    const text = 'the key is shown only in the response to this request'
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
    const applied = (config: string) => ({ annotations: { [annotation]: config } })
    const warned = async (metadata: object, spec: object = {}) =>
      warningsOf(await create('ownedaccesskeys', { user: 'admin', ...spec }, metadata)).includes(
        text,
      )
    expect(await warned(applied('{"spec":{"user":"admin"}}'))).to.equal(true)
    expect(await warned({})).to.equal(false)
    const key = 'k'.repeat(40)
    expect(await warned(applied(`{"spec":{"key":"${key}"}}`), { key })).to.equal(false)
    const path = `${management}/ownedaccesskeys/sides?fieldManager=kubectl`
    const body = {
      apiVersion: 'management.platform/v1',
      kind: 'OwnedAccessKey',
      metadata: { name: 'sides' },
      spec: { user: 'admin' },
    }
    expect(warningsOf(await admin.patch(path, 'apply-patch+yaml', body))).to.include(text)
    expect(warningsOf(await admin.patch(path, 'apply-patch+yaml', body))).to.equal('')
  })

  it('cover every field that is named after a kind', async () => {
    const { admin } = server()
    const { json } = await admin.get('/openapi/v3/apis/management.platform/v1')
    const { schemas } = (json as { components: { schemas: Record<string, Node> } }).components
    const found = [
      'OwnedAccessKey',
      'User',
      'Team',
      'Project',
      'Cluster',
      'SharedSecret',
      'SpaceInstance',
      'VirtualClusterInstance',
      'VirtualClusterTemplate',
      'SpaceTemplate',
    ]
      .flatMap((kind) => {
        const root = Object.entries(schemas).find(([name]) => name.endsWith(`.v1.${kind}`))?.[1]
        expect(root, kind).to.not.equal(undefined)
        const spec = root?.properties?.['spec']
        return spec === undefined ? [] : fieldsOf(spec, 'spec', schemas)
      })
      .filter((path) => /\.(users?|teams?|clusters?|clusterRole|members\.name)$/.test(path))
    const others =
      /^spec\.(scope|template\.|instanceTemplate|versions|access\.verbs)|extraAccessRules\.clusterRole|\.(spaceTemplate|template)\./
    expect(
      [...new Set(found)].filter((path) => !others.test(path) && !(path in referenceFields)),
    ).to.deep.equal([])
    expect(found.length).to.be.greaterThan(8)
  })
})

interface Node {
  properties?: Record<string, Node>
  items?: Node
  $ref?: string
  allOf?: Node[]
  type?: string
}

/** Paths of the strings and lists of strings below a node, without indexes. */
function fieldsOf(node: Node, path: string, schemas: Record<string, Node>, depth = 0): string[] {
  const { $ref: reference = node.allOf?.[0]?.$ref } = node
  if (depth > 12) return []
  if (reference !== undefined) {
    const target = schemas[reference.split('/').at(-1) ?? '']
    return target === undefined ? [] : fieldsOf(target, path, schemas, depth + 1)
  }
  if (node.items !== undefined) return fieldsOf(node.items, path, schemas, depth + 1)
  const { properties } = node
  if (properties === undefined) return node.type === 'string' ? [path] : []
  return Object.entries(properties).flatMap(([name, member]) =>
    fieldsOf(member, `${path}.${name}`, schemas, depth + 1),
  )
}
