import { inParallel } from '../../../support/inParallel.ts'
import { createSeeds } from '../seeds/seedObjects.ts'
import { mutationsOf } from '../seeds/mutations.ts'
import type { Part, PartContext } from '../part.ts'
import { PublishedSchemas } from '../seeds/publishedSchemas.ts'
import { readSeeds, type Seed } from '../seeds/seeds.ts'
import { compareCall, unexplained } from '../servers/servers.ts'
import { drawWrite } from '../seeds/writeRequests.ts'
import { post, type Answer, type Call } from '../../call.ts'
import { withOrderedCauses, withoutSuffix } from '../shownAnswer.ts'

/** Writes of every kind, with one or two changed fields. */
export const writePart: Part = {
  name: 'writes',
  titles: readSeeds().map(({ title }) => title),
  run: async (context) => {
    const seeds = readSeeds()
    await compareSeeds(context, seeds)
    const draws = await drawsOf(context, seeds)
    let count = 0
    while (context.goesOn(count)) {
      const round = draws.map(({ seed, draw }) => ({ seed, call: draw() }))
      await inParallel(round, width, async ({ seed, call }) => {
        const differences = await compareCall(context.servers, call, shownAnswer(seed, call))
        if (differences.length > 0) context.found({ title: seed.title, calls: [call], differences })
      })
      count += round.length
    }
    return count
  },
}

/** Removes what depends on chance: generated names, and the order of the causes of custom objects. */
export function shownAnswer({ path }: Seed, call: Call): (answer: Answer) => Answer {
  const isCustom = path.includes('gadgets')
  return (answer) => {
    const named = withoutSuffix(call, answer)
    return isCustom ? withOrderedCauses(named) : named
  }
}

/** Number of concurrent requests. None is stored, so their order has no effect. */
export const width = 4

/** Creates the seeds on both servers; their responses are compared first. */
async function compareSeeds(
  { servers, found }: PartContext,
  seeds: readonly Seed[],
): Promise<void> {
  const [ours, real] = await Promise.all([
    createSeeds(servers.ours, seeds),
    createSeeds(servers.real, seeds),
  ])
  for (const [at, { title, path, body }] of seeds.entries()) {
    const [left, right] = [ours[at], real[at]]
    if (left === undefined || right === undefined) continue
    const differences = unexplained([left], [right])
    if (differences.length > 0) found({ title, calls: [post(path, body)], differences })
  }
}

interface Draw {
  seed: Seed
  draw: () => Call
}

async function drawsOf(
  { servers, random, isWanted }: PartContext,
  seeds: readonly Seed[],
): Promise<Draw[]> {
  const schemas = new PublishedSchemas(servers.real)
  const wanted = seeds.filter(({ title }) => isWanted(title))
  for (const version of new Set(wanted.map(({ body }) => body.apiVersion)))
    await schemas.read(version)
  return wanted.map((seed) => {
    const all = mutationsOf(seed.body, schemas.of(seed.body), schemas)
    return { seed, draw: () => drawWrite(seed, all, random) }
  })
}
