import type { Validation } from '../../apis/kubernetes/shapes/admissionregistrationV1.ts'
import type { Variables } from '../../cel/library.ts'
import { messageOf } from '../../meta/messageOf.ts'
import type { ApiObject } from '../../meta/types.ts'
import { inSteps, type Steps } from '../../meta/waiting/steps.ts'
import { ExpressionScope, outOfBudget } from './expressionScope.ts'
import type { ReadPolicy } from './registeredPolicies.ts'

/** A validation that failed or could not be evaluated. */
export interface Failure {
  message: string
  reason: string
  expressionIndex: number
  /** True if the error is caused by the policy itself, not by a binding. */
  isOfPolicy?: boolean
}

export interface Evaluated {
  failures: Failure[]
  /** Values of the audit annotations, by key. */
  annotations: [key: string, value: string][]
}

const longestMessage = 5 * 1024

/** Evaluates a policy for one parameter. @param base variables of the request. */
export class PolicyEvaluation {
  readonly #policy: ReadPolicy
  readonly #scope: ExpressionScope

  constructor(policy: ReadPolicy, base: Variables, param: ApiObject | null) {
    this.#policy = policy
    const { variables = [] } = policy.spec
    this.#scope = new ExpressionScope({ base, param, variables, compiled: policy.compiled })
  }

  /** Variables of match conditions. */
  get values(): Variables {
    return this.#scope.values
  }

  /** Evaluates the validations and audit annotations, one per step. */
  *steps(): Steps<Evaluated> {
    const { validations = [], auditAnnotations = [] } = this.#policy.spec
    const failures: Failure[] = []
    for (const [index, validation] of validations.entries()) {
      const failure = this.#failure(validation, index)
      if (failure !== undefined) failures.push(failure)
      if (this.#scope.isSpent) return { failures, annotations: [] }
      yield
    }
    const annotations = yield* inSteps(
      auditAnnotations,
      ({ key = '', valueExpression = '' }): [string, string][] => {
        const value = this.#evaluate(valueExpression)
        if (value === null || typeof value !== 'string' || value.trim() === '') return []
        return [[key, value.trim()]]
      },
    )
    return { failures, annotations: annotations.flat() }
  }

  #failure(validation: Validation, expressionIndex: number): Failure | undefined {
    const { expression = '', reason = '' } = validation
    try {
      if (this.#evaluate(expression) === true) return undefined
    } catch (error) {
      const why = messageOf(error)
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
    return this.#scope.evaluate(this.#policy.compiled(expression))
  }
}
