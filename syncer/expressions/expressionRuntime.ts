import type { Naming } from '../names/naming.ts'

/** Evaluates the expressions of patches where they can do no harm. */
export interface ExpressionRuntime {
  /** One result for each value, in their order; null: the field is to be removed. The values and results are JSON.
   *  @throws ExpressionError when one of them cannot be had. */
  evaluate(
    source: string,
    inputs: readonly ExpressionInput[],
    scope: ExpressionScope,
  ): Promise<unknown[]>
  /** Checks that it is an ES6 expression, without evaluating it.
   *  @throws ExpressionError. */
  check(source: string): Promise<void>
  /** Processor time that it has taken so far, in milliseconds; undefined, or absent: not known. */
  usedMs?(): number | undefined
  close(): Promise<void>
}

export interface ExpressionInput {
  value: unknown
  /** `context.path`. */
  path: string
}

/** What an expression can know besides its value. */
export interface ExpressionScope {
  naming: Naming
  /** `context.vcluster.config`. */
  config: Readonly<Record<string, unknown>>
  /** Null: not available. */
  hostObject: unknown
  virtualObject: unknown
}

/** An expression that is none, failed, or took too much. */
export class ExpressionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExpressionError'
  }
}
