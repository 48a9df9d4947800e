import fc from 'fast-check'
import type { Mode } from './naiveModel.ts'
import { SyncWorld } from './syncWorld.ts'
import type { HostStep, Step, VirtualStep } from './worldSteps.ts'

/**
 * Number of rounds. Set SYNC_RANDOM_RUNS=2000 for more, and SYNC_RANDOM_SEED as printed to repeat a
 * failure.
 */
const runs = Number(process.env['SYNC_RANDOM_RUNS'] ?? '100')
const seed = process.env['SYNC_RANDOM_SEED']

const key = fc.constantFrom('default/a', 'default/b', 'team-a/a')
const kind = fc.constantFrom('services' as const, 'endpoints' as const)
const field = fc.constantFrom('labels' as const, 'annotations' as const)
const number = fc.integer({ min: 1, max: 9 })
const text = fc.option(number.map(String), { nil: null })
const does = <T extends string>(...what: T[]) => fc.constantFrom(...what)
const count = fc.integer({ min: 1, max: 30 })

const pause: fc.Arbitrary<Step> = fc.record({ do: does('turns'), count })
const nameOfText = (side: 'v' | 'h') => fc.integer({ min: 0, max: 2 }).map((at) => `${side}${at}`)
const virtualText: fc.Arbitrary<VirtualStep> = fc.record({
  ...{ do: does('text'), kind, key, field },
  ...{ name: nameOfText('v'), value: text },
})
const virtualStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: does('create service'), key, selects: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: does('create endpoints'), key }) },
  { weight: 2, arbitrary: fc.record({ do: does('delete service', 'delete endpoints'), key }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: does('delete namespace'), namespace: does('team-a', 'default') }),
  },
  { weight: 2, arbitrary: fc.record({ do: does('select'), key, selects: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: does('port', 'ip'), key, value: number }) },
  { weight: 4, arbitrary: virtualText },
  {
    weight: 3,
    arbitrary: fc.record({
      do: does('cut', 'forget', 'restart', 'restart virtual', 'restart host'),
    }),
  },
  { weight: 3, arbitrary: pause },
)
/**
 * Host changes that are visible only while a syncer runs, and must survive a deletion on the other
 * side.
 */
const hostText: fc.Arbitrary<HostStep> = fc.record({
  ...{ do: does('text on host'), kind, key, field },
  ...{ name: nameOfText('h'), value: text },
})
const hostStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: hostText },
  { weight: 2, arbitrary: virtualText },
  { weight: 1, arbitrary: fc.record({ do: does('spoil on host'), kind, key }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: does('port on host', 'status on host'), key, value: number }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: does('cut', 'forget', 'restart virtual', 'restart host') }),
  },
  { weight: 2, arbitrary: pause },
)
const round = fc.oneof(
  { weight: 3, arbitrary: fc.array(virtualStep, { maxLength: 14 }) },
  { weight: 2, arbitrary: fc.array(hostStep, { maxLength: 14 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.record({ do: does('delete on host'), kind, key }), { maxLength: 1 }),
  },
)

describe('Syncer with faults', function () {
  this.timeout(20_000 + runs * 500)

  for (const mode of ['one namespace', 'several namespaces'] satisfies Mode[]) {
    it(`converges to the result of a naive model, ${mode}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(round, { minLength: 1, maxLength: 5 }),
          fc.integer(),
          fc.constantFrom(0, 0.1, 0.3),
          async (rounds, chance, rate) => {
            const world = new SyncWorld({ chance: chances(chance), rate }, mode)
            world.start()
            try {
              for (const steps of rounds) {
                for (const step of steps) await world.take(step)
                await world.settle()
              }
            } finally {
              await world.stop()
            }
          },
        ),
        { numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) },
      )
    })
  }
})

/** Pseudo-random numbers in [0, 1) from a seed. */
function chances(start: number): () => number {
  let state = start | 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 0) / 2 ** 32
  }
}
