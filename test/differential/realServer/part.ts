import type { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import type { Finding } from './findings.ts'
import type { Servers, ServerSetup } from './servers/servers.ts'

export interface PartContext {
  servers: Servers
  random: SeededRandom
  /** Reports whether the part with this title is requested. */
  isWanted: (title: string) => boolean
  /**
   * Returns false once the requested number of requests was compared, or the time is used up; a
   * part with random cases ends then.
   */
  goesOn: (compared: number) => boolean
  found: (finding: Finding) => void
}

/** Comparison of the servers. Returns the number of compared requests. */
export interface Part {
  name: string
  /** Setup of both servers; undefined: the default one. */
  setup?: ServerSetup
  /** Values of ONLY, besides the part. */
  titles: readonly string[]
  run: (context: PartContext) => Promise<number>
}
