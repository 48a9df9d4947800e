import { expected } from './expectedTokens.ts'
import { CompilationError, type Problem } from './sourceErrors.ts'
import { tokensOf, type Token } from './tokens.ts'

export const beginnings = expected([])

/** Position at which parsing cannot continue. */
export class SyntaxProblem extends Error {
  readonly at: number

  constructor(at: number, text: string) {
    super(`Syntax error: ${text}`)
    this.at = at
  }
}

/** The tokens of a source, read from left to right. */
export class TokenReader {
  readonly source: string
  /** Problems found so far. */
  readonly problems: Problem[]
  readonly #tokens: readonly Token[]
  #position = 0

  constructor(source: string) {
    this.source = source
    const { tokens, problems } = tokensOf(source)
    this.#tokens = tokens
    this.problems = problems
  }

  /** @throws SyntaxProblem if tokens are left. */
  expectEnd(): void {
    const token = this.current
    if (token.kind === 'end') return
    const isLast = this.#next?.kind === 'end'
    const what = isLast ? 'extraneous' : 'mismatched'
    throw new SyntaxProblem(token.at, `${what} input '${token.text}' expecting <EOF>`)
  }

  get current(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '<EOF>', at: 0 }
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#position + 1]
  }

  take(): Token {
    const token = this.current
    this.#position++
    return token
  }

  /** Reports whether the current token is this symbol or word. */
  sees(text: string): boolean {
    const { kind, text: given } = this.current
    return given === text && (kind === 'symbol' || kind === 'word')
  }

  /** Takes the token if it is this one; returns whether it was. */
  skips(text: string): boolean {
    if (!this.sees(text)) return false
    this.#position++
    return true
  }

  expect(text: string): Token {
    if (this.sees(text)) return this.take()
    const { text: given, at, kind } = this.current
    const words =
      kind === 'end'
        ? `missing '${text}' at '<EOF>'`
        : `mismatched input '${given}' expecting '${text}'`
    throw new SyntaxProblem(at, words)
  }

  /** Refuses the end of the source. `words`: the tokens that are expected instead. */
  refuseEnd(words: string): void {
    const { kind, at } = this.current
    if (kind === 'end') throw new SyntaxProblem(at, `mismatched input '<EOF>' expecting ${words}`)
  }

  /** Refuses an unexpected token. */
  refuse(): never {
    const { text, at } = this.current
    const what = this.isBeforeBeginning() ? 'extraneous' : 'mismatched'
    throw new SyntaxProblem(at, `${what} input '${text}' expecting ${beginnings}`)
  }

  /** Reports whether an expression may begin with the token after the current one. */
  isBeforeBeginning(): boolean {
    return this.#next !== undefined && isBeginning(this.#next)
  }

  isField(): boolean {
    const { kind } = this.current
    return kind === 'name' || kind === 'quotedName'
  }

  /** Takes the name of a field without its quotes. @throws CompilationError for another token. */
  field(): Token {
    const token = this.current
    if (token.kind === 'quotedName') {
      this.#position++
      return { ...token, text: token.text.slice(1, -1) }
    }
    if (token.kind === 'name') return this.take()
    throw new CompilationError(this.source, [...this.problems, ...noField(token)])
  }

  /** Takes the name of a field of a message. @throws SyntaxProblem for another token. */
  structField(): Token {
    const { text, at } = this.current
    if (this.isField()) return this.field()
    const words = `mismatched input '${text}' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}`
    throw new SyntaxProblem(at, words)
  }

  /**
   * Reports whether a list or a map has no more entries, also if it ends with a comma or with the
   * source.
   */
  isClosed(bracket: string): boolean {
    return this.sees(bracket) || this.sees(',') || this.current.kind === 'end'
  }

  /** Reports whether the token after the current one is a number that may have a sign. */
  isNumberNext(): boolean {
    const kind = this.#next?.kind
    return kind === 'int' || kind === 'double'
  }

  /** Takes a dotted name and the brace after it; undefined: no value of a named type starts here. */
  typeName(): { text: string; at: number } | undefined {
    let position = this.sees('.') ? this.#position + 1 : this.#position
    const symbol = (text: string) => {
      const token = this.#tokens[position]
      return token?.kind === 'symbol' && token.text === text ? token : undefined
    }
    for (;;) {
      if (this.#tokens[position]?.kind !== 'name') return undefined
      position++
      const brace = symbol('{')
      if (brace !== undefined) {
        const parts = this.#tokens.slice(this.#position, position)
        this.#position = position + 1
        return { text: parts.map(({ text }) => text).join(''), at: brace.at }
      }
      if (symbol('.') === undefined) return undefined
      position++
    }
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
