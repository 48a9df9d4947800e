import type { Variable } from '../../apis/kubernetes/shapes/admissionregistrationV1.ts'
import { jsonValue, LazyObject } from '../../cel/values/jsonValues.ts'
import type { CompiledExpression, Variables } from '../../cel/library.ts'
import { messageOf } from '../../meta/messageOf.ts'
import type { ApiObject } from '../../meta/types.ts'
import { memo } from '../../meta/collections/memo.ts'

/** Maximum total cost of the expressions of a scope. */
const mostSpent = 10_000_000
const exceeded = 'operation cancelled: actual cost limit exceeded'

/** Error for a policy whose expressions exceed the cost limit in total. */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run'

export interface ScopeOptions {
  /** Variables of the request. */
  base: Variables
  /** Parameter; null: none. */
  param: ApiObject | null
  /** Named expressions of the policy. */
  variables: readonly Variable[]
  compiled: (expression: string) => CompiledExpression
}

/** Variables of a policy's expressions for one request and parameter, and their shared cost limit. */
export class ExpressionScope {
  readonly values: Variables
  readonly #options: ScopeOptions
  #left = mostSpent

  constructor(options: ScopeOptions) {
    const { base, param } = options
    this.#options = options
    const composed = this.#composed()
    this.values = new Map([
      ...base,
      ['params', memo(() => jsonValue(param))],
      ['variables', () => composed],
    ])
  }

  get isSpent(): boolean {
    return this.#left < 0
  }

  /**
   * Evaluates an expression. @throws Error with the evaluator's message, and one of `outOfBudget`.
   */
  evaluate(compiled: CompiledExpression): unknown {
    try {
      return compiled.evaluate(this.values)
    } finally {
      this.#left -= compiled.spent
      if (this.#left < 0) throw new Error(outOfBudget)
    }
  }

  /** Variables, each evaluated on first use. */
  #composed(): LazyObject {
    const { variables, compiled } = this.#options
    const made = new Map<string, () => unknown>()
    for (const { name = '', expression = '' } of variables) {
      const value = memo(() => {
        try {
          return this.evaluate(compiled(expression))
        } catch (error) {
          const why = messageOf(error)
          if (why.startsWith(exceeded) || why === outOfBudget) throw error
          throw new Error(`composited variable "${name}" fails to evaluate: ${why}`, {
            cause: error,
          })
        }
      })
      made.set(name, value)
    }
    return new LazyObject(made)
  }
}
