import { expected } from './expectedTokens.ts'
import { call, literal, name, select, type Expr, type StructField } from './expr.ts'
import { finite, integer, unsigned } from './numbers.ts'
import { macros, type MacroError } from './macros.ts'
import { CompilationError, type Problem } from './sourceErrors.ts'
import { tokensOf, type Token } from './tokens.ts'
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
  return new Parser(source).whole()
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

const beginnings = expected([])

/** Position at which parsing cannot continue. */
class SyntaxProblem extends Error {
  readonly at: number

  constructor(at: number, text: string) {
    super(`Syntax error: ${text}`)
    this.at = at
  }
}

class Parser {
  readonly #source: string
  readonly #tokens: readonly Token[]
  readonly #problems: Problem[]
  #position = 0
  #depth = 0
  #parts = 0

  constructor(source: string) {
    this.#source = source
    const { tokens, problems } = tokensOf(source)
    this.#tokens = tokens
    this.#problems = problems
  }

  whole(): Expr {
    const length = [...this.#source].length
    if (length > mostCharacters) {
      const text = `expression code point size exceeds limit: size: ${length}, limit ${mostCharacters}`
      throw new CompilationError('', [{ at: 0, text }])
    }
    let found: Expr = literal(null)
    try {
      found = this.#expression()
      this.#end()
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error
      this.#problems.push({ at: error.at, text: error.message })
    }
    if (this.#problems.length > 0) throw new CompilationError(this.#source, this.#problems)
    return found
  }

  #end(): void {
    const token = this.#token
    if (token.kind === 'end') return
    const isLast = this.#tokens[this.#position + 1]?.kind === 'end'
    const what = isLast ? 'extraneous' : 'mismatched'
    throw new SyntaxProblem(token.at, `${what} input '${token.text}' expecting <EOF>`)
  }

  get #token(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '<EOF>', at: 0 }
  }

  #take(): Token {
    const token = this.#token
    this.#position++
    return token
  }

  #sees(text: string): boolean {
    const { kind, text: given } = this.#token
    return given === text && (kind === 'symbol' || kind === 'word')
  }

  #skips(text: string): boolean {
    if (!this.#sees(text)) return false
    this.#position++
    return true
  }

  #expect(text: string): Token {
    if (this.#sees(text)) return this.#take()
    const { text: given, at, kind } = this.#token
    const words =
      kind === 'end'
        ? `missing '${text}' at '<EOF>'`
        : `mismatched input '${given}' expecting '${text}'`
    throw new SyntaxProblem(at, words)
  }

  #counted<E extends Expr>(expr: E): E {
    this.#parts++
    if (this.#parts > mostParts)
      throw new CompilationError(this.#source, [{ at: 0, text: 'expression is too large' }])
    return expr
  }

  #call(of: string, args: readonly Expr[], { at, target }: { at: number; target?: Expr }): Expr {
    return this.#counted({ ...call(of, args, target), at })
  }

  #expression(): Expr {
    if (++this.#depth > mostDepth) {
      const text = `expression recursion limit exceeded: ${mostDepth}`
      throw new CompilationError(this.#source, [{ at: 0, text }])
    }
    const condition = this.#binary(0)
    let found = condition
    if (this.#sees('?')) {
      const { at } = this.#take()
      const then = this.#binary(0)
      this.#expect(':')
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
      const operator = operators.find((one) => this.#sees(one))
      if (operator === undefined) return left
      const { at } = this.#take()
      const right = this.#binary(level + 1)
      left = this.#call(operator === 'in' ? '@in' : `_${operator}_`, [left, right], { at })
    }
  }

  /**
   * Parses a unary operator. Two of the same sign cancel out; the sign of a number is part of it.
   */
  #unary(): Expr {
    for (const sign of ['!', '-']) {
      if (!this.#sees(sign)) continue
      const { at } = this.#token
      if (sign === '-' && this.#isNumber(this.#tokens[this.#position + 1])) return this.#member()
      let count = 0
      while (this.#skips(sign)) count++
      const of = this.#member()
      return count % 2 === 0 ? of : this.#call(`${sign}_`, [of], { at })
    }
    return this.#member()
  }

  #isNumber(token: Token | undefined): boolean {
    return token?.kind === 'int' || token?.kind === 'double'
  }

  #member(): Expr {
    let found = this.#primary()
    for (;;) {
      if (this.#sees('.')) found = this.#selected(found)
      else if (this.#sees('[')) found = this.#indexed(found)
      else return found
    }
  }

  #selected(of: Expr): Expr {
    const { at } = this.#take()
    const isOptional = this.#skips('?')
    if (!isOptional && !this.#isField()) return this.#withoutName(at)
    const field = this.#field()
    if (isOptional) return this.#call('_?._', [of, literal(field.text, field.at)], { at })
    if (field.kind === 'name' && this.#sees('(')) {
      const open = this.#take()
      return this.#method(field.text, of, this.#arguments(')'), open.at)
    }
    return this.#counted({ ...select(of, field.text), at })
  }

  #isField(): boolean {
    const { kind } = this.#token
    return kind === 'name' || kind === 'quotedName'
  }

  #field(): Token {
    const token = this.#token
    if (token.kind === 'quotedName') {
      this.#position++
      return { ...token, text: token.text.slice(1, -1) }
    }
    if (token.kind === 'name') return this.#take()
    throw new CompilationError(this.#source, [...this.#problems, ...noField(token)])
  }

  /** Refuses the current token, where the dot at `dotAt` requires an identifier. */
  #withoutName(dotAt: number): Expr {
    const { at, text, kind } = this.#token
    if (kind === 'word' && text !== 'in')
      throw new SyntaxProblem(at, `mismatched input '${text}' expecting IDENTIFIER`)
    const length = kind === 'end' ? 0 : [...text].length
    const words = [...this.#source].slice(dotAt, at + length).join('')
    const problem = `no viable alternative at input '${words}'`
    if (this.#isOperator()) return this.#missing(problem)
    throw new SyntaxProblem(at, problem)
  }

  #indexed(of: Expr): Expr {
    const { at } = this.#take()
    this.#refuseEnd(expected(['?']))
    const isOptional = this.#skips('?')
    const index = this.#expression()
    this.#expect(']')
    return this.#call(isOptional ? '_[?_]' : '_[_]', [of, index], { at })
  }

  /** Refuses the end of the source. `words`: the tokens that are expected instead. */
  #refuseEnd(words: string): void {
    const { kind, at } = this.#token
    if (kind === 'end') throw new SyntaxProblem(at, `mismatched input '<EOF>' expecting ${words}`)
  }

  #arguments(end: string): Expr[] {
    const found: Expr[] = []
    this.#refuseEnd(expected([end]))
    while (!this.#sees(end)) {
      found.push(this.#expression())
      if (!this.#skips(',')) break
      if (this.#sees(end)) this.#refuse()
    }
    this.#expect(end)
    return found
  }

  #method(of: string, target: Expr, args: readonly Expr[], at: number): Expr {
    const macro = macros[`${of}/${args.length}`]
    if (macro === undefined) return this.#call(of, args, { at, target })
    const made = macro({ receiver: target, args, at })
    return 'problem' in made ? this.#failed(made) : this.#counted(made)
  }

  #failed({ problem, at }: MacroError): Expr {
    this.#problems.push({ at, text: problem })
    return literal(null)
  }

  /** Refuses an unexpected token. */
  #refuse(): never {
    const { text, at } = this.#token
    const what = this.#isBeforeBeginning() ? 'extraneous' : 'mismatched'
    throw new SyntaxProblem(at, `${what} input '${text}' expecting ${beginnings}`)
  }

  #isBeforeBeginning(): boolean {
    const next = this.#tokens[this.#position + 1]
    return next !== undefined && isBeginning(next)
  }

  #isOperator(): boolean {
    return levels.some((operators) => operators.some((one) => this.#sees(one)))
  }

  /** Reports that a value is missing before the current operator, where parsing continues. */
  #missing(words: string): Expr {
    this.#problems.push({ at: this.#token.at, text: `Syntax error: ${words}` })
    return literal(null)
  }

  #primary(): Expr {
    const token = this.#token
    if (this.#skips('(')) {
      const found = this.#expression()
      this.#expect(')')
      return found
    }
    if (this.#sees('[')) return this.#list()
    if (this.#sees('{')) return this.#map()
    if (this.#isOperator() && !this.#isBeforeBeginning())
      return this.#missing(`mismatched input '${token.text}' expecting ${beginnings}`)
    if (token.kind !== 'name' && !this.#sees('.')) return this.#literal()
    const typeEnd = this.#typeEnd()
    return typeEnd === undefined ? this.#named() : this.#struct(typeEnd)
  }

  /** Position of the brace after a dotted name; undefined: no value of a named type starts here. */
  #typeEnd(): number | undefined {
    let position = this.#sees('.') ? this.#position + 1 : this.#position
    const symbol = (text: string) => {
      const token = this.#tokens[position]
      return token?.kind === 'symbol' && token.text === text
    }
    for (;;) {
      if (this.#tokens[position]?.kind !== 'name') return undefined
      position++
      if (symbol('{')) return position
      if (!symbol('.')) return undefined
      position++
    }
  }

  #struct(open: number): Expr {
    const at = this.#tokens[open]?.at
    const type = this.#tokens
      .slice(this.#position, open)
      .map(({ text }) => text)
      .join('')
    this.#position = open + 1
    const fields: StructField[] = []
    while (!this.#sees('}') && !this.#sees(',')) {
      const isOptional = this.#skips('?')
      const field = this.#structField()
      const colon = this.#expect(':')
      fields.push({ name: field.text, value: this.#expression(), at: colon.at, isOptional })
      if (!this.#skips(',')) break
    }
    this.#skips(',')
    this.#expect('}')
    return this.#counted({ is: 'struct', type: type.replace(/^\./, ''), fields, at })
  }

  #named(): Expr {
    const { at: start } = this.#token
    const isAbsolute = this.#skips('.')
    const token = this.#token
    if (token.kind !== 'name') return this.#withoutName(start)
    this.#position++
    const { text, at } = token
    if (reserved.has(text)) this.#problems.push({ at, text: `reserved identifier: ${text}` })
    if (this.#sees('(')) {
      const open = this.#take()
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

  #structField(): Token {
    const { kind, text, at } = this.#token
    if (kind === 'name' || kind === 'quotedName') return this.#field()
    const words = `mismatched input '${text}' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}`
    throw new SyntaxProblem(at, words)
  }

  /**
   * Reports whether a list or a map has no more entries, also if it ends with a comma or with the
   * source.
   */
  #isClosed(bracket: string): boolean {
    return this.#sees(bracket) || this.#sees(',') || this.#token.kind === 'end'
  }

  #list(): Expr {
    const { at } = this.#take()
    const items: Expr[] = []
    const optional = new Set<number>()
    this.#refuseEnd(expected([']', ',', '?']))
    while (!this.#isClosed(']')) {
      if (this.#skips('?')) optional.add(items.length)
      items.push(this.#expression())
      this.#refuseEnd("{']', ','}")
      if (!this.#skips(',')) break
    }
    this.#skips(',')
    this.#expect(']')
    return this.#counted({ is: 'list', items, at, ...(optional.size > 0 && { optional }) })
  }

  #map(): Expr {
    const { at } = this.#take()
    const entries: [Expr, Expr][] = []
    const optional = new Set<number>()
    this.#refuseEnd(expected(['}', ',', '?']))
    while (!this.#isClosed('}')) {
      if (this.#skips('?')) optional.add(entries.length)
      const key = this.#expression()
      this.#refuseEnd("':'")
      this.#expect(':')
      entries.push([key, this.#expression()])
      this.#refuseEnd("{'}', ','}")
      if (!this.#skips(',')) break
    }
    this.#skips(',')
    this.#expect('}')
    return this.#counted({ is: 'map', entries, at, ...(optional.size > 0 && { optional }) })
  }

  #literal(): Expr {
    const { at } = this.#token
    const sign = this.#sees('-') && this.#isNumber(this.#tokens[this.#position + 1])
    if (sign) this.#position++
    const { kind, text } = this.#token
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
    this.#position++
    try {
      return this.#counted(literal(read(), at))
    } catch (error) {
      const text = words ?? (error instanceof Error ? error.message : String(error))
      return this.#failed({ problem: text, at })
    }
  }

  #word(text: string, kind: string): Expr {
    const values: Readonly<Record<string, boolean | null>> = {
      true: true,
      false: false,
      null: null,
    }
    if (kind !== 'word' || !Object.hasOwn(values, text)) this.#refuse()
    return this.#counted(literal(values[text] ?? null, this.#take().at))
  }
}

function isBeginning({ kind, text }: Token): boolean {
  if (kind === 'symbol') return ['[', '{', '(', '.', '-', '!'].includes(text)
  return kind !== 'end' && kind !== 'quotedName' && text !== 'in'
}

/** Problems with a token that should be a field of an optional value. */
function noField({ kind, text, at }: Token): readonly Problem[] {
  const given = kind === 'end' ? '<EOF>' : text
  const words = `mismatched input '${given}' expecting {IDENTIFIER, ESC_IDENTIFIER}`
  return [
    { at, text: `Syntax error: ${words}` },
    { at, text: 'unsupported ident kind' },
  ]
}
