import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import type { PlaneResource } from '../../../syncer/client/planeClient.ts'
import { readSyncConfig } from '../../../syncer/config/syncConfig.ts'
import { Syncer } from '../../../syncer/engine/syncer.ts'
import type { ExpressionRuntime } from '../../../syncer/expressions/expressionRuntime.ts'
import { turns } from '../../support/eventually.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakePlane, type Faults } from './fakePlane.ts'
import {
  emptyModel,
  hostPlaceOf,
  inOrder,
  patched,
  wantedOf,
  type Key,
  type Mode,
  type Seen,
} from './naiveModel.ts'
import {
  described,
  edited,
  editedOnHost,
  endpoints,
  keyOf,
  placeOf,
  resourceOf,
  selectorOf,
  services,
  set,
  specOf,
  subsetsOf,
  withText,
} from './worldObjects.ts'
import {
  isDisturbance,
  isHostStep,
  type Disturbance,
  type HostStep,
  type Kind,
  type Step,
  type VirtualStep,
} from './worldSteps.ts'

const namespaces: PlaneResource = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
}

const patches = [
  { path: 'metadata.annotations[*]', expression: 'prefix', reverseExpression: 'unprefix' },
]
const runtime: ExpressionRuntime = {
  evaluate: (source, inputs) =>
    Promise.resolve(
      inputs.map(({ value }) =>
        source === 'prefix' ? patched(String(value)) : String(value).slice(2),
      ),
    ),
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

function configOf(mode: Mode) {
  const several = { enabled: true, mappings: { byName: { 'team-*': 'h-team-*' } } }
  const kinds = { endpoints: { patches }, services: { patches } }
  const toHost = mode === 'one namespace' ? kinds : { ...kinds, namespaces: several }
  return readSyncConfig({ sync: { toHost } })
}

/** Two planes with faults, the syncer between them, and a simple model of the expected objects. */
export class SyncWorld {
  readonly clock = new FakeClock()
  readonly virtual: FakePlane
  readonly host: FakePlane
  readonly model = emptyModel()
  /** Reports of the syncer, for debugging. */
  readonly reports: unknown[] = []
  readonly #faults: Faults
  readonly #mode: Mode
  #syncer: Syncer

  constructor(faults: Faults, mode: Mode) {
    this.#faults = faults
    this.#mode = mode
    this.virtual = new FakePlane(faults, { addresses: '10.0.0', needsNamespaces: true })
    this.host = new FakePlane(faults, { addresses: '10.9.9', needsNamespaces: true })
    this.#namespace(this.host, 'host')
    this.#syncer = this.#make()
  }

  start(): void {
    void this.#syncer.start()
  }

  async stop(): Promise<void> {
    await this.#syncer.stop()
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'turns') return turns(step.count)
    if (isDisturbance(step)) return this.#disturb(step.do)
    this.#change(step)
  }

  async #disturb(what: Disturbance): Promise<void> {
    if (what === 'restart') {
      await this.stop()
      this.#syncer = this.#make()
      this.start()
    } else if (what === 'restart virtual') this.virtual.restart(5)
    else if (what === 'restart host') this.host.restart(5)
    else for (const plane of [this.virtual, this.host]) plane.cut({ forget: what === 'forget' })
  }

  /** Waits, without further faults, until both planes match the model. */
  async settle(): Promise<void> {
    const { rate } = this.#faults
    // The last changes are also made during faults.
    for (let at = 0; at < 5 && rate > 0; at++) await this.#pass()
    this.#faults.rate = 0
    // A failed attempt is repeated after up to half a minute.
    for (let at = 0; at < 400 && !this.#isSettled(); at++) await this.#pass()
    expect(this.seen()).to.deep.equal(this.#wanted())
    // Equal planes may be the result of the previous syncer: a new one has to see them too, since
    // it cannot know of earlier deletions on the host.
    for (let more = 0; more < 5; more++) await this.#pass()
    for (let at = 0; at < 400 && !this.#isSettled(); at++) await this.#pass()
    expect(this.seen()).to.deep.equal(this.#wanted())
    this.#faults.rate = rate
  }

  async #pass(): Promise<void> {
    await turns(20)
    this.clock.advance(200)
  }

  #isSettled(): boolean {
    return JSON.stringify(this.seen()) === JSON.stringify(this.#wanted())
  }

  #wanted(): Seen[] {
    return wantedOf(this.model)
  }

  #make(): Syncer {
    const { clock, virtual, host } = this
    const random = { fraction: () => 0.5, uuid: () => '', bytes: (n: number) => Buffer.alloc(n) }
    const planes = { virtual, host, runtime, clock, random, config: configOf(this.#mode) }
    const report = (error: unknown) => void this.reports.push(error)
    return new Syncer({
      ...planes,
      ...{ name: 'vc', hostNamespace: 'host', domain: 'platform', report },
      ...{ missingExpression: 'keep', concurrency: 3 },
    })
  }

  #change(step: VirtualStep | HostStep): void {
    if (isHostStep(step)) return this.#changeHost(step)
    switch (step.do) {
      case 'create service':
        return this.#createService(step.key, step.selects)
      case 'create endpoints':
        return this.#createEndpoints(step.key)
      case 'delete service':
        // While the syncer recreates a Service, the reason for a deletion is unknown.
        if (this.#isSteady(step.key)) this.#delete('services', step.key)
        return
      case 'delete endpoints':
        return this.#delete('endpoints', step.key)
      case 'delete namespace':
        return this.#deleteNamespace(step.namespace)
      case 'select':
      case 'port':
      case 'ip':
      case 'text':
        return this.#edit(step)
    }
  }

  #createService(key: Key, selects: boolean): void {
    // For users, an object that the syncer is recreating still exists.
    if (this.model.services.has(key)) return
    this.model.services.set(key, { labels: {}, annotations: {}, port: 1, selects, status: 0 })
    const spec = { ports: [{ port: 1 }], ...selectorOf(key, selects) }
    this.#put(services, key, { apiVersion: 'v1', kind: 'Service', metadata: {}, spec })
  }

  #createEndpoints(key: Key): void {
    if (this.model.endpoints.has(key)) return
    this.model.endpoints.set(key, { labels: {}, annotations: {}, ip: 1 })
    const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: {}, subsets: subsetsOf(1) }
    this.#put(endpoints, key, object)
  }

  #put(resource: PlaneResource, key: Key, object: ApiObject | undefined): void {
    const place = placeOf(key)
    this.#namespace(this.virtual, place.namespace)
    this.virtual.put(resource, place, object)
  }

  #namespace(plane: FakePlane, name: string): void {
    if (plane.peek(namespaces, { namespace: '', name }) !== undefined) return
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: {} }
    plane.put(namespaces, { namespace: '', name }, object)
  }

  #delete(kind: Kind, key: Key): void {
    if (!this.model[kind].delete(key)) return
    const resource = resourceOf(kind)
    if (this.virtual.peek(resource, placeOf(key)) !== undefined) this.#put(resource, key, undefined)
  }

  #deleteNamespace(namespace: string): void {
    const place = { namespace: '', name: namespace }
    if (this.virtual.peek(namespaces, place) === undefined) return
    const inside = (kind: Kind) =>
      [...this.model[kind].keys()].filter((key) => placeOf(key).namespace === namespace)
    if (!inside('services').every((key) => this.#isSteady(key))) return
    for (const kind of ['services', 'endpoints'] as const) {
      for (const key of inside(kind)) this.#delete(kind, key)
    }
    this.virtual.put(namespaces, place, undefined)
  }

  #edit(step: VirtualStep & { do: 'select' | 'port' | 'ip' | 'text' }): void {
    const kind = step.do === 'text' ? step.kind : step.do === 'ip' ? 'endpoints' : 'services'
    const known = this.model[kind].get(step.key)
    const object = this.virtual.peek(resourceOf(kind), placeOf(step.key))
    // A Service that the syncer is recreating may be missing.
    if (known === undefined || object === undefined) return
    if (step.do === 'text') {
      set(known[step.field], step.name, step.value)
      this.#put(resourceOf(kind), step.key, withText(object, step))
      return
    }
    Object.assign(
      known,
      step.do === 'select' ? { selects: step.selects } : { [step.do]: step.value },
    )
    this.#put(resourceOf(kind), step.key, edited(object, step))
  }

  #changeHost(step: HostStep): void {
    const kind = 'kind' in step ? step.kind : 'services'
    const [known, copy] = [this.model[kind].get(step.key), this.#copy(kind, step.key)]
    if (known === undefined || copy === undefined || !this.#isSynced(kind, step.key)) return
    const place = hostPlaceOf(step.key, this.#mode)
    if (step.do === 'delete on host') this.model[kind].delete(step.key)
    else if (step.do === 'text on host') set(known[step.field], step.name, step.value)
    else if (step.do === 'port on host') Object.assign(known, { port: step.value })
    else if (step.do === 'status on host') Object.assign(known, { status: step.value })
    this.host.put(resourceOf(kind), place, editedOnHost(copy, step))
  }

  #copy(kind: Kind, key: Key): ApiObject | undefined {
    return this.host.peek(resourceOf(kind), hostPlaceOf(key, this.#mode))
  }

  /** Reports whether the host copy is followed. */
  #isSynced(kind: Kind, key: Key): boolean {
    const service = this.model.services.get(key)
    if (kind === 'services') return this.#isSteady(key)
    return service?.selects === false
  }

  /** Reports whether both sides have the address of the host. */
  #isSteady(key: Key): boolean {
    const [virtual, host] = [this.virtual.peek(services, placeOf(key)), this.#copy('services', key)]
    if (virtual === undefined || host === undefined) return false
    const isNoted = 'vcluster.platform/recreated-service' in (host.metadata.annotations ?? {})
    return !isNoted && specOf(virtual).clusterIP === specOf(host).clusterIP
  }

  seen(): Seen[] {
    return inOrder([...this.#seenOf('services'), ...this.#seenOf('endpoints')])
  }

  #seenOf(kind: Kind): Seen[] {
    const resource = resourceOf(kind)
    const title = kind === 'services' ? 'Service' : 'Endpoints'
    const orphans = new Map(this.host.all(resource).map((copy) => [keyOf(copy), copy]))
    const seen = this.virtual.all(resource).map((object): Seen => {
      const key = keyOf(object)
      const copy = this.#copy(kind, key)
      const { namespace, name } = hostPlaceOf(key, this.#mode)
      orphans.delete(`${namespace}/${name}`)
      const isLeft = kind === 'endpoints' && !this.model.services.has(key)
      return {
        key,
        kind: title,
        virtual: described(object, copy),
        host: isLeft ? 'anything' : described(copy, copy),
      }
    })
    const others = [...orphans].map(([key, copy]): Seen => ({
      key: `orphan ${key}`,
      kind: title,
      virtual: 'nothing',
      host: described(copy, copy),
    }))
    return [...seen, ...others]
  }
}
