import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { registerHandlers, type Handlers } from '../functions/handlers.ts'
import { patternOf } from '../../registry/formats/goPattern.ts'

/** Some words of the language mean less in the library than in Kubernetes: has() takes no index below the field,
 *  matches() reads JavaScript's regular expressions, and texts are counted in units of UTF-16. Names of ours stand for
 *  them, which nobody sees. */
const ours = { has: 'hasField', matches: 'matchesRe2' }

const suffix = 'OfOurs'

// Texts come first: what stands in them is no word.
const textOrWord =
  /r?"""[^]*?"""|r?'''[^]*?'''|r"[^"]*"|r'[^']*'|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\bhas(?=\s*\()/g

/** The source of a rule as the library is to read it. */
export function toLibrary(source: string): string {
  return source.replace(textOrWord, (token) => (token === 'has' ? ours.has : token))
}

/** What the library says, in the words of the rule's author. */
export function fromLibrary(text: string): string {
  return Object.entries(ours)
    .reduce((told, [theirs, own]) => told.replaceAll(own, theirs), text)
    .replaceAll(suffix, '')
}

export function registerDialect(environment: Environment): void {
  const fits = (text: string, pattern: string) => patternOf(pattern).test(text)
  environment.registerFunction('matches(string, string): bool', fits)
  environment.registerFunction(`string.${ours.matches}(string): bool`, fits)
  // The library's own function cannot be replaced; but what is said of a part of the syntax goes before all functions of
  // a name, whatever they are called on.
  environment.registerFunction('bool.matches(ast): bool', callOurMatches)
  environment.registerFunction(`${ours.has}(ast): bool`, hasField)
}

/** What the library hands to macros; it has no types for it. */
export interface Checker {
  check(node: ASTNode, context: unknown): DeclaredType
  getType(name: string): DeclaredType
  registry: {
    getListType(of: DeclaredType): DeclaredType
    getMapType(key: DeclaredType, value: DeclaredType): DeclaredType
    getOptionalType(of: DeclaredType): DeclaredType
  }
}

export interface DeclaredType {
  kind: string
  keyType?: DeclaredType
  valueType?: DeclaredType
}

export interface Evaluator {
  run(node: ASTNode, context: unknown): unknown
}

/** The variables at a place in an expression. */
export interface Variables {
  forkWithVariable(name: string, type: DeclaredType): Variables
  /** The same at another evaluation. */
  reuse(parent: Variables): Variables
  setIterValue(value: unknown, evaluator: Evaluator): Variables
}

interface Call {
  ast: { meta: object; clone(operator: object, args: unknown[]): ASTNode }
  receiver: ASTNode
  args: ASTNode[]
}

/** Methods in place of those of the library, by their signatures.
 *  The library's own cannot be replaced; but what is said of a part of the syntax goes before all functions of a name,
 *  whatever they are called on. */
export function registerOver(environment: Environment, handlers: Handlers): void {
  const calls = new Map<string, string>()
  for (const [signature, handler] of Object.entries(handlers)) {
    const [, of = '', name = '', parameters = '', result = ''] =
      /^(.+)\.(\w+)\((.*)\): (.+)$/.exec(signature) ?? []
    registerHandlers(environment, { [`${of}.${name}${suffix}(${parameters}): ${result}`]: handler })
    const places = parameters === '' ? '' : parameters.replaceAll(/[^,]+/g, 'ast')
    if (places !== '') calls.set(`bool.${name}(${places}): bool`, `${name}${suffix}`)
  }
  for (const [signature, name] of calls) {
    environment.registerFunction(signature, ({ ast, receiver, args }: Call) => ({
      callAst: ast.clone({ name: 'rcall', ...ast.meta }, [name, receiver, args]),
    }))
  }
}

function callOurMatches({ ast, receiver, args }: Call): object {
  return { callAst: ast.clone({ name: 'rcall', ...ast.meta }, [ours.matches, receiver, args]) }
}

function hasField({ args: [node] }: { args: [ASTNode] }): object {
  if (node.op !== '.') throw new Error('has() invalid argument')
  const [of, name] = node.args
  return {
    async: false,
    typeCheck: (checker: Checker, _macro: unknown, context: unknown) => {
      checker.check(node, context)
      return checker.getType('bool')
    },
    evaluate: (evaluator: Evaluator, _macro: unknown, context: unknown) => {
      const value = evaluator.run(of, context)
      if (value instanceof Map) return value.has(name)
      return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    },
  }
}
