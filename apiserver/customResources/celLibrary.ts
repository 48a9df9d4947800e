import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import type { JsonSchemaProps, ValidationRule } from './definition.ts'
import type { Schema } from '../meta/schema.ts'
import { patternOf } from '../registry/goPattern.ts'
import { durationNanoseconds } from '../registry/durationFormat.ts'
import { fromLibrary, registerDialect, registerOver, toLibrary } from './celDialect.ts'
import { registerAddresses } from './celAddresses.ts'
import { registerFormats } from './celFormats.ts'
import { listMethods, registerFunctions } from './celFunctions.ts'
import { registerLists } from './celLists.ts'
import { registerOptionals, type Optionals } from './celOptionals.ts'
import { registerPairLoops, registerSorting } from './celPairLoops.ts'
import { registerQuantities } from './celQuantities.ts'
import { registerTexts, textMethods } from './celTexts.ts'
import { DeclaredTypes, TooManyTypesError } from './celTypes.ts'
import { registerUrls } from './celUrls.ts'
import { toCel, type Durations } from './celValues.ts'
import { registerVersions } from './celVersions.ts'

/** A rule that was read. Both throw an Error with the evaluator's sentence: a missing key, a division by zero. */
export interface CompiledRule {
  usesOldSelf: boolean
  /** Whether the rule holds. `self` and `oldSelf` are what toCel() makes. */
  holds(self: unknown, oldSelf: unknown): boolean
  /** The message that its messageExpression makes; undefined: it has none, or none could be made. */
  message(self: unknown, oldSelf: unknown): string | undefined
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

/** Steps that one evaluation may take: about a second. */
const mostSteps = 10_000_000

/** The Common Expression Language. It is loaded with the first rule: servers without one do not pay for it. */
export class CelLibrary {
  #loaded: Loaded | undefined

  get isLoaded(): boolean {
    return this.#loaded !== undefined
  }

  async load(): Promise<void> {
    if (this.#loaded !== undefined) return
    const { Environment, Optional } = await import('@marcbachmann/cel-js')
    const base = new Environment({ enableOptionalTypes: true, limits })
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

  /** @throws Error that says what of the rule cannot be read: its syntax, a function that is not known, a type.
   *  The library must be loaded. */
  compile(rule: ValidationRule): CompiledRule {
    const loaded = this.#base()
    const isOptional = rule.optionalOldSelf === true
    const { untyped } = loaded
    const environment = isOptional ? untyped.withOptionalOld : untyped.withOld
    const holds = compiled(environment, rule.rule, 'bool')
    const { messageExpression } = rule
    const text = ofMessage(() =>
      messageExpression === undefined
        ? undefined
        : compiled(environment, messageExpression, 'string'),
    )
    const variables = (self: unknown, oldSelf: unknown) => {
      if (!isOptional) return { self, oldSelf: oldSelf ?? null }
      return { self, oldSelf: oldSelf === undefined ? loaded.none : loaded.some(oldSelf) }
    }
    return {
      usesOldSelf: !untyped.withoutOld.check(toLibrary(rule.rule)).valid,
      holds: (self, oldSelf) => holds(variables(self, oldSelf)) === true,
      message: (self, oldSelf) => textOf(text, variables(self, oldSelf)),
    }
  }
}

/** Checks rules by the types of a schema. */
export class RuleChecker {
  readonly #root: JsonSchemaProps
  readonly #base: Environment
  /** The variables of the last place and what was mentioned there: neighbours often mention the same. */
  #last: { at: JsonSchemaProps; mentioned: string; found: Variants | undefined } | undefined

  constructor(root: JsonSchemaProps, { base }: Loaded) {
    this.#root = root
    this.#base = base
  }

  /** @throws Error that says what is wrong with the types of a rule at a part of the schema. */
  check({ rule, messageExpression, optionalOldSelf }: ValidationRule, at: JsonSchemaProps): void {
    const variants = this.#variantsOf(at, wordsOf(`${rule} ${messageExpression ?? ''}`))
    if (variants === undefined) return
    const environment = optionalOldSelf === true ? variants.withOptionalOld : variants.withOld
    const expression = parsed(environment, rule)
    checkType(expression, 'bool')
    checkLiterals(expression.ast)
    if (messageExpression === undefined) return
    ofMessage(() => {
      checkType(parsed(environment, messageExpression), 'string')
    })
  }

  /** undefined: nothing is known of the values there, or more is mentioned than can be declared. */
  #variantsOf(at: JsonSchemaProps, words: ReadonlySet<string>): Variants | undefined {
    const mentioned = [...words].join(' ')
    if (this.#last?.at === at && this.#last.mentioned === mentioned) return this.#last.found
    const found = this.#declared(at, words)
    this.#last = { at, mentioned, found }
    return found
  }

  #declared(at: JsonSchemaProps, words: ReadonlySet<string>): Variants | undefined {
    const environment = this.#base.clone()
    try {
      const types = new DeclaredTypes(environment, words)
      const name = types.nameOf(at, { isRoot: at === this.#root })
      return name === undefined ? undefined : variants(environment, name)
    } catch (error) {
      if (error instanceof TooManyTypesError) return undefined
      throw error
    }
  }
}

/** What could be the name of a field. */
function wordsOf(source: string): ReadonlySet<string> {
  return new Set(source.match(/[A-Za-z_]\w*/g))
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

/** A message that cannot be made gives way to the rule's own. */
function textOf(text: Expression | undefined, variables: object): string | undefined {
  if (text === undefined) return undefined
  try {
    const made = text(variables)
    return typeof made === 'string' && made.trim() !== '' && !made.includes('\n') ? made : undefined
  } catch {
    return undefined
  }
}

function compiled(environment: Environment, source: string, type: 'bool' | 'string'): Expression {
  const expression = parsed(environment, source)
  checkType(expression, type)
  const size = nodesOf(expression.ast)
  const depth = loopsOf(expression.ast)
  return (variables) => {
    if (size * longest(variables) ** depth > mostSteps) {
      throw new Error('operation cancelled: actual cost limit exceeded')
    }
    try {
      const value: unknown = expression(variables)
      return value
    } catch (error) {
      throw new Error(firstLine(error), { cause: error })
    }
  }
}

function checkType(expression: ReturnType<Environment['parse']>, type: 'bool' | 'string'): void {
  const found = expression.check()
  if (!found.valid) throw new Error(`compilation failed: ${firstLine(found.error)}`)
  if (found.type !== type && found.type !== 'dyn')
    throw new Error(`cel expression must evaluate to a ${type}`)
}

/** @throws Error for a pattern that cannot be read. */
function checkLiterals(node: ASTNode): void {
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    const [pattern] = node.args[2]
    if (pattern?.op === 'value' && typeof pattern.args === 'string') checkPattern(pattern.args)
  }
  partsOf(node).forEach(checkLiterals)
}

function checkPattern(pattern: string): void {
  try {
    patternOf(pattern)
  } catch (error) {
    throw new Error('compilation failed: invalid matches argument', { cause: error })
  }
}

function parsed(environment: Environment, source: string): ReturnType<Environment['parse']> {
  try {
    return environment.parse(toLibrary(source))
  } catch (error) {
    throw new Error(`compilation failed: ${firstLine(error)}`, { cause: error })
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

/** Further lines show the place in the source. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return fromLibrary(text.split('\n')[0] ?? '')
    .replace(/^No such key: index out of bounds, index (-?\d+).*/, 'index out of bounds: $1')
    .replace(/^No such key/, 'no such key')
}

const loops = [
  ...['all', 'exists', 'exists_one', 'existsOne', 'map', 'filter'],
  ...['transformList', 'transformMap', 'transformMapEntry', 'sortBy'],
]

function partsOf({ args }: ASTNode): ASTNode[] {
  return [args].flat(3).filter(isNode)
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}

function nodesOf(node: ASTNode): number {
  return partsOf(node).reduce((sum, part) => sum + nodesOf(part), 1)
}

/** How deep loops stand in each other. */
function loopsOf(node: ASTNode): number {
  const depth = Math.max(0, ...partsOf(node).map(loopsOf))
  return node.op === 'rcall' && loops.includes(node.args[0]) ? depth + 1 : depth
}

/** The length of the longest list or map in a value. */
function longest(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const parts: unknown[] = value instanceof Map ? [...value.values()] : Object.values(value)
  return parts.reduce<number>(
    (most, part) => Math.max(most, longest(part)),
    Math.max(1, parts.length),
  )
}
