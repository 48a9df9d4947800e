import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { readSyncConfig } from '../../../syncer/config/syncConfig.ts'
import { Syncer } from '../../../syncer/engine/syncer.ts'
import {
  ExpressionError,
  type ExpressionRuntime,
} from '../../../syncer/expressions/expressionRuntime.ts'
import type { PlaneResource } from '../../../syncer/client/planeClient.ts'
import { endpointsRules } from '../../../syncer/rules/endpointsRules.ts'
import { servicesRules } from '../../../syncer/rules/servicesRules.ts'
import { turns } from '../../support/eventually.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakePlane } from './fakePlane.ts'

const endpoints = endpointsRules.resource
const services = servicesRules.resource
const events: PlaneResource = { ...services, kind: 'Event', plural: 'events' }
const db = { name: 'db', namespace: 'default' }
const hostDb = { name: 'db-x-default-x-suffix', namespace: 'host' }
const mark = (name: string) => `vcluster.platform/${name}`
type Texts = Record<string, string>

/** Runtime whose expressions are single words. */
const runtime: ExpressionRuntime = {
  evaluate: (source, inputs) =>
    source === 'fail'
      ? Promise.reject(new ExpressionError('the expression failed'))
      : Promise.resolve(inputs.map(({ value }) => value)),
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

class Planes {
  readonly clock = new FakeClock()
  readonly virtual = new FakePlane({ chance: () => 1, rate: 0 })
  readonly host = new FakePlane({ chance: () => 1, rate: 0 })
  readonly reports: string[] = []
  #syncer: Syncer | undefined

  async start(config: unknown = undefined): Promise<void> {
    const { clock, virtual, host } = this
    this.#syncer = new Syncer({
      ...{ clock, virtual, host, runtime, config: readSyncConfig(config) },
      ...{ name: 'suffix', hostNamespace: 'host', domain: 'platform' },
      random: { fraction: () => 0.5, uuid: () => '', bytes: (n: number) => Buffer.alloc(n) },
      report: (error) => void this.reports.push(error instanceof Error ? error.message : ''),
      ...{ missingExpression: 'keep', concurrency: 3 },
    })
    await this.#syncer.start()
    await this.settle()
  }

  async settle(): Promise<void> {
    for (let at = 0; at < 5; at++) {
      await turns(20)
      this.clock.advance(200)
    }
  }

  async stop(): Promise<void> {
    await this.#syncer?.stop()
  }

  service(spec: object = {}): void {
    this.virtual.put(services, db, { apiVersion: 'v1', kind: 'Service', metadata: {}, spec })
  }

  endpoints(metadata: { annotations?: Texts; labels?: Texts } = {}): ApiObject {
    return this.virtual.put(endpoints, db, made(metadata, '10.0.0.1'))
  }

  /** Object on the host; with markers of this virtual cluster, changed by `more`. */
  copy(more: { annotations?: Texts; labels?: Texts } | undefined): ApiObject {
    const annotations = {
      [mark('object-name')]: 'db',
      [mark('object-namespace')]: 'default',
      [mark('object-uid')]: this.virtual.peek(endpoints, db)?.metadata.uid ?? '',
      [mark('object-kind')]: '/v1, Kind=Endpoints',
      ...more?.annotations,
    }
    const labels = { [mark('managed-by')]: 'suffix', ...more?.labels }
    return this.host.put(endpoints, hostDb, made(more && { annotations, labels }, '10.9.9.9'))
  }

  /** Address on the host; undefined: there is no copy. */
  get address(): string | undefined {
    return ipOf(this.host.peek(endpoints, hostDb))
  }

  get isThere(): boolean {
    return this.virtual.peek(endpoints, db) !== undefined
  }
}

function made(
  metadata: { annotations?: Texts; labels?: Texts } | undefined,
  ip: string,
): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { ...metadata },
    subsets: [{ addresses: [{ ip }] }],
  }
}

function ipOf(object: ApiObject | undefined): string | undefined {
  const [subset] = (object?.subsets ?? []) as { addresses: { ip: string }[] }[]
  return subset?.addresses[0]?.ip
}

describe('Syncer', () => {
  let planes: Planes
  beforeEach(() => (planes = new Planes()))
  afterEach(() => planes.stop())

  const [ours, foreign] = ['10.0.0.1', '10.9.9.9']
  const gates: [name: string, make: (planes: Planes) => void, host: string | undefined][] = [
    ['without a Service of its name nothing is made', (p) => void p.endpoints(), undefined],
    [
      'without a Service what is there stays as it is',
      (p) => {
        p.endpoints()
        p.copy({})
      },
      foreign,
    ],
    [
      'of a Service with a selector nothing is made',
      (p) => {
        p.service({ selector: { app: 'db' } })
        p.endpoints()
      },
      undefined,
    ],
    [
      'of a Service with an empty selector nothing is made',
      (p) => {
        p.service({ selector: {} })
        p.endpoints()
      },
      undefined,
    ],
    [
      'of a Service with a selector the copy is deleted, for the host to make its own',
      (p) => {
        p.service({ selector: { app: 'db' } })
        p.endpoints()
        p.copy({})
      },
      undefined,
    ],
    [
      "of a Service with a selector the host's own ones are left",
      (p) => {
        p.service({ selector: { app: 'db' } })
        p.endpoints()
        p.copy(undefined)
      },
      foreign,
    ],
    [
      '"Forward create": of a Service without a selector they are made',
      (p) => {
        p.service()
        p.endpoints()
      },
      ours,
    ],
    [
      '"Override endpoints even if they are not managed"',
      (p) => {
        p.service()
        p.endpoints()
        p.copy(undefined)
      },
      ours,
    ],
    [
      '"Forward update": a copy is brought up to date',
      (p) => {
        p.service()
        p.endpoints()
        p.copy({})
      },
      ours,
    ],
  ]
  for (const [name, make, host] of gates) {
    it(`gate: ${name} (facts 6.9)`, async () => {
      make(planes)
      await planes.start()
      expect(planes.address).to.equal(host)
      expect(planes.isThere).to.equal(true)
    })
  }

  it('"Don\'t sync default/kubernetes endpoint", nor its Service (facts 6.9)', async () => {
    const own = { name: 'kubernetes', namespace: 'default' }
    planes.virtual.put(services, own, { apiVersion: 'v1', kind: 'Service', metadata: {}, spec: {} })
    planes.virtual.put(endpoints, own, made({}, ours))
    await planes.start()
    expect([...planes.host.all(services), ...planes.host.all(endpoints)]).to.deep.equal([])
  })

  it('trigger: a Service created later syncs its Endpoints (facts 6.9)', async () => {
    planes.endpoints()
    await planes.start()
    expect(planes.address).to.equal(undefined)
    planes.service()
    await planes.settle()
    expect(planes.address).to.equal(ours)
  })

  describe('guards', () => {
    const cases: [
      name: string,
      copy: { annotations?: Texts; labels?: Texts },
      host: string,
      virtual?: { annotations?: Texts; labels?: Texts },
    ][] = [
      [
        'one of another virtual cluster is left',
        { labels: { [mark('managed-by')]: 'other' } },
        foreign,
      ],
      [
        'one of another kind is left',
        { annotations: { [mark('object-kind')]: '/v1, Kind=Service' } },
        foreign,
      ],
      [
        'one that was copied from elsewhere on the host is left',
        { annotations: { [mark('object-host-name')]: 'other' } },
        foreign,
      ],
      [
        'one that was copied from another namespace of the host is left',
        { annotations: { [mark('object-host-namespace')]: 'other' } },
        foreign,
      ],
      [
        'one of another object of the same name before is made again',
        { annotations: { [mark('object-uid')]: 'other' } },
        ours,
      ],
      [
        'one without a uid is brought up to date',
        { annotations: { [mark('object-uid')]: '' } },
        ours,
      ],
      [
        'one that another syncer controls, by its label, is ignored',
        { labels: { [mark('controlled-by')]: 'other' } },
        foreign,
      ],
      [
        'one that another syncer controls, by its annotation, is ignored',
        { annotations: { [mark('controlled-by')]: 'other' } },
        foreign,
      ],
      [
        'a virtual one that another syncer controls is ignored',
        {},
        foreign,
        { labels: { [mark('controlled-by')]: 'other' } },
      ],
    ]
    for (const [name, copy, host, virtual] of cases) {
      it(`${name} (facts 6.9)`, async () => {
        planes.service()
        planes.endpoints(virtual)
        planes.copy(copy)
        await planes.start()
        expect(planes.address).to.equal(host)
      })
    }
  })

  describe('deletion', () => {
    const synced = async () => {
      planes.service()
      planes.endpoints()
      await planes.start()
      expect(planes.address).to.equal(ours)
    }

    it('deleting the virtual object deletes its copy (facts 6.9)', async () => {
      await synced()
      planes.virtual.put(endpoints, db, undefined)
      await planes.settle()
      expect(planes.address).to.equal(undefined)
    })

    it('deleting the host object deletes the virtual one (facts 6.9)', async () => {
      await synced()
      planes.host.put(endpoints, hostDb, undefined)
      await planes.settle()
      expect([planes.isThere, planes.address]).to.deep.equal([false, undefined])
    })

    it('a copy deleted while its virtual plane is away is not created again', async () => {
      await synced()
      planes.virtual.restart(5)
      planes.host.put(endpoints, hostDb, undefined)
      for (let at = 0; at < 20; at++) await planes.settle()
      expect([planes.isThere, planes.address]).to.deep.equal([false, undefined])
    })

    it('an object created again under the name of a deleted copy stays', async () => {
      await synced()
      planes.host.put(endpoints, hostDb, undefined)
      planes.virtual.put(endpoints, db, undefined)
      planes.endpoints()
      await planes.settle()
      expect([planes.isThere, planes.address]).to.deep.equal([true, ours])
    })

    for (const [value, host] of [
      ['true', foreign],
      ['false', undefined],
    ] as const) {
      it(`an orphaned copy with skip-backsync ${value} is ${host ? 'kept' : 'deleted'} (facts 6.9)`, async () => {
        planes.service()
        planes.copy({ annotations: { [mark('skip-backsync')]: value } })
        await planes.start()
        expect(planes.address).to.equal(host)
      })
    }

    it('objects deleted inside while no syncer ran are deleted on the host', async () => {
      await synced()
      await planes.stop()
      planes.virtual.put(endpoints, db, undefined)
      await planes.start()
      expect(planes.address).to.equal(undefined)
    })
  })

  describe('failures', () => {
    const patches = [{ path: 'metadata.annotations.bad', expression: 'fail' }]
    const config = { sync: { toHost: { endpoints: { patches } } } }

    it('a failing expression is a SyncError Warning on the virtual object, counted (facts 6.4)', async () => {
      planes.service()
      const { metadata } = planes.endpoints({ annotations: { bad: 'yes' } })
      await planes.start(config)
      const [event, ...more] = planes.virtual.all(events)
      expect(more).to.deep.equal([])
      const { count, ...told } = event ?? { count: 0 }
      expect(Number(count)).to.be.greaterThan(1)
      const { involvedObject, reason, message, type, source } = told as unknown as ApiObject
      expect({ involvedObject, reason, message, type, source }).to.deep.equal({
        involvedObject: {
          ...{ apiVersion: 'v1', kind: 'Endpoints', name: 'db', namespace: 'default' },
          uid: metadata.uid,
          resourceVersion: metadata.resourceVersion,
        },
        reason: 'SyncError',
        message: 'Error syncing: patches[0] at "metadata.annotations.bad": the expression failed',
        type: 'Warning',
        source: { component: 'platform-syncer' },
      })
      expect(planes.address).to.equal(undefined)
      expect(planes.host.all(events)).to.deep.equal([])
    })

    it('a failed object is retried, and others continue (facts 6.4)', async () => {
      planes.service()
      planes.endpoints({ annotations: { bad: 'yes' } })
      const other = { name: 'other', namespace: 'default' }
      planes.virtual.put(services, other, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: {},
        spec: {},
      })
      planes.virtual.put(endpoints, other, made({}, ours))
      await planes.start(config)
      const copy = planes.host.peek(endpoints, { ...hostDb, name: 'other-x-default-x-suffix' })
      expect(ipOf(copy)).to.equal(ours)
      const now = planes.virtual.peek(endpoints, db)
      planes.virtual.put(endpoints, db, {
        ...made({}, ours),
        metadata: { ...now?.metadata, annotations: {} },
      })
      await planes.settle()
      expect(planes.address).to.equal(ours)
    })

    it('a lost race with another writer is not reported', async () => {
      planes.service()
      planes.endpoints()
      await planes.start()
      const now = planes.host.peek(endpoints, hostDb)
      planes.endpoints({ annotations: { a: '1' } })
      // Both change in one turn, so that the syncer overwrites a change that it has not seen.
      if (now !== undefined) planes.host.put(endpoints, hostDb, now)
      await planes.settle()
      expect(planes.host.peek(endpoints, hostDb)?.metadata.annotations?.a).to.equal('1')
      expect([planes.virtual.all(events), planes.reports]).to.deep.equal([[], []])
    })
  })

  it('disabled endpoints stay inside, and their Services are synced (spec sync.enabled)', async () => {
    planes.service()
    planes.endpoints()
    await planes.start({ sync: { toHost: { endpoints: { enabled: false } } } })
    expect(planes.address).to.equal(undefined)
    expect(planes.host.all(services).length).to.equal(1)
  })

  it('disabled services stay inside, and their Endpoints are synced (spec sync.enabled)', async () => {
    planes.service()
    planes.endpoints()
    await planes.start({ sync: { toHost: { services: { enabled: false } } } })
    expect(planes.address).to.equal(ours)
    expect(planes.host.all(services)).to.deep.equal([])
  })
})
