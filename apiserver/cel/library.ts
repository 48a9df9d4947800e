import type { JsonSchemaProps, ValidationRule } from '../meta/jsonSchemaProps.ts'
import { messageOf } from '../meta/messageOf.ts'
import type { Schema } from '../meta/schema.ts'
import { estimatedCost } from './cost/estimate.ts'
import { CostMeter } from './cost/meter.ts'
import { planned } from './evaluation/plan.ts'
import { CostExceeded } from './values/costExceeded.ts'
import type { Expr } from './syntax/expr.ts'
import { literalProblems } from './syntax/literals.ts'
import { parsed } from './syntax/parser.ts'
import { CompilationError } from './syntax/sourceErrors.ts'
import { check, type CheckedExpr } from './types/checking.ts'
import { SchemaTypes, type SchemaType } from './types/schemaTypes.ts'
import { noPatchTypes, type PatchTypes } from './types/patchTypes.ts'
import { dyn, optionalOf, type CelType } from './types/types.ts'
import { Optional } from './values/scalars.ts'
import { toCel } from './values/schemaValues.ts'
import { chargedVisits } from './values/visits.ts'

/**
 * Compiled rule. Both methods throw an Error with the evaluator's message, for example for a
 * missing key or a division by zero.
 */
export interface CompiledRule {
  usesOldSelf: boolean
  /** Reports whether the rule holds. `self` and `oldSelf` are results of toCel(). */
  holds(self: unknown, oldSelf: unknown): boolean
  /** Result of the messageExpression; undefined: none, or it failed. */
  message(self: unknown, oldSelf: unknown): string | undefined
  /** Cost of the last evaluation of either expression. */
  readonly spent: number
}

type Expression = (values: [string, unknown][]) => unknown

/** Maximum cost of one evaluation. */
const mostSpent = 1_000_000

/** Common Expression Language with the extensions of kube-apiserver. */
export class CelLibrary {
  /** Value converted for use in rules. */
  valueOf(value: unknown, schema: Schema): unknown {
    return toCel(value, schema)
  }

  /** Creates a checker for the rules of a schema at any position in it. */
  checkerOf(root: JsonSchemaProps): RuleChecker {
    return new RuleChecker(root)
  }

  /**
   * Type of an expression whose variables have the given types. @throws Error for an invalid
   * expression.
   */
  typeOf(
    source: string,
    variables: ReadonlyMap<string, CelType>,
    structs: PatchTypes = noPatchTypes,
  ): CelType {
    const checked = checkedSource(source, parsed(source), variables, structs)
    const problems = literalProblems(checked)
    if (problems.length > 0) throw new CompilationError(source, problems)
    return checked.typeOf(checked.root)
  }

  /**
   * Compiles an expression over variables of any type. An evaluation costs at most `limit`.
   * @throws Error for an invalid expression.
   */
  expression(
    source: string,
    variables: readonly string[],
    { limit = mostSpent, structs = noPatchTypes }: ExpressionOptions = {},
  ): CompiledExpression {
    const meter = new CostMeter(limit)
    const root = parsed(source)
    checkedSource(source, root, new Map(variables.map((name) => [name, dyn])), structs)
    const run = planned(root, meter)
    // Some variables are expensive, so only those named in the expression are computed.
    const named = variables.filter((name) => mentions(root, name))
    return {
      evaluate: (values) => {
        meter.reset()
        return chargedVisits(
          () => run(named.map((name) => [name, values.get(name)?.()])),
          (parts) => meter.add(parts),
        )
      },
      get spent() {
        return meter.spent
      },
    }
  }

  /** Compiles a rule. @throws Error for invalid syntax, an unknown function or a wrong type. */
  compile(rule: ValidationRule): CompiledRule {
    const isOptional = rule.optionalOldSelf === true
    const meter = new CostMeter(mostSpent)
    const { expression: holds, root } = compiled(rule.rule, meter, isOptional)
    const { messageExpression } = rule
    const text =
      messageExpression === undefined
        ? undefined
        : ofMessage(() => compiled(messageExpression, meter, isOptional).expression)
    const variables = (self: unknown, oldSelf: unknown): [string, unknown][] => {
      if (isOptional)
        return [
          ['self', self],
          ['oldSelf', oldSelf === undefined ? Optional.none : Optional.of(oldSelf)],
        ]
      return [
        ['self', self],
        ...(oldSelf === undefined ? [] : [['oldSelf', oldSelf] as [string, unknown]]),
      ]
    }
    return {
      usesOldSelf: mentions(root, 'oldSelf'),
      holds: (self, oldSelf) => holds(variables(self, oldSelf)) === true,
      message: (self, oldSelf) => textOf(text, variables(self, oldSelf)),
      get spent() {
        return meter.spent
      },
    }
  }
}

/** Limits and types of an expression. */
export interface ExpressionOptions {
  /** Maximum cost of one evaluation. Default: 1,000,000. */
  limit?: number | undefined
  /** Named types that the expression may create. Default: none. */
  structs?: PatchTypes | undefined
}

/** Variables by name; each is computed only when an expression uses it. */
export type Variables = ReadonlyMap<string, () => unknown>

/** A compiled expression over variables of any type. */
export interface CompiledExpression {
  /** The value of the expression. @throws Error with the evaluator's message. */
  evaluate(variables: Variables): unknown
  /** Cost of the last evaluation. */
  readonly spent: number
}

/** Estimated maximum costs of a rule and its message; undefined: no message. */
export interface RuleCost {
  rule: bigint
  message: bigint | undefined
}

/** Checks rules against the types of a schema. */
export class RuleChecker {
  readonly #types: SchemaTypes

  constructor(root: JsonSchemaProps) {
    this.#types = new SchemaTypes(root)
  }

  /** Type of a part of the schema; undefined: rules cannot access such values. */
  typeAt(at: JsonSchemaProps): SchemaType | undefined {
    return this.#types.of(at)
  }

  /** Checks a rule at a position in the schema. @throws Error with the type errors. */
  check(
    { rule, messageExpression, optionalOldSelf }: ValidationRule,
    at: JsonSchemaProps,
  ): RuleCost | undefined {
    const schema = this.typeAt(at)
    if (schema === undefined) return undefined
    const variables = variablesOf(schema.type, optionalOldSelf === true)
    const costOf = (source: string, type: 'bool' | 'string') => {
      const checked = checkedSource(source, parsed(source), variables)
      const problems = literalProblems(checked)
      if (problems.length > 0) throw new CompilationError(source, problems)
      if (checked.typeOf(checked.root).kind !== type)
        throw new Error(`cel expression must evaluate to a ${type}`)
      return estimatedCost(checked, schema)
    }
    const ruleCost = costOf(rule, 'bool')
    if (messageExpression === undefined) return { rule: ruleCost, message: undefined }
    return { rule: ruleCost, message: ofMessage(() => costOf(messageExpression, 'string')) }
  }
}

function variablesOf(type: CelType, isOptional: boolean): ReadonlyMap<string, CelType> {
  return new Map([
    ['self', type],
    ['oldSelf', isOptional ? optionalOf(type) : type],
  ])
}

/** Parsed and checked expression. @throws CompilationError with all type errors. */
function checkedSource(
  source: string,
  root: Expr,
  variables: ReadonlyMap<string, CelType>,
  structs: PatchTypes = noPatchTypes,
): CheckedExpr {
  const { checked, problems } = check(root, variables, structs)
  if (problems.length > 0) throw new CompilationError(source, problems)
  return checked
}

function mentions(expr: Expr, name: string): boolean {
  if (expr.is === 'name') return expr.name.replace(/^\./, '') === name
  const parts =
    expr.is === 'struct'
      ? expr.fields.map(({ value }) => value)
      : (Object.values(expr).flat(2) as unknown[])
  return parts.some(
    (part) =>
      typeof part === 'object' && part !== null && 'is' in part && mentions(part as Expr, name),
  )
}

/** Maximum length of a message in bytes. */
const longestMessage = 5 * 1024

/**
 * Result of a message expression. If it fails, the rule's own message is used, unless the cost
 * limit was exceeded.
 */
function textOf(text: Expression | undefined, values: [string, unknown][]): string | undefined {
  if (text === undefined) return undefined
  try {
    const made = String(text(values)).trim()
    const isRight = made !== '' && !made.includes('\n') && Buffer.byteLength(made) <= longestMessage
    return isRight ? made : undefined
  } catch (error) {
    if (error instanceof CostExceeded) throw error
    return undefined
  }
}

/**
 * Compiles an expression. Types are only checked as far as they are known without a schema, so that
 * no expression of an existing definition is refused.
 */
function compiled(
  source: string,
  meter: CostMeter,
  isOptional: boolean,
): { expression: Expression; root: Expr } {
  const root = parsed(source)
  checkedSource(source, root, variablesOf(dyn, isOptional))
  const run = planned(root, meter)
  const expression: Expression = (values) => {
    meter.reset()
    return chargedVisits(
      () => run(values),
      (parts) => meter.add(parts),
    )
  }
  return { expression, root }
}

/** Error in a message expression. */
export class MessageExpressionError extends Error {}

/** Marks errors as errors of a message expression. */
function ofMessage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const why = messageOf(error)
    const text = why.replace(/^(?:cel expression )?/, 'messageExpression ')
    throw new MessageExpressionError(text, { cause: error })
  }
}
