import type { Clock } from '../../apiserver/meta/clock.ts'
import { ExpressionError, type ExpressionRuntime } from './expressionRuntime.ts'

/** What all evaluations of one piece of work may take together. */
export interface WorkLimits {
  /** Processor time, or time on the wall where the runtime does not know. */
  timeMs: number
  /** Of the results' JSON. */
  resultBytes: number
}

/** A runtime for one piece of work, which each of its evaluations brings nearer to its end: many that are in bounds are
 *  out of bounds together. Closing it closes nothing. */
export function limitedRuntime(
  runtime: ExpressionRuntime,
  clock: Clock,
  { timeMs, resultBytes }: WorkLimits,
): ExpressionRuntime {
  // Others may have the processor meanwhile.
  const timeOf = () => runtime.usedMs?.()
  const from = { used: timeOf(), wall: clock.now() }
  const spentMs = () => {
    const used = timeOf()
    return used === undefined ? clock.now() - from.wall : used - (from.used ?? 0)
  }
  let bytes = 0
  const checkTime = () => {
    if (spentMs() > timeMs) {
      throw new ExpressionError(`the expressions took more than ${timeMs} ms in all`)
    }
  }
  return {
    async evaluate(source, inputs, scope) {
      checkTime()
      const results = await runtime.evaluate(source, inputs, scope)
      bytes += JSON.stringify(results).length
      if (bytes > resultBytes) {
        throw new ExpressionError(`the results are larger than ${resultBytes} bytes in all`)
      }
      return results
    },
    async check(source) {
      checkTime()
      await runtime.check(source)
    },
    close: () => Promise.resolve(),
  }
}
