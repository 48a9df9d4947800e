import { expect } from 'chai'
import { startServer } from '../../../apiserver/server.ts'
import type { RunningServer } from '../../../apiserver/runtime/options/serverOptions.ts'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { clientOf, management } from '../../endpoints/support/testServer.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { clusterBase, instanceBase, instances, makePlanes, namesOf } from './planeServer.ts'

const one = clusterBase('one')
const namespaces = `${one}/api/v1/namespaces`
const spaces = `${management}/namespaces/p-shop/spaceinstances`
const marker = 'platform/vcluster-uid'

interface Condition {
  type: string
  status: string
  lastTransitionTime?: string
}

describe('the host namespace of an instance', function () {
  this.timeout(20_000)
  const clock = new FakeClock(Date.now())
  let running: RunningServer
  let admin: HttpClient

  before(async () => {
    const quiet = { logLevel: 'silent', shutdownGraceSeconds: 1 } as const
    const ports = { securePort: 0, insecurePort: 0 }
    running = await startServer({ ...quiet, ...ports, storage: 'memory' }, { clock })
    admin = clientOf(running)
    await makePlanes(admin, { hosts: ['one'] })
  })
  after(() => running.stop())

  /** Creates an instance. @returns its uid. */
  async function make(name: string, namespace?: string): Promise<string> {
    const clusterRef = { cluster: 'one', ...(namespace === undefined ? {} : { namespace }) }
    const made = await admin.post(instances, { metadata: { name }, spec: { clusterRef } })
    expect(made.status, made.text).to.equal(201)
    return String(made.field('metadata', 'uid'))
  }
  const move = (name: string, namespace: string) =>
    admin.patch(`${instances}/${name}`, 'merge-patch+json', {
      spec: { clusterRef: { cluster: 'one', namespace } },
    })
  const expose = async (name: string, service = 'db') => {
    const path = `${instanceBase(name)}/api/v1/namespaces/default/services`
    const spec = { ports: [{ port: 1 }] }
    const made = await admin.post(path, { metadata: { name: service }, spec })
    expect(made.status, made.text).to.equal(201)
  }
  const copies = async (namespace: string) =>
    (await namesOf(admin, `${namespaces}/${namespace}/services`)).sort()
  const isCopied = (name: string, namespace: string, service = 'db') =>
    waitUntil(async () => (await copies(namespace)).includes(`${service}-x-default-x-${name}`))
  const marked = async (namespace: string) =>
    (await admin.get(`${namespaces}/${namespace}`)).field('metadata', 'annotations')
  const makeSpace = async (name: string, namespace: string) => {
    const clusterRef = { cluster: 'one', namespace }
    await admin.post(spaces, { metadata: { name }, spec: { clusterRef } })
    return admin.get(`/kubernetes/project/shop/space/${name}/version`)
  }
  const condition = async (name: string): Promise<Condition | undefined> => {
    const all = (await admin.get(`${instances}/${name}`)).field('status', 'conditions')
    const known = (all ?? []) as Condition[]
    const found = known.find(({ type }) => type === 'HostNamespaceAvailable')
    if (found === undefined) return undefined
    const { lastTransitionTime = '', ...rest } = found
    expect(lastTransitionTime).to.match(/^\d{4}-\d\d-\d\dT/)
    return rest
  }
  const refused = (reason: string, what: string): Condition & Record<string, string> => ({
    ...{ type: 'HostNamespaceAvailable', status: 'False', severity: 'Error', reason },
    message: `${what}; spec.clusterRef.namespace has to name another one`,
  })
  const available = { type: 'HostNamespaceAvailable', status: 'True', reason: 'Available' }
  const isRefused = (name: string) =>
    waitUntil(async () => (await condition(name))?.status === 'False')

  it('is created if absent, and names its owner', async () => {
    const uid = await make('web', 'team')
    await expose('web')
    await isCopied('web', 'team')
    const { labels, annotations } = (await admin.get(`${namespaces}/team`)).field('metadata') as {
      labels: object
      annotations: object
    }
    expect(annotations).to.deep.equal({ [marker]: uid })
    expect(labels).to.include({ 'platform/project': 'shop' })
    expect(await condition('web')).to.equal(undefined)
  })

  it('defaults to the project and instance names (facts 5)', async () => {
    const uid = await make('plain')
    await expose('plain')
    await isCopied('plain', 'platform-shop-v-plain')
    expect(await marked('platform-shop-v-plain')).to.deep.equal({ [marker]: uid })
  })

  it('of another instance is refused, nothing is written to it, and another name works', async () => {
    await make('second', 'team')
    await isRefused('second')
    expect(await condition('second')).to.deep.equal(
      refused('Taken', 'namespace "team" of cluster "one" belongs to another virtual cluster'),
    )
    await expose('second')
    await move('second', 'second')
    await isCopied('second', 'second')
    expect(await condition('second')).to.deep.equal(available)
    expect(await copies('team')).to.deep.equal(['db-x-default-x-web'])
    expect(await marked('second')).to.have.keys(marker)
  })

  it('taken by another instance first is refused at first use', async () => {
    await make('slow', 'race')
    await make('fast', 'race')
    await expose('fast')
    await isCopied('fast', 'race')
    expect(await condition('slow')).to.equal(undefined)
    await expose('slow')
    await isRefused('slow')
    expect(await copies('race')).to.deep.equal(['db-x-default-x-fast'])
  })

  it('of a space is refused until the space is deleted', async () => {
    expect((await makeSpace('room', 'room')).status).to.equal(200)
    await make('guest', 'room')
    await isRefused('guest')
    expect(await condition('guest')).to.deep.equal(
      refused('Taken', 'namespace "room" of cluster "one" belongs to a space'),
    )
    await expose('guest')
    expect(await copies('room')).to.deep.equal([])
    await admin.delete(`${spaces}/room`)
    await waitUntil(async () => (await admin.get(`${namespaces}/room`)).status === 404)
    await waitUntil(async () => {
      clock.advance(1_000)
      return (await condition('guest'))?.status === 'True'
    })
    await isCopied('guest', 'room')
    expect(await marked('room')).to.have.keys(marker)
  })

  it('cannot be reached by a mapping of namespaces if it belongs to a space', async () => {
    expect((await makeSpace('attic', 'attic')).status).to.equal(200)
    const namespaces = { enabled: true, mappings: { byName: { default: 'attic' } } }
    const values = JSON.stringify({ sync: { toHost: { namespaces } } })
    const clusterRef = { cluster: 'one' }
    const spec = { clusterRef, template: { helmRelease: { values } } }
    await admin.post(instances, { metadata: { name: 'mapped' }, spec })
    await expose('mapped')
    const events = `${instanceBase('mapped')}/api/v1/namespaces/default/events`
    const messages = async () => {
      const items = (await admin.get(events)).field('items') as { message: string }[]
      return items.map(({ message }) => message)
    }
    await waitUntil(async () => (await messages()).length > 0)
    expect(await messages()).to.deep.equal([
      'Error syncing: namespace "attic" of the host belongs to somebody else, and nothing is mapped to it',
    ])
    expect(await copies('attic')).to.deep.equal([])
  })

  it('is not a space: 403', async () => {
    const answer = await makeSpace('inside', 'team')
    expect([answer.status, answer.field('message')]).to.deep.equal([
      403,
      'spaceinstances.management.platform "inside" is forbidden: namespace "team" of its cluster is not the space\'s own',
    ])
  })

  it('an instance that moves into one of another stays where it is', async () => {
    await move('second', 'team')
    await isRefused('second')
    await expose('second', 'more')
    await isCopied('second', 'second', 'more')
    expect(await copies('team')).to.deep.equal(['db-x-default-x-web'])
    await move('second', 'second')
    await waitUntil(async () => (await condition('second'))?.status === 'True')
  })

  for (const namespace of ['platform-other-v-web', 'kube-more']) {
    it(`a reserved name that does not exist yet is refused: ${namespace}`, async () => {
      await make(`at-${namespace}`, namespace)
      await isRefused(`at-${namespace}`)
      expect(await condition(`at-${namespace}`)).to.deep.equal(
        refused(
          'Reserved',
          `namespace "${namespace}" of cluster "one" has a name that is reserved`,
        ),
      )
      expect((await admin.get(`${namespaces}/${namespace}`)).status).to.equal(404)
    })
  }

  it('without owner information is used unchanged, by several instances', async () => {
    await admin.post(namespaces, { metadata: { name: 'common' } })
    for (const name of ['left', 'right']) {
      await make(name, 'common')
      await expose(name)
      await isCopied(name, 'common')
      expect(await condition(name)).to.equal(undefined)
    }
    expect(await marked('common')).to.equal(undefined)
  })

  it('stays when its instance is deleted, and is used by the next one that names it', async () => {
    await admin.delete(`${instances}/web`)
    await waitUntil(async () => (await copies('team')).length === 0)
    const before = (await admin.get(`${namespaces}/team`)).field('metadata', 'uid')
    const uid = await make('next', 'team')
    await expose('next')
    await isCopied('next', 'team')
    expect(await condition('next')).to.equal(undefined)
    expect(await marked('team')).to.deep.equal({ [marker]: uid })
    expect((await admin.get(`${namespaces}/team`)).field('metadata', 'uid')).to.equal(before)
  })
})
