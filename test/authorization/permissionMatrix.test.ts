import { expect } from 'chai'
import { Agent } from 'node:http'
import { HttpClient, type Answer } from '../endpoints/support/httpClient.ts'
import { management, users, useTestServer } from '../endpoints/support/testServer.ts'

interface Known {
  base: string
  group: string
  resource: string
  subresource: string
  namespaced: boolean
}

interface Ask {
  known: Known
  verb: string
  name: string
}

const rbac = '/apis/rbac.authorization.k8s.io/v1'
/** Body that cannot be decoded: every write is refused, but only after authorization. */
const nonsense = '{'
const wrongOptions = 'dryRun=nonsense'
const json = { 'content-type': 'application/json' }
const patch = { 'content-type': 'application/merge-patch+json' }

/** Compares, for every resource and verb, the access review of a request with the result of the request itself. */
describe('permission matrix', () => {
  const server = useTestServer()
  const identities = new Map<string, HttpClient>()
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let resources: Known[]

  after(() => agent.destroy())
  before(async () => {
    const { admin } = server()
    resources = await discovered(admin)
    identities.set('an administrator', await newKey('root', { user: 'admin' }))
    identities.set('nobody', await newUser('nobody', {}))
    const clusterRoles = [{ name: 'platform-management-project-admin' }]
    identities.set('a project administrator', await newUser('projects', { clusterRoles }))
    identities.set('a viewer of a namespace', await newUser('viewer', {}))
    const subjects = [{ kind: 'User', name: 'viewer' }]
    const binding = {
      metadata: { name: 'v' },
      subjects,
      roleRef: { kind: 'ClusterRole', name: 'view' },
    }
    await admin.post(`${rbac}/namespaces/default/rolebindings`, binding)
    const scope = {
      rules: [{ verbs: ['get', 'list'], resources: [{ group: '', resources: ['secrets'] }] }],
    }
    identities.set(
      'an administrator with a scope',
      await newKey('scoped', { user: 'admin', scope }),
    )
    const owner = await newUser('owner', {})
    identities.set('an owner', owner)
    await admin.post(`${management}/namespaces/default/sharedsecrets`, {
      metadata: { name: 'probe' },
      spec: { owner: { user: 'owner' } },
    })
    for (const client of identities.values()) await eventuallyAllowed(client)
  })

  async function newUser(name: string, spec: object): Promise<HttpClient> {
    await server().admin.post(users, { metadata: { name }, spec: { subject: name, ...spec } })
    return newKey(name, { user: name })
  }

  async function newKey(name: string, spec: object): Promise<HttpClient> {
    const { admin, running } = server()
    const key = await admin.post(`${management}/ownedaccesskeys`, { metadata: { name }, spec })
    const authorization = `Bearer ${String(key.field('spec', 'key'))}`
    return new HttpClient(running.insecureUrl ?? running.url, { authorization }, agent)
  }

  /** Succeeds once the controller has bound the cluster roles of the project administrator. */
  async function eventuallyAllowed(client: HttpClient): Promise<void> {
    if (client !== identities.get('a project administrator')) return
    const known = { base: management, group: 'management.platform', resource: 'projects' }
    const ask = { known: { ...known, subresource: '', namespaced: false }, name: '' }
    for (let turn = 0; turn < 200; turn++) {
      if (await mayBySelfReview(client, { ...ask, verb: 'list' })) return
    }
    throw new Error('the cluster role was not bound')
  }

  for (const who of [
    'an administrator',
    'nobody',
    'a project administrator',
    'a viewer of a namespace',
    'an administrator with a scope',
    'an owner',
  ]) {
    it(`${who}: reviews and requests agree (spec auth.8, auth.10)`, async function () {
      this.timeout(60_000)
      const client = identities.get(who)
      if (client === undefined) throw new Error(`there is no client of ${who}`)
      const asks = resources.flatMap((known) =>
        verbsOf(known).map((verb) => ({ known, verb, name: hasName(known, verb) ? 'probe' : '' })),
      )
      const all = asks.map(async (ask) => {
        const { known, verb } = ask
        const [may, does] = await Promise.all([
          mayBySelfReview(client, ask),
          isLetThrough(client, ask),
        ])
        const resource = `${known.group}/${known.resource}/${known.subresource}`
        return may === does ? [] : [`${verb} ${resource}: ${may ? 'asked' : 'done'} only`]
      })
      const different = (await Promise.all(all)).flat()
      expect(different).to.deep.equal([])
      expect(asks.length).to.be.above(600)
    })
  }

  it('an owner may do everything with owned objects, and others nothing (spec auth.8, secret.owner)', async () => {
    const path = `${management}/namespaces/default/sharedsecrets/probe`
    const status = async (who: string) => (await identities.get(who)?.get(path))?.status
    expect([await status('an owner'), await status('nobody')]).to.deep.equal([200, 403])
  })
})

async function discovered(admin: HttpClient): Promise<Known[]> {
  const groups = (await admin.get('/apis')).field('groups') as {
    versions: { groupVersion: string }[]
  }[]
  const named = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion))
  const found: Known[] = []
  for (const version of ['', ...named]) {
    const base = version === '' ? '/api/v1' : `/apis/${version}`
    const list = (await admin.get(base)).field('resources') as {
      name: string
      namespaced: boolean
    }[]
    for (const { name, namespaced } of list) {
      const [resource = '', subresource = ''] = name.split('/')
      const group = version.split('/')[0] ?? ''
      found.push({ base, group, resource, subresource, namespaced })
    }
  }
  return found
}

const subresourceVerbs = ['get', 'create', 'update', 'patch', 'delete']
const resourceVerbs = [...subresourceVerbs, 'list', 'watch', 'deletecollection']

/** All verbs: requests that a resource does not serve are authorized before they are refused. */
function verbsOf({ subresource }: Known): string[] {
  return subresource === '' ? resourceVerbs : subresourceVerbs
}

function hasName({ subresource }: Known, verb: string): boolean {
  return subresource !== '' || ['get', 'update', 'patch', 'delete'].includes(verb)
}

async function mayBySelfReview(client: HttpClient, { known, verb, name }: Ask): Promise<boolean> {
  const { group, resource, subresource, namespaced } = known
  const namespace = namespaceOf(known, namespaced, name)
  const resourceAttributes = { verb, group, version: 'v1', resource, subresource, namespace, name }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const answer = await client.post(path, { spec: { resourceAttributes } })
  // A scope that does not allow the review does not allow the request in it either.
  if (answer.status === 403) return isInScope(known, verb)
  expect(answer.status, answer.text).to.equal(201)
  return answer.field('status', 'allowed') === true
}

/** Reports whether the scope of the test covers a request. */
function isInScope({ group, resource, subresource }: Known, verb: string): boolean {
  const isIdentity = group === 'management.platform' && resource === 'selves' && subresource === ''
  if (isIdentity) return /^(get|create)$/.test(verb)
  return group === '' && resource === 'secrets' && subresource === '' && /^(get|list)$/.test(verb)
}

/** A namespace itself is in its own namespace. */
function namespaceOf({ resource, group }: Known, namespaced: boolean, name: string): string {
  if (namespaced) return 'default'
  return resource === 'namespaces' && group === '' ? name : ''
}

/** Reports whether the request is authorized, whatever its result. Nothing is stored. */
async function isLetThrough(client: HttpClient, { known, verb, name }: Ask): Promise<boolean> {
  const { base, resource, subresource, namespaced } = known
  const place = namespaced ? `${base}/namespaces/default/${resource}` : `${base}/${resource}`
  const path = [place, name, subresource].filter((part) => part !== '').join('/')
  const answer = await send(client, verb, path)
  const isWrite = !['get', 'list', 'watch'].includes(verb)
  if (isWrite) expect(answer.status, `${verb} ${path}`).to.be.at.least(400)
  return !(answer.status === 403 && answer.text.includes(` cannot ${verb} resource `))
}

function send(client: HttpClient, verb: string, path: string): Promise<Answer> {
  switch (verb) {
    case 'create':
      return client.post(path, nonsense, json)
    case 'update':
      return client.put(path, nonsense, json)
    case 'patch':
      return client.call(path, { method: 'PATCH', body: nonsense, headers: patch })
    case 'delete':
    case 'deletecollection':
      return client.delete(`${path}?${wrongOptions}`)
    case 'watch':
      // A revision that cannot be read ends the request right after authorization.
      return client.get(`${path}?watch=1&resourceVersion=odd`)
    default:
      return client.get(path)
  }
}
