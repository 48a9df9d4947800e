import { expect } from 'chai'
import { shortHostName } from '../../../apiserver/meta/names/hostName.ts'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import {
  PlaneError,
  type PlaneResource,
  type WatchStart,
} from '../../../syncer/client/planeClient.ts'
import { readSyncConfig } from '../../../syncer/config/syncConfig.ts'
import { Syncer } from '../../../syncer/engine/syncer.ts'
import { endpointsRules } from '../../../syncer/rules/endpointsRules.ts'
import { servicesRules } from '../../../syncer/rules/servicesRules.ts'
import { turns } from '../../support/eventually.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakePlane } from './fakePlane.ts'

const named = (apiVersion: string, kind: string): PlaneResource => ({
  ...{ apiVersion, kind, plural: `${kind.toLowerCase()}s`, namespaced: true },
})
const secrets = named('v1', 'Secret')
const configMaps = named('v1', 'ConfigMap')
const things = named('example.com/v1', 'Thing')
const endpoints = endpointsRules.resource
const services = servicesRules.resource
const runtime = {
  evaluate: (_: string, inputs: readonly { value: unknown }[]) =>
    Promise.resolve(inputs.map(({ value }) => value)),
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

/** Records which objects were watched individually, and may refuse watches. */
class WatchedPlane extends FakePlane {
  readonly watched: string[] = []
  refuses = false

  constructor() {
    super({ chance: () => 1, rate: 0 }, { serves: [secrets, configMaps, things, services] })
  }

  override async watch(...[resource, from, onEvent]: Parameters<FakePlane['watch']>) {
    this.#note(resource, from)
    const isOfReference = ![services.plural, endpoints.plural].includes(resource.plural)
    if (this.refuses && isOfReference) throw new PlaneError(403, 'Forbidden', 'no right to watch')
    return super.watch(resource, from, onEvent)
  }

  #note({ plural }: PlaneResource, { namespace = '*', name = '*' }: WatchStart): void {
    if (plural !== services.plural && plural !== endpoints.plural) {
      this.watched.push(`${plural} ${namespace}/${name}`)
    }
  }
}

/** Each form of reference in a patch, with a matching value. */
const forms: {
  form: string
  resource: PlaneResource
  reference: object
  value: (name: string) => string | object
  host: { namespace: string; name: string }
  namespace?: string
}[] = [
  {
    form: 'a name',
    resource: secrets,
    reference: { apiVersion: 'v1', kind: 'Secret' },
    value: (name) => name,
    host: { namespace: 'host', name: 'it-x-default-x-vc' },
  },
  {
    form: 'a path of a name',
    resource: configMaps,
    reference: { apiVersion: 'v1', kind: 'ConfigMap', namePath: 'name' },
    value: (name) => ({ name }),
    host: { namespace: 'host', name: 'it-x-default-x-vc' },
  },
  {
    form: 'paths of kind and namespace',
    resource: configMaps,
    reference: {
      ...{ apiVersion: 'v1', kind: 'Secret', kindPath: 'kind' },
      ...{ namePath: 'name', namespacePath: 'namespace' },
    },
    value: (name) => ({ name, namespace: 'other', kind: 'ConfigMap' }),
    host: { namespace: 'host', name: 'it-x-other-x-vc' },
    namespace: 'other',
  },
  {
    form: 'a path of the version of a custom kind',
    resource: things,
    reference: {
      ...{ apiVersion: 'v1', kind: 'Thing', namePath: 'name', apiVersionPath: 'apiVersion' },
    },
    value: (name) => ({ name, apiVersion: 'example.com/v1' }),
    host: {
      namespace: 'host',
      name: shortHostName({ name: 'it', namespace: 'default', virtualCluster: 'vc' }),
    },
  },
]

describe('objects referenced by patches', () => {
  let clock: FakeClock
  let virtual: WatchedPlane
  let host: WatchedPlane
  let reports: string[]
  let syncer: Syncer | undefined

  beforeEach(() => {
    clock = new FakeClock()
    virtual = new WatchedPlane()
    host = new WatchedPlane()
    reports = []
  })
  afterEach(() => syncer?.stop())

  async function start(reference: object): Promise<void> {
    const patches = [{ path: 'subsets[*].ref', reference }]
    const toHost = { endpoints: { patches }, things: { enabled: true } }
    syncer = new Syncer({
      ...{ clock, virtual, host, runtime, config: readSyncConfig({ sync: { toHost } }) },
      ...{ name: 'vc', hostNamespace: 'host', domain: 'platform' },
      random: { fraction: () => 0.5, uuid: () => '', bytes: (n: number) => Buffer.alloc(n) },
      report: (error) => void reports.push(error instanceof Error ? error.message : ''),
      ...{ missingExpression: 'keep', concurrency: 3 },
    })
    await syncer.start()
    await settle()
  }

  async function settle(rounds = 6): Promise<void> {
    for (let at = 0; at < rounds; at++) {
      await turns(20)
      clock.advance(200)
    }
  }

  /** Creates a Service and Endpoints with these references. */
  function refer(...refs: (string | object)[]): void {
    const place = { name: 'db', namespace: 'default' }
    virtual.put(services, place, { apiVersion: 'v1', kind: 'Service', metadata: {}, spec: {} })
    const subsets = refs.map((ref) => ({ ref }))
    virtual.put(endpoints, place, { apiVersion: 'v1', kind: 'Endpoints', metadata: {}, subsets })
  }

  const object = ({ apiVersion, kind }: PlaneResource, data: string, more = {}): ApiObject => ({
    ...{ apiVersion, kind, metadata: { ...more }, data: { data } },
  })
  const dataOf = (found: ApiObject | undefined) => found && (found.data as { data: string }).data // the tests make no other ones

  for (const { form, resource, reference, value, host: place, namespace = 'default' } of forms) {
    const own = { name: 'it', namespace }
    const copy = () => dataOf(host.peek(resource, place))

    describe(`by ${form}`, () => {
      it('a change reaches the copy on the host', async () => {
        virtual.put(resource, own, object(resource, 'before'))
        refer(value('it'))
        await start(reference)
        expect(copy()).to.equal('before')
        virtual.put(resource, own, object(resource, 'after'))
        await settle()
        expect(copy()).to.equal('after')
      })

      it('a later object is copied, and a deleted one removes its copy', async () => {
        refer(value('it'))
        await start(reference)
        expect(copy()).to.equal(undefined)
        virtual.put(resource, own, object(resource, 'late'))
        await settle()
        expect(copy()).to.equal('late')
        virtual.put(resource, own, undefined)
        await settle()
        expect(copy()).to.equal(undefined)
      })

      it('a no longer referenced object is removed from the host and no longer watched', async () => {
        virtual.put(resource, own, object(resource, 'x'))
        refer(value('it'))
        await start(reference)
        refer()
        await settle()
        expect(copy()).to.equal(undefined)
        virtual.put(resource, own, object(resource, 'y'))
        await settle()
        expect(copy()).to.equal(undefined)
        expect(reports).to.deep.equal([])
      })

      it('an object on the host only is imported when created, followed, and removed with its source', async () => {
        refer(value('it'))
        await start(reference)
        const inside = () => dataOf(virtual.peek(resource, own))
        for (const data of ['theirs', 'changed']) {
          host.put(resource, place, object(resource, data))
          await settle()
          expect(inside()).to.equal(data)
        }
        host.put(resource, place, undefined)
        await settle()
        expect(inside()).to.equal(undefined)
      })
    })
  }

  const toSecret = { apiVersion: 'v1', kind: 'Secret' }
  const own = { name: 'it', namespace: 'default' }
  const onHost = { name: 'it-x-default-x-vc', namespace: 'host' }

  it('only referenced objects are watched, one by one', async () => {
    for (const name of ['it', 'other']) {
      virtual.put(secrets, { name, namespace: 'default' }, object(secrets, name))
    }
    refer('it', 'late')
    await start(toSecret)
    expect([new Set(virtual.watched), new Set(host.watched)]).to.deep.equal([
      new Set(['secrets default/it', 'secrets default/late']),
      new Set(['secrets host/it-x-default-x-vc', 'secrets host/late-x-default-x-vc']),
    ])
  })

  it('many references are watched by one watch of their kind', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `s${at}`)
    refer(...names)
    await start(toSecret)
    await settle(20)
    for (const name of names)
      virtual.put(secrets, { name, namespace: 'default' }, object(secrets, name))
    virtual.put(secrets, { name: 'other', namespace: 'default' }, object(secrets, 'other'))
    await settle(20)
    expect(host.all(secrets).length).to.equal(40)
    expect(virtual.watched.at(-1)).to.equal('secrets */*')
    expect(host.watched.at(-1)).to.equal('secrets host/*')
  })

  it('without the right to watch, objects are polled at growing intervals', async () => {
    virtual.refuses = true
    refer('it')
    await start(toSecret)
    virtual.put(secrets, own, object(secrets, 'late'))
    await settle(400)
    expect(dataOf(host.peek(secrets, onHost))).to.equal('late')
    const tries = virtual.watched.length
    clock.advance(30_000)
    await turns(20)
    expect(virtual.watched.length - tries).to.be.lessThan(4)
  })

  it('changes and deletions while the syncer was down are applied', async () => {
    for (const name of ['kept', 'changed', 'gone', 'dropped']) {
      virtual.put(secrets, { name, namespace: 'default' }, object(secrets, name))
    }
    refer('kept', 'changed', 'gone', 'dropped')
    await start(toSecret)
    await syncer?.stop()
    virtual.put(secrets, { name: 'changed', namespace: 'default' }, object(secrets, 'new'))
    virtual.put(secrets, { name: 'gone', namespace: 'default' }, undefined)
    refer('kept', 'changed')
    await start(toSecret)
    expect(host.all(secrets).map(dataOf).sort()).to.deep.equal(['kept', 'new'])
  })

  it('a virtual object that names another source is not overwritten', async () => {
    host.put(secrets, { name: 'theirs', namespace: 'host' }, object(secrets, 'secret'))
    const annotations = { 'vcluster.platform/imported-from': 'host/theirs' }
    virtual.put(secrets, own, object(secrets, 'own', { annotations }))
    refer('it')
    await start(toSecret)
    host.put(secrets, { name: 'theirs', namespace: 'host' }, object(secrets, 'newer'))
    await settle()
    expect(dataOf(virtual.peek(secrets, own))).to.equal('own')
  })

  it('a copy keeps fields set by others on the host, and loses fields removed inside', async () => {
    virtual.put(secrets, own, object(secrets, 'x', { labels: { app: 'db' } }))
    refer('it')
    await start(toSecret)
    const copy = host.peek(secrets, onHost) ?? object(secrets, '')
    const { metadata } = copy
    host.put(secrets, onHost, {
      ...copy,
      metadata: { ...metadata, labels: { ...metadata.labels, theirs: 'yes' } },
    })
    virtual.put(secrets, own, object(secrets, 'x'))
    await settle()
    const labels = host.peek(secrets, onHost)?.metadata.labels ?? {}
    expect([labels.app, labels.theirs]).to.deep.equal([undefined, 'yes'])
  })
})
