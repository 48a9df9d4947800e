import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import type { ValidationRule } from './definition.ts'
import { fromLibrary, registerDialect, toLibrary } from './celDialect.ts'
import { registerFunctions } from './celFunctions.ts'

/** A rule that was read. Both throw an Error with the evaluator's sentence: a missing key, a division by zero. */
export interface CompiledRule {
  usesOldSelf: boolean
  /** Whether the rule holds. `self` and `oldSelf` are what toCel() makes. */
  holds(self: unknown, oldSelf: unknown): boolean
  /** The message that its messageExpression makes; undefined: it has none, or none could be made. */
  message(self: unknown, oldSelf: unknown): string | undefined
}

interface Loaded {
  withOld: Environment
  withOptionalOld: Environment
  withoutOld: Environment
  some(value: unknown): unknown
  none: unknown
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
    registerFunctions(base)
    registerDialect(base)
    const withoutOld = base.clone().registerVariable('self', 'dyn')
    const withOld = withoutOld.clone().registerVariable('oldSelf', 'dyn')
    const withOptionalOld = withoutOld.clone().registerVariable('oldSelf', 'optional<dyn>')
    const some = (value: unknown): unknown => Optional.of(value)
    this.#loaded = { withOld, withOptionalOld, withoutOld, some, none: Optional.none() }
  }

  /** @throws Error that says what of the rule cannot be read: its syntax, a function that is not known, a type.
   *  The library must be loaded. */
  compile(rule: ValidationRule): CompiledRule {
    const loaded = this.#loaded
    if (loaded === undefined) throw new Error('rules are compiled before their library is loaded')
    const isOptional = rule.optionalOldSelf === true
    const environment = isOptional ? loaded.withOptionalOld : loaded.withOld
    const holds = compiled(environment, rule.rule, 'bool')
    const { messageExpression } = rule
    const text =
      messageExpression === undefined
        ? undefined
        : compiled(environment, messageExpression, 'string')
    const variables = (self: unknown, oldSelf: unknown) => {
      if (!isOptional) return { self, oldSelf: oldSelf ?? null }
      return { self, oldSelf: oldSelf === undefined ? loaded.none : loaded.some(oldSelf) }
    }
    return {
      usesOldSelf: !loaded.withoutOld.check(toLibrary(rule.rule)).valid,
      holds: (self, oldSelf) => holds(variables(self, oldSelf)) === true,
      message: (self, oldSelf) => textOf(text, variables(self, oldSelf)),
    }
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
  const found = expression.check()
  if (!found.valid) throw new Error(firstLine(found.error))
  if (found.type !== type && found.type !== 'dyn') throw new Error(`must evaluate to a ${type}`)
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

function parsed(environment: Environment, source: string): ReturnType<Environment['parse']> {
  try {
    return environment.parse(toLibrary(source))
  } catch (error) {
    throw new Error(firstLine(error), { cause: error })
  }
}

/** Further lines show the place in the source. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return fromLibrary(text.split('\n')[0] ?? '')
}

const loops = ['all', 'exists', 'exists_one', 'map', 'filter']

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
