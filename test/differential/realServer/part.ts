import type { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import type { Finding } from './findings.ts'
import type { Servers } from './servers.ts'

export interface PartContext {
  servers: Servers
  random: SeededRandom
  /** Whether what has this title is asked for. */
  isWanted: (title: string) => boolean
  /** False once the time is over; a part that draws cases by chance ends then. */
  goesOn: () => boolean
  found: (finding: Finding) => void
}

/** One way to compare the servers. Gives how many requests were compared. */
export interface Part {
  name: string
  /** What ONLY may name, beside the part. */
  titles: readonly string[]
  run: (context: PartContext) => Promise<number>
}
