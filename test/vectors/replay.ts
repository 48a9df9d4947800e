import { differences, type Difference } from '../differential/compare.ts'
import { deviationOf } from '../differential/explained.ts'
import { normalised, type Normal } from '../differential/normalise.ts'
import { send, type Side } from '../differential/side.ts'
import type { Vector } from './vector.ts'

/** Number of concurrent requests: the server and its client share a process. */
const width = 8

/** Result of one vector. */
export interface Replayed {
  vector: Vector
  /** Differences that no deviation explains. */
  differences: Difference[]
}

/** Sends the requests of all vectors, and compares the responses with the recorded ones. */
export async function replay(side: Side, vectors: readonly Vector[]): Promise<Replayed[]> {
  const results: Replayed[] = []
  let next = 0
  const sender = async () => {
    for (;;) {
      const at = next++
      const vector = vectors[at]
      if (vector === undefined) return
      const found = differences(normalised([await send(side, vector.call)]), recorded(vector))
      const unexplained = found.filter((one) => deviationOf(one) === undefined)
      results[at] = { vector, differences: unexplained }
    }
  }
  await Promise.all(Array.from({ length: width }, sender))
  return results
}

/** Recorded response with normalisations that were added since. */
function recorded({ answer: { status, headers, body } }: Vector): Normal[] {
  return normalised([{ status, headers, body: JSON.stringify(body) }])
}
