import type { SeededRandom } from '../../../conformance/crash/seededRandom.ts'
import {
  applyType,
  jsonPatchType,
  mergeType,
  patch,
  post,
  put,
  strategicType,
  type Call,
} from '../../call.ts'
import type { MetadataChange } from './metadataChanges.ts'
import { mutated, type Mutation } from './mutations.ts'
import type { Seed, SeedObject } from './seeds.ts'

/** Creates a request that writes a changed object of the seed, and stores nothing. */
type WriteRequest = (seed: Seed, mutation: Mutation) => Call

const dryRun = '?dryRun=All&fieldManager=m'

const create: WriteRequest = (seed, mutation) =>
  post(`${seed.path}${seed.isAsked ? '' : dryRun}`, mutated(seed.second, mutation), seed.headers)
const update: WriteRequest = (seed, mutation) =>
  put(`${seed.address}${dryRun}`, mutated(seed.body, mutation))
const apply: WriteRequest = (seed, mutation) =>
  patch(`${seed.address}${dryRun}&force=true`, mutated(seed.body, mutation), applyType)
const mergePatch: WriteRequest = (seed, mutation) =>
  patch(`${seed.address}${dryRun}`, mergePatchOf(seed.body, mutation), mergeType)
const strategicPatch: WriteRequest = (seed, mutation) =>
  patch(`${seed.address}${dryRun}`, mergePatchOf(seed.body, mutation), strategicType)
const jsonPatch: WriteRequest = (seed, { path, value }) => {
  const pointer = path.map((name) => `/${String(name).replace('~', '~0').replace('/', '~1')}`)
  const operation = value === undefined ? { op: 'remove' } : { op: 'add', value }
  const body = [{ ...operation, path: pointer.join('') }]
  return patch(`${seed.address}${dryRun}`, body, jsonPatchType)
}

/** Patch with only the changed member; a list is sent whole. */
function mergePatchOf(object: SeedObject, mutation: Mutation): unknown {
  const whole: unknown = mutated(object, mutation)
  const taken = (value: unknown, [name, ...rest]: Mutation['path']): unknown => {
    if (name === undefined) return value === undefined ? null : value
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    // The path leads through an object of the same form.
    return { [name]: taken((value as Record<string | number, unknown>)[name], rest) }
  }
  return taken(whole, mutation.path)
}

/** Requests of every form, the most frequent ones several times. */
function requestsFor({ subresources, isAsked, path }: Seed): WriteRequest[] {
  if (isAsked) return [create]
  const isCustom = path.startsWith('/apis/example.com/')
  const ofSubresources = subresources.map(
    (name): WriteRequest =>
      (seed, mutation) =>
        put(`${seed.address}/${name}${dryRun}`, mutated(seed.body, mutation)),
  )
  const patches = [mergePatch, jsonPatch, apply, ...(isCustom ? [] : [strategicPatch])]
  return [...Array<WriteRequest>(8).fill(create), update, update, ...ofSubresources, ...patches]
}

/** Requests that write an object with changed metadata, one of each form. */
export function metadataWrites(seed: Seed): ((change: MetadataChange) => Call)[] {
  return [...new Set(requestsFor(seed))].map((request) => (change) => {
    const changed = (object: SeedObject): SeedObject => ({
      ...object,
      metadata: { ...object.metadata, ...change },
    })
    const whole = { ...seed, body: changed(seed.body), second: changed(seed.second) }
    // Forms that send a whole object do not need a mutation; the others send the metadata.
    const { metadata } = request === create ? whole.second : whole.body
    return request(whole, { path: ['metadata'], value: metadata })
  })
}

/** Random request: a form and a change, or two changes in one of five cases. */
export function drawWrite(seed: Seed, all: readonly Mutation[], random: SeededRandom): Call {
  const pick = <T>(from: readonly T[]): T => {
    const found = from[random.between(0, from.length)]
    if (found === undefined) throw new RangeError('nothing to draw from')
    return found
  }
  const request = pick(requestsFor(seed))
  const first = pick(all)
  if (random.between(0, 5) > 0) return request(seed, first)
  const body = mutated(seed.body, pick(all))
  const second = mutated(seed.second, pick(all))
  return request({ ...seed, body, second }, first)
}
