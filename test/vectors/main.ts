/**
 * Records the real kube-apiserver's responses: `make vectors [ARGS='--count 20000 --seed 1']`, or
 * only those to chosen requests: `make vectors ARGS=--chosen`.
 */
import { parseArgs } from 'node:util'
import { SeededRandom } from '../conformance/crash/seededRandom.ts'
import { Workspace } from '../conformance/support/workspace.ts'
import { differences } from '../differential/compare.ts'
import { normalised, type Normal } from '../differential/normalise.ts'
import { mutationsOf } from '../differential/realServer/seeds/mutations.ts'
import { realPrograms } from '../differential/realServer/servers/programs.ts'
import { PublishedSchemas } from '../differential/realServer/seeds/publishedSchemas.ts'
import { createSeeds } from '../differential/realServer/seeds/seedObjects.ts'
import { readSeeds, type Seed } from '../differential/realServer/seeds/seeds.ts'
import { attempt, startServers, type Servers } from '../differential/realServer/servers/servers.ts'
import { drawWrite } from '../differential/realServer/seeds/writeRequests.ts'
import { classOf } from '../differential/realServer/findings.ts'
import type { Side } from '../differential/side.ts'
import type { Call } from '../differential/call.ts'
import { chosenCalls, chosenTitle } from './chosenCalls.ts'
import { replay } from './replay.ts'
import { removeVectors, vectorId, writeVectors, type Vector } from './vector.ts'

/**
 * Number of equal responses after which a response is considered stable: the order of a Go map
 * differs each time.
 */
const steadyCount = 5

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20000' },
    // Only the chosen requests; the others stay as recorded.
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
  if (!values.chosen) await recordDrawn(servers, seeds)
  await record(servers, { title: chosenTitle, vectors: await chosenVectors(servers) })
  await servers.stop()
  process.exit(0)
}

async function recordDrawn(servers: Servers, seeds: readonly Seed[]): Promise<void> {
  const schemas = new PublishedSchemas(servers.real)
  for (const version of new Set(seeds.map(({ body }) => body.apiVersion)))
    await schemas.read(version)
  const changes = seeds.map((seed) => mutationsOf(seed.body, schemas.of(seed.body), schemas))
  const counts = shares(
    changes.map((all) => all.length),
    Number(values.count),
  )
  removeVectors()
  for (const [at, seed] of seeds.entries()) {
    const random = new SeededRandom(Number(values.seed) + at)
    const draw = () => drawWrite(seed, changes[at] ?? [], random)
    const vectors = await answersTo(servers, draw, counts[at] ?? 0)
    await record(servers, { title: seed.title, vectors })
  }
}

/** Writes the vectors, and prints those to which this server responds differently. */
async function record(
  servers: Servers,
  { title, vectors }: { title: string; vectors: Vector[] },
): Promise<void> {
  writeVectors(title, vectors)
  const replayed = await replay(servers.ours, vectors)
  const unequal = replayed.filter(({ differences }) => differences.length > 0)
  write(`${title}: ${vectors.length} vectors, ${unequal.length} unequal`)
  for (const { vector, differences } of unequal)
    write(`  ${vector.id} ${classOf({ title, calls: [vector.call], differences })}`)
}

function chosenVectors(servers: Servers): Promise<Vector[]> {
  const calls = chosenCalls()
  let next = 0
  // Each request is used once.
  return answersTo(servers, () => calls[next++ % calls.length] ?? { path: '/' }, calls.length)
}

/** Distribution of requests over kinds: more for a kind with more fields, with a minimum for each. */
function shares(sizes: readonly number[], count: number): number[] {
  const weights = sizes.map((size) => Math.sqrt(size))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => Math.ceil((count * weight) / sum))
}

/** Vectors of this many different requests; fewer if the kind has no more. */
async function answersTo({ real }: Servers, draw: () => Call, count: number): Promise<Vector[]> {
  const vectors = new Map<string, Vector>()
  for (let tries = 0; vectors.size < count && tries < count * 3; tries++) {
    const call = draw()
    const id = vectorId(call)
    if (vectors.has(id)) continue
    const answer = await steadyAnswer(real, call)
    if (answer !== undefined) vectors.set(id, { id, call, answer })
  }
  return [...vectors.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Response, if it is always the same; undefined: it is not, or the server panics. */
async function steadyAnswer(real: Side, call: Call): Promise<Normal | undefined> {
  const [first] = normalised([await attempt(real, call)])
  if (first === undefined || first.status === 0) return undefined
  // Only refusals list the contents of maps.
  const more = first.status < 400 ? 1 : steadyCount - 1
  for (let asked = 0; asked < more; asked++) {
    const again = normalised([await attempt(real, call)])
    if (differences([first], again).length > 0) return undefined
  }
  return first
}
