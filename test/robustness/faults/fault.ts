import type { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import type { Target } from '../targets/target.ts'

export interface FaultContext {
  target: Target
  random: SeededRandom
  /** Waits; the target suffers meanwhile. */
  last: (leastMs: number, mostMs: number) => Promise<void>
}

/** Fault of a kind: it begins, lasts, and is mended when `inject` resolves. */
export interface Fault {
  name: string
  /** Reports whether the target supports it. */
  isPossible: (target: Target) => boolean
  /** Returns what it was done to. */
  inject: (context: FaultContext) => Promise<string>
}
