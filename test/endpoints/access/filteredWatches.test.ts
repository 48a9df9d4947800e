import { expect } from 'chai'
import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { waitUntil } from '../../support/waitUntil.ts'
import type { HttpClient } from '../support/httpClient.ts'
import { Informer } from '../support/informer.ts'
import { clientOf, management, openBob, useTestServer } from '../support/testServer.ts'

const projects = `${management}/projects`
const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'

interface Seen {
  type: string
  object: { metadata: { name?: string }; code?: number; reason?: string }
}

/** Events of a stream, as `TYPE name`, and errors as `ERROR 410 Expired`. */
class Stream {
  readonly response: IncomingMessage
  readonly seen: string[] = []
  text = ''
  isOver = false

  constructor(response: IncomingMessage) {
    this.response = response
    let rest = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.seen.push(said(JSON.parse(line) as Seen))
    })
    response.on('close', () => (this.isOver = true))
  }

  until(what: string): Promise<void> {
    return waitUntil(() => this.seen.includes(what))
  }
}

function said({ type, object: { metadata, code, reason } }: Seen): string {
  return type === 'ERROR' ? `ERROR ${code} ${reason}` : `${type} ${metadata.name ?? ''}`.trim()
}

const expired = 'ERROR 410 Expired'

describe('filtered watches', () => {
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient
  const streams: Stream[] = []

  before(async () => {
    admin = server().admin
    bob = await openBob(server())
    await post(`${management}/teams`, 'red', { users: ['bob'] })
    await post(projects, 'own', { owner: { user: 'bob' } })
    await post(projects, 'hidden', {})
  })
  afterEach(() => {
    for (const { response } of streams.splice(0)) response.destroy()
  })

  async function post(path: string, name: string, spec: object): Promise<void> {
    const answer = await admin.post(path, { metadata: { name }, spec })
    expect(answer.status, answer.text).to.equal(201)
  }

  async function patch(path: string, spec: object): Promise<void> {
    const answer = await admin.patch(path, 'merge-patch+json', { spec })
    expect(answer.status, answer.text).to.equal(200)
  }

  async function newest(path = projects, client = bob): Promise<string> {
    return String((await client.get(path)).field('metadata', 'resourceVersion'))
  }

  async function watch(query: string, client = bob, path = projects): Promise<Stream> {
    const response = await client.open(`${path}?watch=1&${query}`)
    expect(response.statusCode).to.equal(200)
    const stream = new Stream(response)
    streams.push(stream)
    return stream
  }

  /** List followed by a watch from its revision, as an informer does. */
  async function follow(client = bob, path = projects): Promise<Stream> {
    return watch(`resourceVersion=${await newest(path, client)}`, client, path)
  }

  async function names(client = bob): Promise<string[]> {
    const items = (await client.get(projects)).field('items') as Seen['object'][]
    return items.map(({ metadata }) => metadata.name ?? '')
  }

  async function bind(name: string, rule: object, subject = 'bob'): Promise<void> {
    await admin.post(clusterRoles, { metadata: { name }, rules: [rule] })
    await admin.post(bindings, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: subject }],
    })
  }

  const reading = (...resourceNames: string[]) => ({
    verbs: ['get'],
    apiGroups: ['management.platform'],
    resources: ['projects'],
    resourceNames,
  })

  it('report visible objects that are created, changed and deleted, and no others', async () => {
    const stream = await follow()
    await post(projects, 'a-hidden', {})
    await patch(`${projects}/hidden`, { displayName: 'x' })
    await post(projects, 'given', { owner: { team: 'red' } })
    await patch(`${projects}/given`, { displayName: 'x' })
    await admin.delete(`${projects}/a-hidden`)
    await admin.delete(`${projects}/given`)
    await stream.until('DELETED given')
    expect(new Set(stream.seen)).to.deep.equal(
      new Set(['ADDED given', 'MODIFIED given', 'DELETED given']),
    )
    expect(stream.text).not.to.include('hidden')
  })

  it('end with 410 when the owner changes, without revealing that write', async () => {
    await post(projects, 'lost', { owner: { user: 'bob' } })
    const stream = await follow()
    await patch(`${projects}/lost`, { owner: { user: 'admin' }, displayName: 'secret' })
    await stream.until(expired)
    expect(stream.seen).to.deep.equal([expired])
    expect(stream.text).not.to.include('lost')
    await waitUntil(() => stream.isOver)
    expect(await names()).to.deep.equal(['own'])
    await admin.delete(`${projects}/lost`)
  })

  it('report an object transferred to the user as added', async () => {
    const stream = await follow()
    await post(projects, 'handed', { owner: { user: 'admin' } })
    await patch(`${projects}/handed`, { owner: { user: 'bob' } })
    await stream.until('ADDED handed')
    expect(stream.seen).to.deep.equal(['ADDED handed'])
    await admin.delete(`${projects}/handed`)
  })

  it('end with 410 when an access entry is added or removed', async () => {
    await post(projects, 'shared', {})
    const before = await follow()
    await patch(`${projects}/shared`, { access: [{ verbs: ['get'], users: ['bob'] }] })
    await before.until(expired)
    await waitUntil(async () => (await names()).includes('shared'))
    const after = await follow()
    await patch(`${projects}/shared`, { access: [], displayName: 'secret' })
    await after.until(expired)
    expect(before.seen.concat(after.seen)).to.deep.equal([expired, expired])
    expect(before.text + after.text).not.to.include('shared')
    await waitUntil(async () => !(await names()).includes('shared'))
    await admin.delete(`${projects}/shared`)
  })

  it('continue when another user gains or loses an access entry', async () => {
    const access = [{ verbs: ['get'], users: ['eve'] }]
    const stream = await follow()
    await patch(`${projects}/own`, { access })
    await patch(`${projects}/own`, { access: [] })
    await patch(`${projects}/own`, { displayName: 'end' })
    await waitUntil(() => stream.text.includes('"end"'))
    expect(new Set(stream.seen)).to.deep.equal(new Set(['MODIFIED own']))
  })

  it('end with 410 when a binding is created, its role changed, or the binding deleted', async () => {
    const made = await follow()
    await bind('reader', reading('hidden'))
    await made.until(expired)
    const changed = await follow()
    expect(await names()).to.deep.equal(['hidden', 'own'])
    await patchRules('reader', [reading('other')])
    await changed.until(expired)
    await patchRules('reader', [reading('hidden')])
    const deleted = await follow()
    await admin.delete(`${bindings}/reader`)
    await patch(`${projects}/hidden`, { displayName: 'secret' })
    await deleted.until(expired)
    expect([made.seen, changed.seen, deleted.seen]).to.deep.equal([[expired], [expired], [expired]])
  })

  async function patchRules(name: string, rules: object[]): Promise<void> {
    await admin.patch(`${clusterRoles}/${name}`, 'merge-patch+json', { rules })
  }

  it('continue while unrelated roles change', async () => {
    await bind('others', reading('hidden'), 'eve')
    await bind('elsewhere', { ...reading(), resources: ['clusters'] })
    const stream = await follow()
    await patchRules('others', [reading('hidden', 'own')])
    await patchRules('elsewhere', [{ ...reading(), resources: ['teams'] }])
    await bind('same', reading('own', 'nothing-of-that-name'))
    await admin.delete(`${bindings}/same`)
    await setTimeout(1_100)
    await patch(`${projects}/own`, { displayName: 'still' })
    await stream.until('MODIFIED own')
    expect(stream.seen).to.deep.equal(['MODIFIED own'])
  })

  it('end with 410 when the user leaves a team, without any other change', async () => {
    await post(projects, 'of-red', { owner: { team: 'red' } })
    const stream = await follow()
    await patch(`${management}/teams/red`, { users: [] })
    await stream.until(expired)
    expect(stream.seen).to.deep.equal([expired])
    await patch(`${management}/teams/red`, { users: ['bob'] })
    await admin.delete(`${projects}/of-red`)
  })

  it('end when the key is deleted or its scope changes', async () => {
    const scopeOf = (verb: string) => ({ rules: [{ verbs: ['list', 'watch', verb] }] })
    const made = await admin.post(`${management}/ownedaccesskeys`, {
      metadata: { name: 'narrow' },
      spec: { user: 'bob', scope: scopeOf('get') },
    })
    const narrow = clientOf(server().running, String(made.field('spec', 'key')))
    const stream = await follow(narrow)
    await patch(`${management}/ownedaccesskeys/narrow`, { scope: scopeOf('create') })
    await waitUntil(() => stream.isOver)
    expect(stream.seen).to.deep.equal([expired])
    const after = await follow(narrow)
    await patch(`${projects}/own`, { displayName: 'unseen' })
    await admin.delete(`${management}/ownedaccesskeys/narrow`)
    await waitUntil(() => after.isOver)
    expect(after.seen).to.deep.equal([expired])
  })

  it('are refused with 410 from a revision with another view, and start after a new list', async () => {
    const revision = await newest()
    await bind('late', reading('hidden'))
    const late = await watch(`resourceVersion=${revision}`)
    await late.until(expired)
    expect(late.seen).to.deep.equal([expired])
    const stream = await follow()
    await patch(`${projects}/hidden`, { displayName: 'seen' })
    await stream.until('MODIFIED hidden')
    await admin.delete(`${bindings}/late`)
  })

  it('report the events since an older revision with the same view', async () => {
    const revision = await newest()
    await patch(`${projects}/hidden`, { displayName: 'a' })
    await patch(`${projects}/own`, { displayName: 'a' })
    const stream = await watch(`resourceVersion=${revision}`)
    await stream.until('MODIFIED own')
    expect(stream.seen).to.deep.equal(['MODIFIED own'])
  })

  it('begin with the visible objects followed by a bookmark', async () => {
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
    const stream = await watch(`${query}&allowWatchBookmarks=true`)
    await stream.until('BOOKMARK')
    expect(stream.seen).to.deep.equal(['ADDED own', 'BOOKMARK'])
  })

  it('exist for every visible kind in every form, and reveal no other names', async () => {
    const kinds = ['users', 'teams', 'clusters', 'projects', 'sharedsecrets', 'projectsecrets']
    const instances = ['virtualclusterinstances', 'spaceinstances', 'spacetemplates']
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    for (const plural of [...kinds, ...instances]) {
      const path = `${management}/${plural}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`
      for (const headers of [{}, { accept }]) {
        const stream = new Stream(await bob.open(path, { headers }))
        streams.push(stream)
        await waitUntil(() => stream.text.includes('BOOKMARK'))
        expect(stream.text).not.to.match(/"name":"admin"|hidden/)
      }
    }
  })

  it('report nothing about an invisible object selected by name', async () => {
    const selector = 'fieldSelector=metadata.name%3Dhidden'
    const stream = await watch(`${selector}&resourceVersion=${await newest()}`)
    const labelled = await watch(`labelSelector=a%3Db&resourceVersion=${await newest()}`)
    await admin.patch(`${projects}/hidden`, 'merge-patch+json', {
      metadata: { labels: { a: 'b' } },
    })
    await setTimeout(200)
    expect([stream.seen, labelled.seen]).to.deep.equal([[], []])
  })

  it('are refused if all may be listed but not watched', async () => {
    const eve = await openBob(server(), 'eve')
    await bind('lister', { ...reading(), verbs: ['list'] }, 'eve')
    await waitUntil(async () => (await names(eve)).includes('hidden'))
    expect((await eve.get(`${projects}?watch=1`)).status).to.equal(403)
  })

  it('are included in rules reviews', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'
    const rules = (await bob.post(path, { spec: { namespace: 'default' } })).field(
      ...['status', 'resourceRules'],
    ) as { verbs: string[]; resources: string[] }[]
    const rule = rules.find(
      ({ verbs, resources }) => verbs.includes('list') && resources.includes('projects'),
    )
    expect(rule?.verbs).to.deep.equal(['list', 'watch'])
  })

  it('leave every informer with the content of a list, whatever happens to rights and objects', async function () {
    this.timeout(60_000)
    const clients = [bob, await openBob(server(), 'ann'), await openBob(server(), 'dan')]
    const informers = clients.map((client) => new Informer(client, projects))
    await Promise.all(informers.map((informer) => informer.start()))
    const users = ['bob', 'ann', 'dan', 'admin']
    let seed = 7
    const pick = (count: number) => (seed = (seed * 48_271) % 2_147_483_647) % count
    const steps: ((name: string, user: string) => Promise<unknown>)[] = [
      (name, user) => admin.post(projects, { metadata: { name }, spec: { owner: { user } } }),
      (name, user) => change(name, { owner: { user } }),
      (name, user) => change(name, { access: [{ verbs: ['get'], users: [user] }] }),
      (name) => change(name, { access: [], displayName: `d${pick(100)}` }),
      (name) => admin.delete(`${projects}/${name}`),
      (name, user) => bind(`r-${user}`, reading(name), user),
      (_name, user) => admin.delete(`${bindings}/r-${user}`),
      (name, user) => patchRules(`r-${user}`, [reading(name)]),
    ]
    const change = (name: string, spec: object) =>
      admin.patch(`${projects}/${name}`, 'merge-patch+json', { spec })
    for (let turn = 0; turn < 400; turn++) {
      await steps[pick(steps.length)]?.(`x${pick(6)}`, users[pick(users.length)] ?? '')
    }
    for (const [index, client] of clients.entries()) {
      const informer = informers[index]
      await waitUntil(async () => informer?.isLike(await client.get(projects)) === true)
    }
    for (const informer of informers) informer.stop()
  })
})
