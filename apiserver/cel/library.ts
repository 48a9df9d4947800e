import type { Environment } from '@marcbachmann/cel-js'
import type { JsonSchemaProps, ValidationRule } from '../meta/jsonSchemaProps.ts'
import type { Schema } from '../meta/schema.ts'
import { durationNanoseconds } from '../registry/formats/durationFormat.ts'
import { registerDialect, registerOver, toLibrary } from './syntax/dialect.ts'
import { registerAddresses } from './functions/addresses.ts'
import { registerAuthorizer } from './functions/authorizer.ts'
import { check } from './types/checking.ts'
import { estimatedCost } from './cost/estimate.ts'
import { expressionOf } from './syntax/expressions.ts'
import { checkLiterals } from './syntax/literals.ts'
import { registerFormats } from './functions/formats.ts'
import { listMethods, registerFunctions } from './functions/listMethods.ts'
import { registerLists } from './functions/lists.ts'
import { CostMeter } from './cost/meter.ts'
import { metered } from './cost/metering.ts'
import { registerOptionals, type Optionals } from './functions/optionals.ts'
import { registerPairLoops, registerSorting } from './functions/twoVariableComprehensions.ts'
import { registerQuantities } from './functions/quantities.ts'
import { registerTexts, textMethods } from './functions/strings.ts'
import { SchemaTypes, type SchemaType } from './types/schemaTypes.ts'
import { optionalOf, type CelType } from './types/types.ts'
import { registerUrls } from './functions/urls.ts'
import { toCel, type Durations } from './functions/values.ts'
import { registerVersions } from './functions/semver.ts'
import { compilationWords, evaluationWords } from './syntax/errorTexts.ts'

/** A rule that was read. Both throw an Error with the evaluator's sentence: a missing key, a division by zero. */
export interface CompiledRule {
  usesOldSelf: boolean
  /** Whether the rule holds. `self` and `oldSelf` are what toCel() makes. */
  holds(self: unknown, oldSelf: unknown): boolean
  /** The message that its messageExpression makes; undefined: it has none, or none could be made. */
  message(self: unknown, oldSelf: unknown): string | undefined
  /** What the last evaluation of either cost. */
  readonly spent: number
}

interface Loaded extends Optionals, Durations {
  base: Environment
  untyped: Variants
}

/** The variables that a rule may name. */
interface Variants {
  withOld: Environment
  withOptionalOld: Environment
  withoutOld: Environment
}

type Expression = (variables: object) => unknown

const limits = { maxAstNodes: 10_000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 1000 }

/** What one evaluation may cost. */
const mostSpent = 1_000_000

/** The Common Expression Language. It is loaded with the first rule: servers without one do not pay for it. */
export class CelLibrary {
  #loaded: Loaded | undefined

  get isLoaded(): boolean {
    return this.#loaded !== undefined
  }

  async load(): Promise<void> {
    if (this.#loaded !== undefined) return
    const { Environment, Optional } = await import('@marcbachmann/cel-js')
    const base = new Environment({
      enableOptionalTypes: true,
      homogeneousAggregateLiterals: false,
      limits,
    })
    const optionals = { some: (value: unknown) => Optional.of(value), none: Optional.none() }
    registerAll(base, optionals)
    this.#loaded = {
      ...optionals,
      durationOf: durationsOf(base),
      base,
      untyped: variants(base, 'dyn'),
    }
  }

  /** A value as rules see it. */
  valueOf(value: unknown, schema: Schema): unknown {
    return toCel(value, schema, this.#base())
  }

  /** Reads the rules of a schema, each at its part of it. */
  checkerOf(root: JsonSchemaProps): RuleChecker {
    return new RuleChecker(root, this.#base())
  }

  #base(): Loaded {
    if (this.#loaded === undefined)
      throw new Error('rules are compiled before their library is loaded')
    return this.#loaded
  }

  /** The type that an expression gives by those of its variables.
   *  @throws Error that says what is wrong with it. The library must be loaded. */
  typeOf(source: string, variables: ReadonlyMap<string, CelType>): CelType {
    const { base } = this.#base()
    const checked = check(expressionOf(parsed(base, source).ast), variables)
    checkLiterals(checked)
    return checked.typeOf(checked.root)
  }

  /** Reads an expression over variables of any type. One evaluation costs at most `limit`.
   *  @throws Error that says what cannot be read. The library must be loaded. */
  expression(source: string, variables: readonly string[], limit = mostSpent): CompiledExpression {
    const environment = this.#over(variables)
    const meter = new CostMeter(limit)
    const run = compiled(environment, source, undefined, meter)
    return {
      evaluate: (values) => run(values),
      get spent() {
        return meter.spent
      },
    }
  }

  #over(variables: readonly string[]): Environment {
    const key = variables.join()
    let environment = this.#environments.get(key)
    if (environment === undefined) {
      environment = this.#base().base.clone()
      for (const name of variables) environment.registerVariable(name, 'dyn')
      this.#environments.set(key, environment)
    }
    return environment
  }
  readonly #environments = new Map<string, Environment>()

  /** @throws Error that says what of the rule cannot be read: its syntax, a function that is not known, a type.
   *  The library must be loaded. */
  compile(rule: ValidationRule): CompiledRule {
    const loaded = this.#base()
    const isOptional = rule.optionalOldSelf === true
    const { untyped } = loaded
    const environment = isOptional ? untyped.withOptionalOld : untyped.withOld
    const meter = new CostMeter(mostSpent)
    const holds = compiled(environment, rule.rule, 'bool', meter)
    const { messageExpression } = rule
    const text = ofMessage(() =>
      messageExpression === undefined
        ? undefined
        : compiled(environment, messageExpression, 'string', meter),
    )
    const variables = (self: unknown, oldSelf: unknown) => {
      if (!isOptional) return { self, oldSelf: oldSelf ?? null }
      return { self, oldSelf: oldSelf === undefined ? loaded.none : loaded.some(oldSelf) }
    }
    return {
      usesOldSelf: !untyped.withoutOld.check(toLibrary(rule.rule)).valid,
      holds: (self, oldSelf) => holds(variables(self, oldSelf)) === true,
      message: (self, oldSelf) => textOf(text, variables(self, oldSelf), meter),
      get spent() {
        return meter.spent
      },
    }
  }
}

/** An expression that was read, over variables of any type. */
export interface CompiledExpression {
  /** What it gives. @throws Error with the evaluator's sentence. */
  evaluate(variables: object): unknown
  /** What the last evaluation cost. */
  readonly spent: number
}

/** What a rule and its message cost at most; undefined: it has no message. */
export interface RuleCost {
  rule: bigint
  message: bigint | undefined
}

/** Checks rules by the types of a schema. */
export class RuleChecker {
  readonly #types: SchemaTypes
  readonly #base: Environment

  constructor(root: JsonSchemaProps, { base }: Loaded) {
    this.#types = new SchemaTypes(root)
    this.#base = base
  }

  /** undefined: rules cannot see such values. */
  typeAt(at: JsonSchemaProps): SchemaType | undefined {
    return this.#types.of(at)
  }

  /** @throws Error that says what is wrong with the types of a rule at a part of the schema. */
  check(
    { rule, messageExpression, optionalOldSelf }: ValidationRule,
    at: JsonSchemaProps,
  ): RuleCost | undefined {
    const schema = this.typeAt(at)
    if (schema === undefined) return undefined
    const isOptional = optionalOldSelf === true
    const oldSelf = isOptional ? optionalOf(schema.type) : schema.type
    const variables = new Map([
      ['self', schema.type],
      ['oldSelf', oldSelf],
    ])
    const costOf = (source: string, type: 'bool' | 'string') => {
      const { ast } = parsed(this.#base, source)
      const checked = check(expressionOf(ast), variables)
      if (checked.typeOf(checked.root).kind !== type)
        throw new Error(`cel expression must evaluate to a ${type}`)
      checkLiterals(checked)
      return estimatedCost(checked, schema)
    }
    const ruleCost = costOf(rule, 'bool')
    if (messageExpression === undefined) return { rule: ruleCost, message: undefined }
    return { rule: ruleCost, message: ofMessage(() => costOf(messageExpression, 'string')) }
  }
}

function registerAll(base: Environment, optionals: Optionals): void {
  registerFunctions(base)
  registerDialect(base)
  registerOver(base, { ...textMethods, ...listMethods })
  registerTexts(base)
  registerLists(base)
  registerPairLoops(base)
  registerSorting(base)
  registerOptionals(base, optionals)
  registerFormats(base, optionals)
  registerUrls(base)
  registerAddresses(base)
  registerQuantities(base)
  registerVersions(base)
  registerAuthorizer(base)
}

/** The library has no other way to its durations. */
function durationsOf(base: Environment): (text: string) => unknown {
  const zero: unknown = base.parse("duration('0s')")()
  return (text) => {
    const nanoseconds = durationNanoseconds(text)
    if (nanoseconds === undefined || typeof zero !== 'object' || zero === null) return undefined
    const nanos = Number(nanoseconds % 1_000_000_000n)
    return Reflect.construct(zero.constructor, [nanoseconds / 1_000_000_000n, nanos]) as unknown
  }
}

function variants(base: Environment, type: string): Variants {
  const withoutOld = base.clone().registerVariable('self', type)
  return {
    withoutOld,
    withOld: withoutOld.clone().registerVariable('oldSelf', type),
    withOptionalOld: withoutOld.clone().registerVariable('oldSelf', `optional<${type}>`),
  }
}

/** Bytes of a message. */
const longestMessage = 5 * 1024

/** A message that cannot be made gives way to the rule's own, but for one that costs too much. */
function textOf(
  text: Expression | undefined,
  variables: object,
  meter: CostMeter,
): string | undefined {
  if (text === undefined) return undefined
  try {
    const made = String(text(variables)).trim()
    const isRight = made !== '' && !made.includes('\n') && Buffer.byteLength(made) <= longestMessage
    return isRight ? made : undefined
  } catch {
    meter.check()
    return undefined
  }
}

function compiled(
  environment: Environment,
  source: string,
  type: 'bool' | 'string' | undefined,
  meter: CostMeter,
): Expression {
  const expression = parsed(environment, source)
  checkType(expression, type)
  metered(expression.ast, meter)
  return (variables) => {
    meter.reset()
    try {
      const value: unknown = expression(variables)
      meter.check()
      return value
    } catch (error) {
      meter.check()
      throw new Error(evaluationWords(error), { cause: error })
    }
  }
}

/** `type` undefined: any. */
function checkType(
  expression: ReturnType<Environment['parse']>,
  type: 'bool' | 'string' | undefined,
): void {
  const found = expression.check()
  if (!found.valid) throw new Error(`compilation failed: ${compilationWords(found.error)}`)
  if (type !== undefined && found.type !== type && found.type !== 'dyn')
    throw new Error(`cel expression must evaluate to a ${type}`)
}

function parsed(environment: Environment, source: string): ReturnType<Environment['parse']> {
  try {
    return environment.parse(toLibrary(source))
  } catch (error) {
    throw new Error(`compilation failed: ${compilationWords(error)}`, { cause: error })
  }
}

/** What is wrong with the expression of a message. */
export class MessageExpressionError extends Error {}

/** Says of what is wrong that it is so with a message. */
function ofMessage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const text = why.replace(/^(?:cel expression )?/, 'messageExpression ')
    throw new MessageExpressionError(text, { cause: error })
  }
}
