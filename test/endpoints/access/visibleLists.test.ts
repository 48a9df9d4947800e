import { expect } from 'chai'
import type { HttpClient } from '../support/httpClient.ts'
import { clientOf, management, openBob, users, useTestServer } from '../support/testServer.ts'

interface Named {
  metadata: { name: string }
}

const projects = `${management}/projects`

describe('lists of visible kinds', () => {
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient

  before(async () => {
    admin = server().admin
    bob = await openBob(server())
    await post('teams', 'red', { users: ['bob'] })
    await post('teams', 'blue', { users: ['eve'] })
    const access = [{ verbs: ['get'], users: ['bob'] }]
    await post('projects', 'a-owned', { owner: { user: 'bob' } })
    await post('projects', 'b-hidden', {})
    await post('projects', 'c-shared', { access })
    await post('projects', 'd-team', { owner: { team: 'red' } })
    await post('projects', 'e-used', { access: [{ verbs: ['use'], users: ['bob'] }] })
    const clusterRole = 'platform-management-project-admin'
    await post('projects', 'f-member', { members: [{ kind: 'Team', name: 'red', clusterRole }] })
    await post('namespaces/p-b-hidden/virtualclusterinstances', 'mine', {
      owner: { user: 'bob' },
      networkPeer: true,
    })
    await post('namespaces/p-b-hidden/virtualclusterinstances', 'other', { networkPeer: true })
    await post('namespaces/p-f-member/virtualclusterinstances', 'theirs', { networkPeer: true })
    await post('namespaces/default/sharedsecrets', 's', { access })
    await until(`${projects}/c-shared`)
    await until(`${projects}/f-member`)
    await until(`${management}/namespaces/p-f-member/virtualclusterinstances/theirs`)
    await until(`${management}/namespaces/default/sharedsecrets/s`)
  })

  async function post(place: string, name: string, spec: object): Promise<void> {
    const answer = await admin.post(`${management}/${place}`, { metadata: { name }, spec })
    expect(answer.status, answer.text).to.equal(201)
  }

  /** Waits until the controllers have granted bob access. */
  async function until(path: string): Promise<void> {
    for (let turn = 0; turn < 500; turn++) if ((await bob.get(path)).status === 200) return
    throw new Error(`${path} stays refused`)
  }

  async function names(path: string, client = bob): Promise<string[]> {
    const answer = await client.get(path)
    expect(answer.status, answer.text).to.equal(200)
    return (answer.field('items') as Named[]).map(({ metadata }) => metadata.name)
  }

  const seen = ['a-owned', 'c-shared', 'd-team', 'f-member']

  it('list projects: owned, shared and joined ones, and no others (facts 3.2)', async () => {
    expect(await names(projects)).to.deep.equal(seen)
    expect((await names(projects, admin)).length).to.equal(6)
  })

  const cases: [string, string, string[]][] = [
    ['list vclusters', 'virtualclusterinstances?extended=true', ['mine', 'theirs']],
    ['list vclusters', 'namespaces/p-b-hidden/virtualclusterinstances', ['mine']],
    ['list spaces', 'spaceinstances?extended=true', []],
    ['list clusters', 'clusters', []],
    ['list teams', 'teams', ['red']],
    ['list users', 'users', ['bob']],
    ['get secret', 'sharedsecrets', ['s']],
    ['get secret', 'namespaces/default/sharedsecrets', ['s']],
    ['list secrets', 'projectsecrets', []],
  ]
  for (const [command, path, want] of cases) {
    it(`${command}: GET ${path} shows ${want.join(', ') || 'nothing'} (facts 3.2)`, async () => {
      expect(await names(`${management}/${path}`)).to.deep.equal(want)
    })
  }

  it('with extended=true each item says whether it may be used (facts 3.3)', async () => {
    const list = await bob.get(`${management}/virtualclusterinstances?extended=true`)
    expect([0, 1].map((index) => list.field('items', index, 'status', 'canUse'))).to.deep.equal([
      true,
      true,
    ])
  })

  it('pages have the requested number of visible objects, at one revision (reference 4.4)', async () => {
    const first = await bob.get(`${projects}?limit=3`)
    const { continue: token, ...metadata } = first.field('metadata') as Record<string, string>
    expect(Object.keys(metadata)).to.deep.equal(['resourceVersion'])
    expect((first.field('items') as Named[]).map((item) => item.metadata.name)).to.deep.equal(
      seen.slice(0, 3),
    )
    const last = await bob.get(`${projects}?limit=3&continue=${token ?? ''}`)
    expect(last.field('metadata')).to.deep.equal(metadata)
    expect((last.field('items') as Named[]).map((item) => item.metadata.name)).to.deep.equal([
      'f-member',
    ])
  })

  it('selectors choose among visible objects (reference 4.3)', async () => {
    expect(await names(`${projects}?fieldSelector=metadata.name%3Db-hidden`)).to.deep.equal([])
    expect(await names(`${projects}?fieldSelector=metadata.name%3Da-owned`)).to.deep.equal([
      'a-owned',
    ])
    expect(await names(`${projects}?labelSelector=none`)).to.deep.equal([])
  })

  it('a removed right applies from the next list on', async () => {
    await post('projects', 'z', { owner: { user: 'bob' } })
    expect(await names(projects)).to.deep.equal([...seen, 'z'])
    const spec = { owner: { user: 'admin' } }
    await admin.patch(`${projects}/z`, 'merge-patch+json', { spec })
    expect(await names(projects)).to.deep.equal(seen)
    await admin.delete(`${projects}/z`)
  })

  it('a review allows the list and its watch, and both work (spec auth.10)', async () => {
    const may = async (verb: string) => {
      const resourceAttributes = { verb, group: 'management.platform', resource: 'projects' }
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
      return (await bob.post(path, { spec: { resourceAttributes } })).field('status', 'allowed')
    }
    expect([await may('list'), await may('watch')]).to.deep.equal([true, true])
    expect((await bob.delete(projects)).status).to.equal(403)
    expect((await bob.get(`${management}/ownedaccesskeys`)).status).to.equal(403)
    expect((await bob.get('/api/v1/secrets')).status).to.equal(403)
  })

  it('auth.4: a scope without the list refuses it; one with the list filters it', async () => {
    const keyOf = async (name: string, rules: object[]) => {
      const key = await admin.post(`${management}/ownedaccesskeys`, {
        metadata: { name },
        spec: { user: 'bob', scope: { rules } },
      })
      return clientOf(server().running, String(key.field('spec', 'key')))
    }
    const group = 'management.platform'
    const list = { verbs: ['list'], resources: [{ group, resources: ['projects'] }] }
    const resources = [{ group, resources: ['projects'], resourceNames: ['c-shared', 'b-hidden'] }]
    const get = { verbs: ['get'], resources }
    const narrow = await keyOf('narrow', [list, get])
    expect(await names(projects, narrow)).to.deep.equal(['c-shared'])
    const without = await keyOf('without', [get])
    expect((await without.get(projects)).status).to.equal(403)
    expect((await without.post(`${management}/selves`, {})).status).to.equal(201)
  })

  it('an unauthenticated user gets no list (spec auth.8)', async () => {
    expect((await clientOf(server().running, 'wrong').get(users)).status).to.equal(401)
  })
})
