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

const quoted = {
  triple: String.raw`"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''`,
  single: String.raw`"(?:\\.|[^\\"\n\r])*"|'(?:\\.|[^\\'\n\r])*'`,
  raw: String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')`,
}
const text = `(?:${quoted.raw}|${quoted.triple}|${quoted.single})`

/** The first that fits counts; longer forms come first. Source: the language's definition, "Syntax". */
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

/** The parts of an expression, and what is none. */
export function tokensOf(source: string): { tokens: Token[]; problems: Problem[] } {
  const tokens: Token[] = []
  const problems: Problem[] = []
  let [offset, at] = [0, 0]
  while (offset < source.length) {
    const found = tokenAt(source, offset)
    if (found === undefined) {
      const character = String.fromCodePoint(source.codePointAt(offset) ?? 0)
      problems.push({ at, text: `Syntax error: token recognition error at: '${character}'` })
      offset += character.length
      at++
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
