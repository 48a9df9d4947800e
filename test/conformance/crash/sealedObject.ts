import { createHash } from 'node:crypto'
import type { ApiObject } from '../support/objects.ts'
import type { SeededRandom } from './seededRandom.ts'

const sealLabel = 'seal'
const maxDescriptionBytes = 6_000

/** Never empty: the server omits empty strings, as real ones do. */
const leastBytes = 1

/** The server sets it if it is missing, and the checksum covers the whole stored object. */
const owner = { user: 'admin' }

/** A shared secret whose label is the checksum of its spec; `mark` is in no other object. */
export function sealed(name: string, mark: string, random: SeededRandom): ApiObject {
  const length = random.between(leastBytes, random.fraction() < 0.2 ? maxDescriptionBytes : 200)
  const data = { value: Buffer.from(mark).toString('base64') }
  const spec = { data, description: 'd'.repeat(length), displayName: mark, owner }
  return { metadata: { name, labels: { [sealLabel]: checksum(spec) } }, spec }
}

/** The checksum of a whole object. @throws Error when label and spec are not of one write. */
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
