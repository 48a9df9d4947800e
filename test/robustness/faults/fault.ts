import type { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import type { Target } from '../targets/target.ts'

export interface FaultContext {
  target: Target
  random: SeededRandom
  /** Waits while the fault lasts. */
  last: (leastMs: number, mostMs: number) => Promise<void>
}

/** Type of fault: it starts, lasts, and is repaired when `inject` resolves. */
export interface Fault {
  name: string
  /** Reports whether the target supports it. */
  isPossible: (target: Target) => boolean
  /** Injects the fault. Returns the affected part. */
  inject: (context: FaultContext) => Promise<string>
}
