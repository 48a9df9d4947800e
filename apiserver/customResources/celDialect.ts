import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { patternOf } from '../registry/goPattern.ts'

/** Two words of the language mean less in the library than in Kubernetes: has() takes no index below the field, and
 *  matches() reads JavaScript's regular expressions. Rules use names of ours for them, which nobody sees. */
const ours: Readonly<Record<string, string>> = { has: 'hasField', matches: 'matchesRe2' }

// Texts come first: what stands in them is no word.
const textOrWord =
  /r?"""[^]*?"""|r?'''[^]*?'''|r"[^"]*"|r'[^']*'|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\b(has|matches)(?=\s*\()/g

/** The source of a rule as the library is to read it. */
export function toLibrary(source: string): string {
  return source.replace(textOrWord, (token, word?: string) => (word && ours[word]) ?? token)
}

/** What the library says, in the words of the rule's author. */
export function fromLibrary(text: string): string {
  return Object.entries(ours).reduce((told, [theirs, own]) => told.replaceAll(own, theirs), text)
}

export function registerDialect(environment: Environment): void {
  const fits = (text: string, pattern: string) => patternOf(pattern).test(text)
  environment.registerFunction(`string.${ours['matches'] ?? ''}(string): bool`, fits)
  environment.registerFunction(`${ours['matches'] ?? ''}(string, string): bool`, fits)
  environment.registerFunction(`${ours['has'] ?? ''}(ast): bool`, hasField)
}

/** What the library hands to a macro; it has no types for it. */
interface Checker {
  check(node: ASTNode, context: unknown): unknown
  getType(name: string): unknown
}

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown
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
