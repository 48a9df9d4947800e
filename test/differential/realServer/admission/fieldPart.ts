import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { post, put, type Call } from '../../call.ts'
import { send } from '../../side.ts'
import { mutated, mutationsOf, type Mutation } from '../seeds/mutations.ts'
import type { Part, PartContext } from '../part.ts'
import { PublishedSchemas } from '../seeds/publishedSchemas.ts'
import type { SeedObject } from '../seeds/seeds.ts'
import { compareCall } from '../servers/servers.ts'

interface FieldSeed {
  path: string
  body: SeedObject
}

/**
 * Objects with every field of webhook configurations and policies, and definitions converted by
 * webhooks.
 */
function readFieldSeeds(): FieldSeed[] {
  // The file is part of this folder.
  return parse(readFileSync(join(import.meta.dirname, 'fieldSeeds.yaml'), 'utf8')) as FieldSeed[]
}

/**
 * Every field of these objects with every value suggested by its schema, in creates and updates.
 */
export const fieldPart: Part = {
  name: 'admission-fields',
  titles: readFieldSeeds().map(({ body }) => titleOf(body)),
  run: async (context) => {
    let count = 0
    for (const seed of readFieldSeeds()) {
      if (context.isWanted(titleOf(seed.body))) count += await compareFields(seed, context)
    }
    return count
  },
}

function titleOf({ kind }: SeedObject): string {
  return `admission-fields ${kind}`
}

async function compareFields(
  { path, body }: FieldSeed,
  { servers, found, goesOn }: PartContext,
): Promise<number> {
  const title = titleOf(body)
  const schemas = new PublishedSchemas(servers.real)
  await schemas.read(body.apiVersion)
  const creation = post(path, body)
  await Promise.all([send(servers.ours, creation), send(servers.real, creation)])
  const address = `${path}/${body.metadata.name}?dryRun=All`
  let count = 0
  const compare = async (call: Call) => {
    const differences = await compareCall(servers, call)
    count++
    if (differences.length > 0) found({ title, calls: [call], differences })
  }
  const second = {
    ...body,
    metadata: { ...body.metadata, name: body.metadata.name.replace(/^a/, 'b') },
  }
  for (const [at, change] of changesOf(body, schemas).entries()) {
    if (!goesOn(count)) break
    await compare(post(`${path}?dryRun=All`, mutated(second, change)))
    // Most rules apply to creates.
    if (at % 5 === 0) await compare(put(address, mutated(body, change)))
  }
  return count
}

function changesOf(body: SeedObject, schemas: PublishedSchemas): Mutation[] {
  const all = mutationsOf(body, schemas.of(body), schemas)
  // Other parts cover schemas of custom kinds and metadata.
  return all.filter(({ path }) => path[0] !== 'metadata' && !path.includes('openAPIV3Schema'))
}
