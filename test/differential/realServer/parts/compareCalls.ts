import { inParallel } from '../../../support/inParallel.ts'
import type { Answer, Call } from '../../call.ts'
import type { PartContext } from '../part.ts'
import { createSeeds } from '../seeds/seedObjects.ts'
import { readSeeds, type Seed } from '../seeds/seeds.ts'
import { compareCall } from '../servers/servers.ts'

const width = 8

/**
 * Compares independent requests. `shown` removes from a response what is not compared. Returns
 * their number.
 */
export async function compareCalls(
  { servers, found }: PartContext,
  calls: readonly Call[],
  shown?: (answer: Answer) => Answer,
): Promise<number> {
  await inParallel(calls, width, async (call) => {
    const differences = await compareCall(servers, call, shown)
    if (differences.length > 0) found({ title: call.path, calls: [call], differences })
  })
  return calls.length
}

/** Seeds of a built-in kind and of a custom one, created on both servers. */
export async function seedsOfKinds(
  { servers }: PartContext,
  builtIn: string,
): Promise<readonly Seed[]> {
  const isOf = (plural: string) => (seed: Seed) => seed.path.endsWith(`/${plural}`)
  const all = readSeeds()
  const seeds = [...all.filter(isOf(builtIn)), ...all.filter(isOf('gadgets'))]
  const created = [...all.filter(isOf('customresourcedefinitions')), ...seeds]
  await Promise.all([createSeeds(servers.ours, created), createSeeds(servers.real, created)])
  return seeds
}

/** Seeds of built-in kinds, created on both servers. */
export async function createdSeeds(
  { servers }: PartContext,
  plurals: readonly string[],
): Promise<readonly Seed[]> {
  const seeds = readSeeds().filter(({ path }) => plurals.some((one) => path.endsWith(`/${one}`)))
  await Promise.all([createSeeds(servers.ours, seeds), createSeeds(servers.real, seeds)])
  return seeds
}
