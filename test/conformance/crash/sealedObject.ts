import { createHash } from 'node:crypto'
import type { ApiObject } from '../support/objects.ts'
import type { SeededRandom } from './seededRandom.ts'

const sealLabel = 'seal'
const maxDescriptionBytes = 6_000

/** Minimum length, not 0: the server omits empty strings, like real servers. */
const leastBytes = 1

/**
 * Value that the server would set if it were missing; the checksum covers the whole stored object.
 */
const owner = { user: 'admin' }

/** Shared secret whose label is the checksum of its spec; `mark` is unique to the object. */
export function sealed(name: string, mark: string, random: SeededRandom): ApiObject {
  const length = random.between(leastBytes, random.fraction() < 0.2 ? maxDescriptionBytes : 200)
  const data = { value: Buffer.from(mark).toString('base64') }
  const spec = { data, description: 'd'.repeat(length), displayName: mark, owner }
  return { metadata: { name, labels: { [sealLabel]: checksum(spec) } }, spec }
}

/** Checksum of a whole object. @throws Error if label and spec are not from the same write. */
export function sealOf({ metadata, spec }: ApiObject): string {
  const seal = metadata.labels?.[sealLabel]
  if (seal === undefined || seal !== checksum(spec)) {
    throw new Error(`${metadata.name} is half written: ${seal} is not the seal of its spec`)
  }
  return seal
}

function checksum(spec: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(spec)))
    .digest('hex')
    .slice(0, 32)
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
