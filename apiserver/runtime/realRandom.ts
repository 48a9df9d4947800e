import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '../meta/clock.ts'

/** The system's random source. */
export const realRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  fraction: () => Math.random(),
}
