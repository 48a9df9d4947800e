import type { Clock } from '../../apiserver/meta/clock.ts'
import { ExpressionError, type ExpressionRuntime } from './expressionRuntime.ts'

/** Limits for all evaluations of one task together. */
export interface WorkLimits {
  /** Processor time, or wall time if the runtime does not know it. */
  timeMs: number
  /** Size of the results' JSON. */
  resultBytes: number
}

/**
 * A runtime for one task with common limits, since many evaluations within their own limits can exceed them together.
 * Closing it has no effect.
 */
export function limitedRuntime(
  runtime: ExpressionRuntime,
  clock: Clock,
  { timeMs, resultBytes }: WorkLimits,
): ExpressionRuntime {
  // Other threads may use the processor in the meantime.
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
