import type { Naming } from '../names/naming.ts'

/** Evaluates the expressions of patches in isolation. */
export interface ExpressionRuntime {
  /**
   * Evaluates values in order; a null result removes the field. Values and results are JSON.
   * @throws ExpressionError if one evaluation fails.
   */
  evaluate(
    source: string,
    inputs: readonly ExpressionInput[],
    scope: ExpressionScope,
  ): Promise<unknown[]>
  /**
   * Checks that a string is an ES6 expression, without evaluating it.
   * @throws ExpressionError.
   */
  check(source: string): Promise<void>
  /** Processor time used so far, in milliseconds; undefined, or absent: unknown. */
  usedMs?(): number | undefined
  close(): Promise<void>
}

export interface ExpressionInput {
  value: unknown
  /** `context.path`. */
  path: string
}

/** Context of an expression besides its value. */
export interface ExpressionScope {
  naming: Naming
  /** `context.vcluster.config`. */
  config: Readonly<Record<string, unknown>>
  /** Null: unavailable. */
  hostObject: unknown
  virtualObject: unknown
}

/** An expression that is malformed, failed, or exceeded its limits. */
export class ExpressionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExpressionError'
  }
}
