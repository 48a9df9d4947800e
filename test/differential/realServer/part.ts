import type { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import type { Finding } from './findings.ts'
import type { Servers, ServerSetup } from './servers/servers.ts'

export interface PartContext {
  servers: Servers
  random: SeededRandom
  /** Reports whether the part with this title is requested. */
  isWanted: (title: string) => boolean
  /** False once so many requests were compared as asked for, or the time is over; a part that draws cases by chance ends
   *  then. */
  goesOn: (compared: number) => boolean
  found: (finding: Finding) => void
}

/** Comparison of the servers. Returns the number of compared requests. */
export interface Part {
  name: string
  /** Setup of both servers. Default: the usual one. */
  setup?: ServerSetup
  /** Values of ONLY, besides the part. */
  titles: readonly string[]
  run: (context: PartContext) => Promise<number>
}
