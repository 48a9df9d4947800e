import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { patternOf } from '../registry/goPattern.ts'

/** Two words of the language mean less in the library than in Kubernetes: has() takes no index below the field, and
 *  matches() reads JavaScript's regular expressions. Names of ours stand for them, which nobody sees. */
const ours = { has: 'hasField', matches: 'matchesRe2' }

// Texts come first: what stands in them is no word.
const textOrWord =
  /r?"""[^]*?"""|r?'''[^]*?'''|r"[^"]*"|r'[^']*'|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\bhas(?=\s*\()/g

/** The source of a rule as the library is to read it. */
export function toLibrary(source: string): string {
  return source.replace(textOrWord, (token) => (token === 'has' ? ours.has : token))
}

/** What the library says, in the words of the rule's author. */
export function fromLibrary(text: string): string {
  return Object.entries(ours).reduce((told, [theirs, own]) => told.replaceAll(own, theirs), text)
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
interface Checker {
  check(node: ASTNode, context: unknown): unknown
  getType(name: string): unknown
}

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown
}

interface Call {
  ast: { meta: object; clone(operator: object, args: unknown[]): ASTNode }
  receiver: ASTNode
  args: ASTNode[]
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
      checker.check(of, context)
      return checker.getType('bool')
    },
    evaluate: (evaluator: Evaluator, _macro: unknown, context: unknown) => {
      const value = evaluator.run(of, context)
      return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    },
  }
}
