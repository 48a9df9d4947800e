import { expect } from 'chai'
import fc from 'fast-check'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { readSyncConfig } from '../../../syncer/config/syncConfig.ts'
import { Syncer } from '../../../syncer/engine/syncer.ts'
import type { ExpressionRuntime } from '../../../syncer/expressions/expressionRuntime.ts'
import { endpointsRules } from '../../../syncer/rules/endpointsRules.ts'
import { servicesRules } from '../../../syncer/rules/servicesRules.ts'
import { eventually, turns } from '../../support/eventually.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { FakePlane, type Faults } from './fakePlane.ts'

const endpoints = endpointsRules.resource
const services = servicesRules.resource
const names = ['a', 'b', 'c']
const hostPlace = (name: string) => ({ name: `${name}-x-default-x-vc`, namespace: 'host' })
const place = (name: string) => ({ name, namespace: 'default' })

const config = readSyncConfig({
  sync: {
    toHost: {
      endpoints: {
        patches: [
          { path: 'metadata.annotations[*]', expression: 'prefix', reverseExpression: 'unprefix' },
        ],
      },
    },
  },
})
const runtime: ExpressionRuntime = {
  evaluate: (source, inputs) =>
    Promise.resolve(
      inputs.map(({ value }) =>
        source === 'prefix' ? `p-${String(value)}` : String(value).slice(2),
      ),
    ),
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

/** One thing that happens. Keys `v…` are changed in the virtual cluster, keys `h…` on the host. */
type Step = WorldStep | UserStep | HostStep
type WorldStep =
  { do: 'cut' } | { do: 'forget' } | { do: 'restart' } | { do: 'turns'; count: number }
type UserStep =
  | { do: 'create'; name: string }
  | { do: 'delete'; name: string }
  | { do: 'subsets'; name: string; ip: number }
  | { do: 'annotate'; name: string; key: number; value: number | null }
  | { do: 'label'; name: string; key: number; value: number | null }
type HostStep =
  | { do: 'deleteOnHost'; name: string }
  | { do: 'editSubsetsOnHost'; name: string }
  | { do: 'annotateOnHost'; name: string; key: number; value: number | null }

/** What there should be: by name, what the virtual object holds. */
type Model = Map<
  string,
  { annotations: Record<string, string>; labels: Record<string, string>; ip: number }
>

class World {
  readonly clock = new FakeClock()
  readonly virtual: FakePlane
  readonly host: FakePlane
  readonly model: Model = new Map()
  readonly #faults: Faults
  #syncer: Syncer

  constructor(faults: Faults) {
    this.#faults = faults
    this.virtual = new FakePlane(faults)
    this.host = new FakePlane(faults)
    this.#syncer = this.#make()
    for (const name of names) {
      const service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: {},
        spec: { clusterIP: 'None' },
      }
      this.virtual.put(services, place(name), service)
    }
  }

  #make(): Syncer {
    const { clock, virtual, host } = this
    const random = { fraction: () => 0.5, uuid: () => '', bytes: (n: number) => Buffer.alloc(n) }
    const planes = { virtual, host, runtime, clock, random, config }
    return new Syncer({
      ...planes,
      ...{ name: 'vc', hostNamespace: 'host', domain: 'platform', report: () => undefined },
      ...{ missingExpression: 'keep', concurrency: 3 },
    })
  }

  start(): void {
    void this.#syncer.start()
  }

  async stop(): Promise<void> {
    await this.#syncer.stop()
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'turns') return turns(step.count)
    if (step.do === 'restart') {
      await this.stop()
      this.#syncer = this.#make()
      this.start()
    } else if (step.do === 'cut' || step.do === 'forget') {
      this.virtual.cut({ forget: step.do === 'forget' })
      this.host.cut({ forget: step.do === 'forget' })
    } else if (step.do === 'create') this.#create(step.name)
    else this.#change(step)
  }

  #create(name: string): void {
    if (this.model.has(name)) return
    this.model.set(name, { annotations: {}, labels: {}, ip: 1 })
    const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: {}, subsets: subsetsOf(1) }
    this.virtual.put(endpoints, place(name), object)
  }

  #change(step: Exclude<UserStep, { do: 'create' }> | HostStep): void {
    const known = this.model.get(step.name)
    const object = this.virtual.peek(endpoints, place(step.name))
    const copy = this.host.peek(endpoints, hostPlace(step.name))
    if (known === undefined || object === undefined) return
    if (step.do === 'delete') {
      this.model.delete(step.name)
      this.virtual.put(endpoints, place(step.name), undefined)
    } else if (step.do === 'subsets') {
      known.ip = step.ip
      this.virtual.put(endpoints, place(step.name), { ...object, subsets: subsetsOf(step.ip) })
    } else if (step.do === 'annotate' || step.do === 'label') {
      const field = step.do === 'label' ? 'labels' : 'annotations'
      set(known[field], `v${step.key}`, step.value)
      const changed = withText(object, field, [`v${step.key}`, step.value])
      this.virtual.put(endpoints, place(step.name), changed)
    } else if (copy !== undefined) this.#changeHost(step, known, copy)
  }

  #changeHost(
    step: HostStep,
    known: { annotations: Record<string, string> },
    copy: ApiObject,
  ): void {
    const at = hostPlace(step.name)
    if (step.do === 'deleteOnHost') {
      this.model.delete(step.name)
      this.host.put(endpoints, at, undefined)
    } else if (step.do === 'editSubsetsOnHost') {
      this.host.put(endpoints, at, { ...copy, subsets: [] })
    } else {
      set(known.annotations, `h${step.key}`, step.value)
      const patched = step.value === null ? null : `p-${step.value}`
      this.host.put(endpoints, at, withText(copy, 'annotations', [`h${step.key}`, patched]))
    }
  }

  /** Waits until both planes are what the model says, with no faults any more. */
  async settle(): Promise<void> {
    const { rate } = this.#faults
    this.#faults.rate = 0
    const isSettled = () => JSON.stringify(this.seen()) === JSON.stringify(this.wanted())
    let at = 0
    // A failed try waits up to half a minute for the next one.
    while (!isSettled() && at++ < 400) {
      await turns(20)
      this.clock.advance(200)
    }
    expect(this.seen()).to.deep.equal(this.wanted())
    // Equal planes may be the work of the syncer before: a new one is to have seen them too, since it cannot know of
    // what is deleted on the host before that.
    for (let more = 0; more < 5; more++) {
      await turns(20)
      this.clock.advance(200)
    }
    await eventually(this.clock, isSettled)
    this.#faults.rate = rate
  }

  wanted(): unknown {
    return [...this.model].sort().map(([name, { annotations, labels, ip }]) => ({
      name,
      annotations: sorted(annotations),
      labels: sorted(labels),
      ip,
      hostAnnotations: sorted(
        Object.fromEntries(Object.entries(annotations).map(([key, value]) => [key, `p-${value}`])),
      ),
      hostLabels: sorted(labels),
      hostIp: ip,
    }))
  }

  seen(): unknown {
    const copies = new Set(this.host.all(endpoints).map(({ metadata }) => metadata.name))
    const virtuals = this.virtual.all(endpoints)
    const seen = virtuals.map((object) => {
      const name = object.metadata.name ?? ''
      const copy = this.host.peek(endpoints, hostPlace(name))
      copies.delete(hostPlace(name).name)
      return {
        name,
        ...described(object),
        hostAnnotations: described(copy).annotations,
        hostLabels: described(copy).labels,
        hostIp: described(copy).ip,
      }
    })
    const orphans = [...copies].map((name) => ({ name: `orphan ${name}` }))
    return [...seen, ...orphans].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

function described(object: ApiObject | undefined) {
  const own = (texts: Record<string, string> = {}) =>
    sorted(Object.fromEntries(Object.entries(texts).filter(([key]) => !key.includes('/'))))
  const { annotations, labels } = object?.metadata ?? {}
  const [subset] = (object?.subsets ?? []) as { addresses: { ip: string }[] }[]
  const ip = Number(subset?.addresses[0]?.ip.split('.')[3])
  return { annotations: own(annotations), labels: own(labels), ip }
}

function subsetsOf(ip: number) {
  return [{ addresses: [{ ip: `10.0.0.${ip}` }], ports: [{ port: 1 }] }]
}

function withText(
  object: ApiObject,
  field: 'labels' | 'annotations',
  [key, value]: [string, number | string | null],
): ApiObject {
  const texts = { ...object.metadata[field] }
  set(texts, key, value)
  return { ...object, metadata: { ...object.metadata, [field]: texts } }
}

function set(texts: Record<string, string>, key: string, value: number | string | null): void {
  if (value === null) Reflect.deleteProperty(texts, key)
  else texts[key] = String(value)
}

function sorted(texts: Record<string, string>): [string, string][] {
  return Object.entries(texts).sort()
}

const name = fc.constantFrom(...names)
const value = fc.option(fc.integer({ min: 1, max: 9 }), { nil: null })
const key = fc.integer({ min: 0, max: 2 })
const kindOf = <T extends string>(what: T) => fc.constant(what)
const virtualStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: kindOf('create'), name }) },
  { weight: 1, arbitrary: fc.record({ do: kindOf('delete'), name }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: kindOf('subsets'), name, ip: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('annotate' as const, 'label' as const),
      name,
      key,
      value,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('cut' as const, 'forget' as const, 'restart' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: kindOf('turns'), count: fc.integer({ min: 1, max: 30 }) }),
  },
)
/** What the host does is seen only while a syncer is there, and not to be lost to a deletion on the other side. */
const hostStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: kindOf('annotateOnHost'), name, key, value }),
  fc.record({ do: kindOf('annotate'), name, key, value }),
  fc.record({ do: kindOf('editSubsetsOnHost'), name }),
  fc.record({ do: fc.constantFrom('cut' as const, 'forget' as const) }),
  fc.record({ do: kindOf('turns'), count: fc.integer({ min: 1, max: 30 }) }),
)
const round = fc.oneof(
  fc.array(virtualStep, { maxLength: 14 }),
  fc.array(hostStep, { maxLength: 14 }),
  fc.array(fc.record({ do: kindOf('deleteOnHost'), name }), { maxLength: 1 }),
)

describe('Syncer, with faults', function () {
  this.timeout(60_000)

  it('always comes to what a naive model computes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { minLength: 1, maxLength: 5 }),
        fc.integer(),
        fc.constantFrom(0, 0.1, 0.3),
        async (rounds, seed, rate) => {
          const world = new World({ chance: chances(seed), rate })
          world.start()
          for (const steps of rounds) {
            for (const step of steps) await world.take(step)
            await world.settle()
          }
          await world.stop()
        },
      ),
      { numRuns: 150 },
    )
  })
})

/** Numbers in [0, 1) that follow from a seed. */
function chances(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 0) / 2 ** 32
  }
}
