import { messageOf } from '../../meta/messageOf.ts'
import { expected } from './expectedTokens.ts'
import { call, literal, name, select, type Expr, type StructField } from './expr.ts'
import { finite, integer, unsigned } from './numbers.ts'
import { macros, type MacroError } from './macros.ts'
import { CompilationError } from './sourceErrors.ts'
import { beginnings, SyntaxProblem, TokenReader } from './tokenReader.ts'
import { bytesOf, stringOf } from './unescape.ts'

/** Maximum nesting of parentheses, calls and lists. */
const mostDepth = 250
/** Maximum number of parts after macros are expanded, which may copy a part twice. */
const mostParts = 100_000
const mostCharacters = 100_000

/**
 * Parses an expression.
 * @throws CompilationError with all syntax errors. Source: the language's definition, "Syntax"; messages of
 * kube-apiserver 1.37.2.
 */
export function parsed(source: string): Expr {
  return new Parser(new TokenReader(source)).whole()
}

/** Binary operators by precedence. */
const relations = ['<', '<=', '>=', '>', '==', '!=', 'in']
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  relations,
  ['+', '-'],
  ['*', '/', '%'],
]

const reserved = new Set([
  ...['as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let'],
  ...['loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
])

class Parser {
  readonly #tokens: TokenReader
  #depth = 0
  #parts = 0

  constructor(tokens: TokenReader) {
    this.#tokens = tokens
  }

  whole(): Expr {
    const length = [...this.#tokens.source].length
    if (length > mostCharacters) {
      const text = `expression code point size exceeds limit: size: ${length}, limit ${mostCharacters}`
      throw new CompilationError('', [{ at: 0, text }])
    }
    let found: Expr = literal(null)
    try {
      found = this.#expression()
      this.#tokens.expectEnd()
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error
      this.#tokens.problems.push({ at: error.at, text: error.message })
    }
    if (this.#tokens.problems.length > 0)
      throw new CompilationError(this.#tokens.source, this.#tokens.problems)
    return found
  }

  #counted<E extends Expr>(expr: E): E {
    this.#parts++
    if (this.#parts > mostParts)
      throw new CompilationError(this.#tokens.source, [{ at: 0, text: 'expression is too large' }])
    return expr
  }

  #call(of: string, args: readonly Expr[], { at, target }: { at: number; target?: Expr }): Expr {
    return this.#counted({ ...call(of, args, target), at })
  }

  #expression(): Expr {
    if (++this.#depth > mostDepth) {
      const text = `expression recursion limit exceeded: ${mostDepth}`
      throw new CompilationError(this.#tokens.source, [{ at: 0, text }])
    }
    const condition = this.#binary(0)
    let found = condition
    if (this.#tokens.sees('?')) {
      const { at } = this.#tokens.take()
      const then = this.#binary(0)
      this.#tokens.expect(':')
      found = this.#call('_?_:_', [condition, then, this.#expression()], { at })
    }
    this.#depth--
    return found
  }

  #binary(level: number): Expr {
    const operators = levels[level]
    if (operators === undefined) return this.#unary()
    let left = this.#binary(level + 1)
    for (;;) {
      const operator = operators.find((one) => this.#tokens.sees(one))
      if (operator === undefined) return left
      const { at } = this.#tokens.take()
      const right = this.#binary(level + 1)
      left = this.#call(operator === 'in' ? '@in' : `_${operator}_`, [left, right], { at })
    }
  }

  /**
   * Parses a unary operator. Two of the same sign cancel out; the sign of a number is part of it.
   */
  #unary(): Expr {
    for (const sign of ['!', '-']) {
      if (!this.#tokens.sees(sign)) continue
      const { at } = this.#tokens.current
      if (sign === '-' && this.#tokens.isNumberNext()) return this.#member()
      let count = 0
      while (this.#tokens.skips(sign)) count++
      const of = this.#member()
      return count % 2 === 0 ? of : this.#call(`${sign}_`, [of], { at })
    }
    return this.#member()
  }

  #member(): Expr {
    let found = this.#primary()
    for (;;) {
      if (this.#tokens.sees('.')) found = this.#selected(found)
      else if (this.#tokens.sees('[')) found = this.#indexed(found)
      else return found
    }
  }

  #selected(of: Expr): Expr {
    const { at } = this.#tokens.take()
    const isOptional = this.#tokens.skips('?')
    if (!isOptional && !this.#tokens.isField()) return this.#withoutName(at)
    const field = this.#tokens.field()
    if (isOptional) return this.#call('_?._', [of, literal(field.text, field.at)], { at })
    if (field.kind === 'name' && this.#tokens.sees('(')) {
      const open = this.#tokens.take()
      return this.#method(field.text, of, this.#arguments(')'), open.at)
    }
    return this.#counted({ ...select(of, field.text), at })
  }

  /** Refuses the current token, where the dot at `dotAt` requires an identifier. */
  #withoutName(dotAt: number): Expr {
    const { at, text, kind } = this.#tokens.current
    if (kind === 'word' && text !== 'in')
      throw new SyntaxProblem(at, `mismatched input '${text}' expecting IDENTIFIER`)
    const length = kind === 'end' ? 0 : [...text].length
    const words = [...this.#tokens.source].slice(dotAt, at + length).join('')
    const problem = `no viable alternative at input '${words}'`
    if (this.#isOperator()) return this.#missing(problem)
    throw new SyntaxProblem(at, problem)
  }

  #indexed(of: Expr): Expr {
    const { at } = this.#tokens.take()
    this.#tokens.refuseEnd(expected(['?']))
    const isOptional = this.#tokens.skips('?')
    const index = this.#expression()
    this.#tokens.expect(']')
    return this.#call(isOptional ? '_[?_]' : '_[_]', [of, index], { at })
  }

  #arguments(end: string): Expr[] {
    const found: Expr[] = []
    this.#tokens.refuseEnd(expected([end]))
    while (!this.#tokens.sees(end)) {
      found.push(this.#expression())
      if (!this.#tokens.skips(',')) break
      if (this.#tokens.sees(end)) this.#tokens.refuse()
    }
    this.#tokens.expect(end)
    return found
  }

  #method(of: string, target: Expr, args: readonly Expr[], at: number): Expr {
    const macro = macros[`${of}/${args.length}`]
    if (macro === undefined) return this.#call(of, args, { at, target })
    const made = macro({ receiver: target, args, at })
    return 'problem' in made ? this.#failed(made) : this.#counted(made)
  }

  #failed({ problem, at }: MacroError): Expr {
    this.#tokens.problems.push({ at, text: problem })
    return literal(null)
  }

  #isOperator(): boolean {
    return levels.some((operators) => operators.some((one) => this.#tokens.sees(one)))
  }

  /** Reports that a value is missing before the current operator, where parsing continues. */
  #missing(words: string): Expr {
    this.#tokens.problems.push({ at: this.#tokens.current.at, text: `Syntax error: ${words}` })
    return literal(null)
  }

  #primary(): Expr {
    const token = this.#tokens.current
    if (this.#tokens.skips('(')) {
      const found = this.#expression()
      this.#tokens.expect(')')
      return found
    }
    if (this.#tokens.sees('[')) return this.#list()
    if (this.#tokens.sees('{')) return this.#map()
    if (this.#isOperator() && !this.#tokens.isBeforeBeginning())
      return this.#missing(`mismatched input '${token.text}' expecting ${beginnings}`)
    if (token.kind !== 'name' && !this.#tokens.sees('.')) return this.#literal()
    const type = this.#tokens.typeName()
    return type === undefined ? this.#named() : this.#struct(type)
  }

  #struct({ text: type, at }: { text: string; at: number }): Expr {
    const fields: StructField[] = []
    while (!this.#tokens.sees('}') && !this.#tokens.sees(',')) {
      const isOptional = this.#tokens.skips('?')
      const field = this.#tokens.structField()
      const colon = this.#tokens.expect(':')
      fields.push({ name: field.text, value: this.#expression(), at: colon.at, isOptional })
      if (!this.#tokens.skips(',')) break
    }
    this.#tokens.skips(',')
    this.#tokens.expect('}')
    return this.#counted({ is: 'struct', type: type.replace(/^\./, ''), fields, at })
  }

  #named(): Expr {
    const { at: start } = this.#tokens.current
    const isAbsolute = this.#tokens.skips('.')
    const token = this.#tokens.current
    if (token.kind !== 'name') return this.#withoutName(start)
    this.#tokens.take()
    const { text, at } = token
    if (reserved.has(text)) this.#tokens.problems.push({ at, text: `reserved identifier: ${text}` })
    if (this.#tokens.sees('(')) {
      const open = this.#tokens.take()
      return this.#function(text, this.#arguments(')'), open.at)
    }
    return this.#counted(name(isAbsolute ? `.${text}` : text, at))
  }

  #function(of: string, args: readonly Expr[], at: number): Expr {
    if (of !== 'has' || args.length !== 1) return this.#call(of, args, { at })
    const [field] = args
    if (field?.is === 'select' && !field.isTest)
      return this.#counted({ ...select(field.of, field.field, true), at })
    return this.#failed({ problem: 'invalid argument to has() macro', at: field?.at })
  }

  #list(): Expr {
    const { at } = this.#tokens.take()
    const items: Expr[] = []
    const optional = new Set<number>()
    this.#tokens.refuseEnd(expected([']', ',', '?']))
    while (!this.#tokens.isClosed(']')) {
      if (this.#tokens.skips('?')) optional.add(items.length)
      items.push(this.#expression())
      this.#tokens.refuseEnd("{']', ','}")
      if (!this.#tokens.skips(',')) break
    }
    this.#tokens.skips(',')
    this.#tokens.expect(']')
    return this.#counted({ is: 'list', items, at, ...(optional.size > 0 && { optional }) })
  }

  #map(): Expr {
    const { at } = this.#tokens.take()
    const entries: [Expr, Expr][] = []
    const optional = new Set<number>()
    this.#tokens.refuseEnd(expected(['}', ',', '?']))
    while (!this.#tokens.isClosed('}')) {
      if (this.#tokens.skips('?')) optional.add(entries.length)
      const key = this.#expression()
      this.#tokens.refuseEnd("':'")
      this.#tokens.expect(':')
      entries.push([key, this.#expression()])
      this.#tokens.refuseEnd("{'}', ','}")
      if (!this.#tokens.skips(',')) break
    }
    this.#tokens.skips(',')
    this.#tokens.expect('}')
    return this.#counted({ is: 'map', entries, at, ...(optional.size > 0 && { optional }) })
  }

  #literal(): Expr {
    const { at } = this.#tokens.current
    const sign = this.#tokens.sees('-') && this.#tokens.isNumberNext()
    if (sign) this.#tokens.take()
    const { kind, text } = this.#tokens.current
    const minus = sign ? '-' : ''
    const readers: Readonly<Record<string, () => Parameters<typeof literal>[0]>> = {
      int: () => integer(text, sign),
      uint: () => unsigned(text.slice(0, -1)),
      double: () => finite(Number(minus + text)),
      string: () => stringOf(text),
      bytes: () => bytesOf(text),
    }
    const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined
    if (read === undefined) return this.#word(text, kind)
    const isText = kind === 'string' || kind === 'bytes'
    return this.#value(at, isText ? undefined : `invalid ${kind} literal`, read)
  }

  #value(at: number, words: string | undefined, read: () => Parameters<typeof literal>[0]): Expr {
    this.#tokens.take()
    try {
      return this.#counted(literal(read(), at))
    } catch (error) {
      const text = words ?? messageOf(error)
      return this.#failed({ problem: text, at })
    }
  }

  #word(text: string, kind: string): Expr {
    const values: Readonly<Record<string, boolean | null>> = {
      true: true,
      false: false,
      null: null,
    }
    if (kind !== 'word' || !Object.hasOwn(values, text)) this.#tokens.refuse()
    return this.#counted(literal(values[text] ?? null, this.#tokens.take().at))
  }
}
