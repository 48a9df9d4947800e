/** Records what the real kube-apiserver answers: `make vectors [ARGS='--count 20000 --seed 1']`, or of chosen requests
 *  alone: `make vectors ARGS=--chosen`. */
import { parseArgs } from 'node:util'
import { SeededRandom } from '../conformance/crash/seededRandom.ts'
import { Workspace } from '../conformance/support/workspace.ts'
import { differences } from '../differential/compare.ts'
import { normalised } from '../differential/normalise.ts'
import { mutationsOf } from '../differential/realServer/seeds/mutations.ts'
import { realPrograms } from '../differential/realServer/servers/programs.ts'
import { PublishedSchemas } from '../differential/realServer/seeds/publishedSchemas.ts'
import { createSeeds } from '../differential/realServer/seeds/seedObjects.ts'
import { readSeeds, type Seed } from '../differential/realServer/seeds/seeds.ts'
import { attempt, startServers, type Servers } from '../differential/realServer/servers/servers.ts'
import { drawWrite } from '../differential/realServer/seeds/writeRequests.ts'
import type { Call } from '../differential/call.ts'
import { chosenCalls, chosenTitle } from './chosenCalls.ts'
import { replay } from './replay.ts'
import { readUnequal, unequalOf, writeUnequal, type Unequal } from './unequal.ts'
import { removeVectors, vectorId, writeVectors, type Vector } from './vector.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20000' },
    // Only the chosen requests; the others stay as they were recorded.
    chosen: { type: 'boolean', default: false },
  },
})
const write = (text: string) => process.stdout.write(`${text}\n`)

const programs = realPrograms()
if (typeof programs === 'string') write(`skipped: ${programs}`)
else {
  const workspace = new Workspace()
  process.once('exit', () => workspace.close())
  const servers = await startServers(programs, workspace.root)
  const seeds = readSeeds()
  await Promise.all([createSeeds(servers.ours, seeds), createSeeds(servers.real, seeds)])
  const unequal = values.chosen ? readUnequal() : await recordDrawn(servers, seeds)
  forgetTitle(unequal, chosenTitle)
  await record(servers, { title: chosenTitle, vectors: await chosenVectors(servers) }, unequal)
  writeUnequal(unequal)
  await servers.stop()
  process.exit(0)
}

async function recordDrawn(servers: Servers, seeds: readonly Seed[]): Promise<Unequal> {
  const schemas = new PublishedSchemas(servers.real)
  for (const version of new Set(seeds.map(({ body }) => body.apiVersion)))
    await schemas.read(version)
  const changes = seeds.map((seed) => mutationsOf(seed.body, schemas.of(seed.body), schemas))
  const counts = shares(
    changes.map((all) => all.length),
    Number(values.count),
  )
  const unequal: Unequal = {}
  removeVectors()
  for (const [at, seed] of seeds.entries()) {
    const random = new SeededRandom(Number(values.seed) + at)
    const draw = () => drawWrite(seed, changes[at] ?? [], random)
    const vectors = await answersTo(servers, draw, counts[at] ?? 0)
    await record(servers, { title: seed.title, vectors }, unequal)
  }
  return unequal
}

/** Writes the vectors, and adds to `unequal` what this server answers in another way. */
async function record(
  servers: Servers,
  { title, vectors }: { title: string; vectors: Vector[] },
  unequal: Unequal,
): Promise<void> {
  writeVectors(title, vectors)
  const found = unequalOf(title, await replay(servers.ours, vectors))
  Object.assign(unequal, found)
  const apart = Object.values(found).flatMap(({ ids }) => ids).length
  write(`${title}: ${vectors.length} vectors, ${apart} unequal`)
}

function forgetTitle(unequal: Unequal, title: string): void {
  for (const name of Object.keys(unequal))
    if (name.startsWith(`${title} `)) Reflect.deleteProperty(unequal, name)
}

function chosenVectors(servers: Servers): Promise<Vector[]> {
  const calls = chosenCalls()
  let next = 0
  // Each is drawn once.
  return answersTo(servers, () => calls[next++ % calls.length] ?? { path: '/' }, calls.length)
}

/** Distribution of requests over kinds: more for a kind with more fields, with a minimum for each. */
function shares(sizes: readonly number[], count: number): number[] {
  const weights = sizes.map((size) => Math.sqrt(size))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => Math.ceil((count * weight) / sum))
}

/** Vectors of as many different requests; fewer if the kind has no more. */
async function answersTo({ real }: Servers, draw: () => Call, count: number): Promise<Vector[]> {
  const vectors = new Map<string, Vector>()
  for (let tries = 0; vectors.size < count && tries < count * 3; tries++) {
    const call = draw()
    const id = vectorId(call)
    if (vectors.has(id)) continue
    const answers = [await attempt(real, call), await attempt(real, call)]
    const [first, second] = answers.map((answer) => normalised([answer]))
    // A panic has no answer, and what a map's order decides is none to rely on.
    if (first?.[0] === undefined || first[0].status === 0) continue
    if (differences(first, second ?? []).length === 0)
      vectors.set(id, { id, call, answer: first[0] })
  }
  return [...vectors.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}
