import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '../meta/clock.ts'

/** The machine's source of chance. */
export const realRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  fraction: () => Math.random(),
}
