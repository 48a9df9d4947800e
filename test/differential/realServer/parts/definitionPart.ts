import { setTimeout as pause } from 'node:timers/promises'
import { inParallel } from '../../../support/inParallel.ts'
import type { SeededRandom } from '../../../conformance/crash/seededRandom.ts'
import { get, post, put, remove, type Call } from '../../call.ts'
import { withOrderedCauses } from '../shownAnswer.ts'
import { send } from '../../side.ts'
import { mutated, mutationsOf, type Mutation } from '../seeds/mutations.ts'
import type { Part } from '../part.ts'
import { PublishedSchemas } from '../seeds/publishedSchemas.ts'
import { createSeeds } from '../seeds/seedObjects.ts'
import { readSeeds, type Seed, type SeedObject } from '../seeds/seeds.ts'
import { compareCall, type Servers } from '../servers/servers.ts'

/**
 * Number of objects for each definition: serving one takes the real server longer than a hundred
 * objects.
 */
const objectsEach = 100
/** Number of concurrent requests. All but the first store nothing, so their order has no effect. */
const width = 4
const longestWaitMs = 5_000

/** Definitions with a changed schema, and objects of their kinds. */
export const definitionPart: Part = {
  name: 'definitions',
  titles: [],
  run: async ({ servers, random, goesOn, found }) => {
    const { definition, object, changes } = await surroundings(servers)
    let count = 0
    for (let round = 0; goesOn(count); round++) {
      const renamed = { gadget: `gadget${round}`, Gadget: `Gadget${round}`, gd: `gd${round}` }
      const body = replaced(mutated(definition.body, draw(changes.definition, random)), renamed)
      const creation = post(definition.path, body)
      const differences = await compareCall(servers, creation)
      if (differences.length > 0) found({ title: 'definitions', calls: [creation], differences })
      const path = object.path.replace('gadgets', `${renamed.gadget}s`)
      count++
      if (await isServed(servers, path)) {
        const first = post(path, replaced(object.body, renamed))
        const calls = Array.from({ length: objectsEach }, () => {
          const changed = mutated(object.body, draw(changes.object, random))
          return write(path, replaced(changed, renamed), random)
        })
        const compare = async (call: Call) => {
          const seen = await compareCall(servers, call, withOrderedCauses)
          if (seen.length > 0)
            found({ title: 'objects', calls: [creation, call], differences: atStep(seen) })
        }
        await compare(first)
        await inParallel(calls, width, compare)
        count += calls.length + 1
      }
      const name = `${definition.path}/${renamed.gadget}s.example.com`
      await Promise.all([send(servers.ours, remove(name)), send(servers.real, remove(name))])
    }
    return count
  },
}

async function surroundings(servers: Servers) {
  const seeds = readSeeds().filter(({ path }) => /customresourcedefinitions|gadgets/.test(path))
  const [definition, object] = seeds
  if (definition === undefined || object === undefined) throw new Error('no seed of a definition')
  await Promise.all([createSeeds(servers.ours, seeds), createSeeds(servers.real, seeds)])
  const schemas = new PublishedSchemas(servers.real)
  for (const { body } of seeds) await schemas.read(body.apiVersion)
  const changesOf = ({ body }: Seed) => mutationsOf(body, schemas.of(body), schemas)
  const ofSchemas = changesOf(definition).filter(({ path }) => path.includes('openAPIV3Schema'))
  return { definition, object, changes: { definition: ofSchemas, object: changesOf(object) } }
}

function write(path: string, object: SeedObject, random: SeededRandom): Call {
  if (random.between(0, 3) > 0)
    return post(`${path}?dryRun=All`, { ...object, metadata: { name: 'b' } })
  return put(`${path}/a?dryRun=All`, object)
}

const atStep = (found: Awaited<ReturnType<typeof compareCall>>) =>
  found.map((one) => ({ ...one, step: 1 }))

function draw(changes: readonly Mutation[], random: SeededRandom): Mutation {
  const found = changes[random.between(0, changes.length)]
  if (found === undefined) throw new RangeError('nothing to draw from')
  return found
}

function replaced<T>(object: T, names: Record<string, string>): T {
  let text = JSON.stringify(object)
  for (const [from, to] of Object.entries(names)) text = text.replaceAll(from, to)
  // The text was created from an object of this type.
  return JSON.parse(text) as T
}

/** Reports whether both servers start to serve a kind in time. */
async function isServed({ ours, real }: Servers, path: string): Promise<boolean> {
  const until = performance.now() + longestWaitMs
  for (;;) {
    const answers = await Promise.all([send(ours, get(path)), send(real, get(path))])
    if (answers.every(({ status }) => status === 200)) return true
    if (performance.now() > until) return false
    await pause(50)
  }
}
