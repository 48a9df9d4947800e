import type { Problem } from './sourceErrors.ts'

export type TokenKind =
  | ('symbol' | 'word' | 'name' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'quotedName')
  | 'end'

export interface Token {
  kind: TokenKind
  text: string
  /** Offset in characters. */
  at: number
}

const escape = String.raw`\\(?:[abfnrtv"'\\?\x60]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`

const quoted = {
  triple: String.raw`"""(?:${escape}|[^\\])*?"""|'''(?:${escape}|[^\\])*?'''`,
  single: String.raw`"(?:${escape}|[^\\"\n\r])*"|'(?:${escape}|[^\\'\n\r])*'`,
  raw: String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')`,
}
const text = `(?:${quoted.raw}|${quoted.triple}|${quoted.single})`

/**
 * Patterns of tokens, of which the first match counts, so longer tokens come first. Source: the
 * language's definition, "Syntax".
 */
const patterns: readonly (readonly [TokenKind | undefined, RegExp])[] = [
  [undefined, /(?:[\t \r\n\f]|\/\/[^\n]*)+/uy],
  ['bytes', new RegExp(`[bB]${text}`, 'uy')],
  ['string', new RegExp(text, 'uy')],
  ['double', /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/uy],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/uy],
  ['int', /(?:0x[0-9a-fA-F]+|\d+)/uy],
  ['name', /[A-Za-z_]\w*/uy],
  ['quotedName', /`[\w.\-/ ]+`/uy],
  ['symbol', /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/uy],
]

const words = new Set(['in', 'true', 'false', 'null'])

/** Tokens of an expression, and problems with unrecognized characters. */
export function tokensOf(source: string): { tokens: Token[]; problems: Problem[] } {
  const tokens: Token[] = []
  const problems: Problem[] = []
  let [offset, at] = [0, 0]
  while (offset < source.length) {
    const found = tokenAt(source, offset)
    if (found === undefined) {
      const part = unrecognized(source, offset)
      problems.push({ at, text: `Syntax error: token recognition error at: '${part}'` })
      offset += part.length
      at += [...part].length
      continue
    }
    const { kind, text: part } = found
    if (kind !== undefined) tokens.push({ kind: words.has(part) ? 'word' : kind, text: part, at })
    offset += part.length
    at += [...part].length
  }
  tokens.push({ kind: 'end', text: '<EOF>', at })
  return { tokens, problems }
}

/**
 * Unrecognized part: an incomplete token including the unexpected character, or a quotation mark
 * with the rest of its line.
 */
function unrecognized(source: string, offset: number): string {
  const begun = new RegExp(
    String.raw`["'](?:${escape}|[^\\\n"'])*(?:\\[^\n]?)?|[=&|][^]?|[^]`,
    'uy',
  )
  begun.lastIndex = offset
  return begun.exec(source)?.[0] ?? ''
}

function tokenAt(
  source: string,
  offset: number,
): { kind: TokenKind | undefined; text: string } | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = offset
    const [found] = pattern.exec(source) ?? []
    if (found !== undefined) return { kind, text: found }
  }
  return undefined
}
