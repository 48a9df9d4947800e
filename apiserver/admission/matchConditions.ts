import type { MatchCondition } from '../apis/kubernetes/shapes/admissionregistrationV1.ts'
import { aggregateText } from '../meta/fieldErrors.ts'
import type { AdmissionExpressions } from '../cel/admissionExpressions.ts'
import type { CompiledExpression, Variables } from '../cel/library.ts'
import { jsonValue } from '../cel/values/jsonValues.ts'
import { messageOf } from '../meta/messageOf.ts'
import type { Steps } from '../meta/waiting/steps.ts'

interface ReadCondition {
  expression: string
  compiled: CompiledExpression
}

/** Result of match conditions: a false condition takes precedence over errors. */
export interface ConditionResult {
  matches: boolean
  /** Error for the evaluation; undefined: none. */
  error?: string
}

/** Match conditions of a webhook or a policy, compiled on first use. */
export class MatchConditions {
  readonly #conditions: readonly MatchCondition[]
  readonly #cel: AdmissionExpressions
  readonly #variables: readonly string[]
  #read: ReadCondition[] | undefined

  constructor(
    conditions: readonly MatchCondition[],
    cel: AdmissionExpressions,
    variables: readonly string[],
  ) {
    this.#conditions = conditions
    this.#cel = cel
    this.#variables = variables
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0
  }

  /** Evaluates the conditions, one in each step. @param variables values for expressions. */
  *steps(variables: () => Variables): Steps<ConditionResult> {
    if (this.isEmpty) return { matches: true }
    const values = variables()
    const errors: string[] = []
    for (const { expression, compiled } of this.#compiled()) {
      yield
      try {
        if (compiled.evaluate(values) !== true) return { matches: false }
      } catch (error) {
        const why = messageOf(error)
        errors.push(`expression '${expression}' resulted in error: ${why}`)
      }
    }
    if (errors.length === 0) return { matches: true }
    return {
      matches: false,
      error: aggregateText(errors),
    }
  }

  #compiled(): ReadCondition[] {
    return (this.#read ??= this.#conditions.map(({ expression = '' }) => ({
      expression,
      compiled: this.#cel.compile(expression, this.#variables),
    })))
  }
}

/** Namespace as a value for expressions, without transient fields. */
export function namespaceValue(namespace: object | undefined): unknown {
  if (namespace === undefined) return null
  const { metadata, spec, status } = namespace as Record<string, unknown>
  const {
    managedFields: _,
    ownerReferences: _owners,
    ...known
  } = (metadata ?? {}) as Record<string, unknown>
  return jsonValue({ metadata: known, spec: spec ?? {}, status: status ?? {} })
}
