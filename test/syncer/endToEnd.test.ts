import { expect } from 'chai'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { PlaneClient, PlaneResource } from '../../syncer/client/planeClient.ts'
import { endpointsRules } from '../../syncer/rules/endpointsRules.ts'
import { servicesRules } from '../../syncer/rules/servicesRules.ts'
import type { RunningSyncer } from '../../syncer/startSyncer.ts'
import { named, startTwoServers, type TwoServers } from './twoServers.ts'

const services = servicesRules.resource
const endpoints = endpointsRules.resource
const events: PlaneResource = { ...services, kind: 'Event', plural: 'events' }
const secrets: PlaneResource = { ...services, kind: 'Secret', plural: 'secrets' }

const db = { name: 'db', namespace: 'default' }
const hostDb = { name: 'db-x-default-x-my-vcluster', namespace: 'team-x' }
const patches = [
  {
    path: 'metadata.annotations["team"]',
    expression: '"host-" + value',
    reverseExpression: 'value.slice("host-".length)',
  },
  { path: 'subsets[*].ports[*].name', expression: '`tenant-${value}`' },
]
const config = { sync: { toHost: { endpoints: { patches } } } }
const subsets = [
  {
    addresses: [
      {
        ip: '10.1.2.3',
        targetRef: { kind: 'Pod', name: 'pg-0', namespace: 'default', uid: 'u1' },
      },
    ],
    ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }],
  },
]

describe('startSyncer between two servers', function () {
  this.timeout(30_000)
  let planes: TwoServers
  let syncer: RunningSyncer

  before(async () => {
    planes = await startTwoServers()
    syncer = await planes.startSyncer(config)
  })
  after(async () => {
    await syncer.stop()
    await planes.stop()
  })

  it('a Service without a selector and its Endpoints are on the host under translated names (spec sync.enabled)', async () => {
    const { virtual, host } = planes
    await virtual.create(services, { ...named('Service', db), spec: { ports: [{ port: 5432 }] } })
    const annotations = { team: 'blue', other: 'as it is' }
    const made = await virtual.create(endpoints, {
      ...named('Endpoints', { ...db, annotations, labels: { release: 'one', app: 'db' } }),
      subsets,
    })
    const synced = await until(host, endpoints, hostDb, () => true)
    expect(synced.metadata.labels).to.deep.equal({
      app: 'db',
      'vcluster.platform/label-my-vcluster-x-a4d451ec23': 'one',
      'vcluster.platform/managed-by': 'my-vcluster',
      'vcluster.platform/namespace': 'default',
    })
    expect(synced.metadata.annotations).to.deep.equal({
      team: 'host-blue',
      other: 'as it is',
      'vcluster.platform/managed-annotations': 'other\nteam',
      'vcluster.platform/managed-labels': 'app\nvcluster.platform/label-my-vcluster-x-a4d451ec23',
      'vcluster.platform/object-host-name': hostDb.name,
      'vcluster.platform/object-host-namespace': 'team-x',
      'vcluster.platform/object-kind': '/v1, Kind=Endpoints',
      'vcluster.platform/object-name': 'db',
      'vcluster.platform/object-namespace': 'default',
      'vcluster.platform/object-uid': made.metadata.uid,
    })
    expect(synced.subsets).to.deep.equal([
      {
        addresses: [
          {
            ip: '10.1.2.3',
            targetRef: { kind: 'Pod', name: 'pg-0-x-default-x-my-vcluster', namespace: 'team-x' },
          },
        ],
        ports: [{ name: 'tenant-sql', port: 5432, protocol: 'TCP' }],
      },
    ])
  })

  it('the virtual Service gets the address assigned by the host (facts 6.10)', async () => {
    const onHost = await until(planes.host, services, hostDb, () => true)
    const address = (onHost.spec as { clusterIP: string }).clusterIP
    const service = await until(
      planes.virtual,
      services,
      db,
      ({ spec }) => (spec as { clusterIP: string }).clusterIP === address,
    )
    const copy = await until(
      planes.host,
      services,
      hostDb,
      ({ metadata }) =>
        metadata.annotations?.['vcluster.platform/object-uid'] === service.metadata.uid,
    )
    expect(copy.metadata.annotations).not.to.have.property('vcluster.platform/recreated-service')
  })

  it("changes of each side reach the other, and the host's subsets are overwritten (facts 6.9)", async () => {
    const { virtual, host } = planes
    await change(virtual, endpoints, db, (object) => annotate(object, { other: 'changed' }))
    await until(host, endpoints, hostDb, has({ team: 'host-blue', other: 'changed' }))
    await change(host, endpoints, hostDb, (object) => ({
      ...annotate(object, { team: 'host-red', fresh: 'from the host' }),
      subsets: [],
    }))
    await until(virtual, endpoints, db, has({ team: 'red', fresh: 'from the host' }))
    await until(
      host,
      endpoints,
      hostDb,
      ({ subsets: now }) => Array.isArray(now) && now.length === 1,
    )
    await until(host, endpoints, hostDb, has({ team: 'host-red', fresh: 'from the host' }))
  })

  it('continues after a restart, and carries over changes made meanwhile', async () => {
    const { virtual, host } = planes
    await syncer.stop()
    await change(virtual, endpoints, db, (object) => {
      const { fresh: _, ...annotations } = object.metadata.annotations ?? {}
      return {
        ...object,
        metadata: { ...object.metadata, annotations: { ...annotations, team: 'green' } },
      }
    })
    await change(host, endpoints, hostDb, (object) => annotate(object, { late: 'from the host' }))
    syncer = await planes.startSyncer(config)
    const there = await until(
      host,
      endpoints,
      hostDb,
      has({ team: 'host-green', late: 'from the host' }),
    )
    await until(virtual, endpoints, db, has({ team: 'green', late: 'from the host' }))
    expect(there.metadata.annotations).not.to.have.property('fresh')
  })

  it('another configuration takes effect at once', async () => {
    const reference = { apiVersion: 'v1', kind: 'Secret' }
    await planes.virtual.create(secrets, {
      ...named('Secret', { name: 'my-secret', namespace: 'default' }),
      stringData: { a: 'b' },
    })
    await syncer.update({
      sync: {
        toHost: { endpoints: { patches: [{ path: 'metadata.annotations.secret', reference }] } },
      },
    })
    await syncer.ready()
    await change(planes.virtual, endpoints, db, (object) =>
      annotate(object, { secret: 'my-secret' }),
    )
    await until(
      planes.host,
      endpoints,
      hostDb,
      has({ secret: 'my-secret-x-default-x-my-vcluster' }),
    )
    const place = { name: 'my-secret-x-default-x-my-vcluster', namespace: 'team-x' }
    const copy = await until(planes.host, secrets, place, () => true)
    expect(copy.data).to.deep.equal({ a: 'Yg==' })
  })

  it('objects that exist only on the host are imported (spec sync.patches.reference.import)', async () => {
    await planes.host.create(secrets, {
      ...named('Secret', { name: 'host-secret', namespace: 'team-x' }),
      stringData: { c: 'd' },
    })
    await change(planes.host, endpoints, hostDb, (object) =>
      annotate(object, { secret: 'host-secret' }),
    )
    await until(planes.virtual, endpoints, db, has({ secret: 'host-secret' }))
    const place = { name: 'host-secret', namespace: 'default' }
    const imported = await until(planes.virtual, secrets, place, () => true)
    expect(imported.data).to.deep.equal({ c: 'ZA==' })
    await until(planes.host, endpoints, hostDb, has({ secret: 'host-secret' }))
  })

  it('a failing expression is reported on its object, and others continue', async () => {
    await syncer.update({
      sync: {
        toHost: {
          endpoints: {
            patches: [{ path: 'metadata.annotations.bad', expression: 'value.a.b.c' }],
          },
        },
      },
    })
    await syncer.ready()
    await change(planes.virtual, endpoints, db, (object) => annotate(object, { bad: 'yes' }))
    await untilList(planes.virtual, events, ({ reason, involvedObject }) => {
      return reason === 'SyncError' && (involvedObject as { name?: string }).name === 'db'
    })
    const other = { name: 'other', namespace: 'default' }
    await planes.virtual.create(services, {
      ...named('Service', other),
      spec: { ports: [{ port: 1 }] },
    })
    await planes.virtual.create(endpoints, { ...named('Endpoints', other), subsets })
    const hostOther = { name: 'other-x-default-x-my-vcluster', namespace: 'team-x' }
    await until(planes.host, endpoints, hostOther, () => true)
    await syncer.update(config)
    await syncer.ready()
  })

  it('deleting on either side deletes on the other (facts 6.9)', async () => {
    const { virtual, host } = planes
    const hostOther = { name: 'other-x-default-x-my-vcluster', namespace: 'team-x' }
    await until(host, endpoints, hostDb, has({ team: 'host-green' }))
    const copy = await until(host, endpoints, hostOther, has({}))
    await host.delete(endpoints, hostOther, copy.metadata.uid)
    await gone(virtual, endpoints, { name: 'other', namespace: 'default' })
    await virtual.delete(endpoints, db, undefined)
    await gone(host, endpoints, hostDb)
    await virtual.delete(services, db, undefined)
    await gone(host, services, hostDb)
  })

  it('Endpoints of a Service with a selector are left to the host (facts 6.9)', async () => {
    const { virtual, host } = planes
    const web = { name: 'web', namespace: 'default' }
    const hostWeb = { name: 'web-x-default-x-my-vcluster', namespace: 'team-x' }
    await virtual.create(endpoints, { ...named('Endpoints', web), subsets })
    await virtual.create(services, {
      ...named('Service', web),
      spec: { ports: [{ port: 80 }], selector: { app: 'web' } },
    })
    const copy = await until(host, services, hostWeb, () => true)
    expect((copy.spec as { selector: unknown }).selector).to.deep.equal({
      app: 'web',
      'vcluster.platform/managed-by': 'my-vcluster',
      'vcluster.platform/namespace': 'default',
    })
    expect(await host.get(endpoints, hostWeb)).to.equal(undefined)
  })
})

type Place = { name: string; namespace: string }

async function poll<T>(look: () => Promise<T | undefined>, last: () => unknown): Promise<T> {
  for (const started = performance.now(); performance.now() - started < 8000;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`it did not come: ${JSON.stringify(last())}`)
}

async function until(
  client: PlaneClient,
  resource: PlaneResource,
  place: Place,
  holds: (object: ApiObject) => boolean,
): Promise<ApiObject> {
  let last: ApiObject | undefined
  return poll(
    async () => {
      last = await client.get(resource, place)
      return last !== undefined && holds(last) ? last : undefined
    },
    () => last,
  )
}

function untilList(
  client: PlaneClient,
  resource: PlaneResource,
  holds: (object: ApiObject) => boolean,
): Promise<ApiObject> {
  let last: unknown
  return poll(
    async () => {
      const { items } = await client.list(resource, { namespace: 'default' })
      last = items
      return items.find(holds)
    },
    () => last,
  )
}

async function gone(client: PlaneClient, resource: PlaneResource, place: Place): Promise<void> {
  await poll(
    async () => ((await client.get(resource, place)) === undefined ? true : undefined),
    () => place,
  )
}

function has(annotations: Record<string, string>): (object: ApiObject) => boolean {
  return ({ metadata }) =>
    Object.entries(annotations).every(([key, value]) => metadata.annotations?.[key] === value)
}

function annotate(object: ApiObject, annotations: Record<string, string>): ApiObject {
  const merged = { ...object.metadata.annotations, ...annotations }
  return { ...object, metadata: { ...object.metadata, annotations: merged } }
}

async function change(
  client: PlaneClient,
  resource: PlaneResource,
  place: Place,
  edit: (object: ApiObject) => ApiObject,
): Promise<void> {
  await poll(
    async () => {
      const object = await client.get(resource, place)
      if (object === undefined) return undefined
      return client.replace(resource, edit(object)).catch(() => undefined)
    },
    () => place,
  )
}
