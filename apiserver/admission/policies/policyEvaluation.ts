import { jsonValue, LazyObject } from '../../cel/values/jsonValues.ts'
import type { Validation } from '../../apis/kubernetes/admissionregistration/policyShapes.ts'
import type { ApiObject } from '../../meta/types.ts'
import { memo } from '../memo.ts'
import type { ReadPolicy } from './registeredPolicies.ts'

/** A validation that does not hold, or could not be evaluated. */
export interface Failure {
  message: string
  reason: string
  expressionIndex: number
  /** No binding is named: the policy itself is at fault. */
  isOfPolicy?: boolean
}

export interface Evaluated {
  failures: Failure[]
  /** Values of the audit annotations, by key. */
  annotations: [key: string, value: string][]
}

/** Maximum cost of all expressions of a policy for one request. */
const mostSpent = 10_000_000
const longestMessage = 5 * 1024
const exceeded = 'operation cancelled: actual cost limit exceeded'
const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run'

/** Evaluates a policy for one parameter. `base` are the variables of the request. */
export class PolicyEvaluation {
  readonly #policy: ReadPolicy
  readonly #values: object
  #left = mostSpent

  constructor(policy: ReadPolicy, base: object, param: ApiObject | null) {
    this.#policy = policy
    const params = memo(() => jsonValue(param))
    const values = Object.create(null, {
      ...Object.getOwnPropertyDescriptors(base),
      params: { get: params, enumerable: true },
    }) as object
    this.#values = values
    Object.defineProperty(values, 'variables', { value: this.#variables(), enumerable: true })
  }

  /** The variables of match conditions. */
  get values(): object {
    return this.#values
  }

  run(): Evaluated {
    const { validations = [], auditAnnotations = [] } = this.#policy.spec
    const failures: Failure[] = []
    for (const [index, validation] of validations.entries()) {
      const failure = this.#failure(validation, index)
      if (failure !== undefined) failures.push(failure)
      if (this.#left < 0) return { failures, annotations: [] }
    }
    const annotations = auditAnnotations.flatMap(
      ({ key = '', valueExpression = '' }): [string, string][] => {
        const value = this.#evaluate(valueExpression)
        if (value === null || typeof value !== 'string' || value.trim() === '') return []
        return [[key, value.trim()]]
      },
    )
    return { failures, annotations }
  }

  #failure(validation: Validation, expressionIndex: number): Failure | undefined {
    const { expression = '', reason = '' } = validation
    try {
      if (this.#evaluate(expression) === true) return undefined
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const message =
        why === outOfBudget ? why : `expression '${expression.trim()}' resulted in error: ${why}`
      return { message, reason: '', expressionIndex }
    }
    return { message: this.#message(validation), reason, expressionIndex }
  }

  #message({ expression = '', message = '', messageExpression = '' }: Validation): string {
    const fallback =
      message.trim() === '' ? `failed expression: ${expression.trim()}` : message.trim()
    if (messageExpression === '') return fallback
    try {
      const made = String(this.#evaluate(messageExpression)).trim()
      const isRight =
        made !== '' && !/[\r\n]/.test(made) && Buffer.byteLength(made) <= longestMessage
      return isRight ? made : fallback
    } catch {
      return fallback
    }
  }

  #evaluate(expression: string): unknown {
    const compiled = this.#policy.compiled(expression)
    try {
      return compiled.evaluate(this.#values)
    } finally {
      this.#left -= compiled.spent
      if (this.#left < 0) throw new Error(outOfBudget)
    }
  }

  /** Each is evaluated when an expression first names it. */
  #variables(): LazyObject {
    const made = new Map<string, () => unknown>()
    for (const { name = '', expression = '' } of this.#policy.spec.variables ?? []) {
      const value = memo(() => {
        try {
          return this.#evaluate(expression)
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
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
