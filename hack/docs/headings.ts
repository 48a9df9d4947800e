import { lexer, walkTokens, type Token } from 'marked'

/** Heading of a page. */
export interface Heading {
  depth: number
  /** Text without markup. */
  text: string
  /** Anchor, as code hosts generate it; repeated headings get `-1`, `-2` … */
  id: string
}

/** Headings of a page, in order. */
export function headingsOf(markdown: string): Heading[] {
  const headings: Heading[] = []
  const seen = new Map<string, number>()
  void walkTokens(lexer(markdown), (token: Token) => {
    if (token.type !== 'heading') return
    const { depth, tokens = [] } = token as { depth: number; tokens?: Token[] }
    const text = tokens.map(plain).join('')
    headings.push({ depth, text, id: unique(seen, slug(text)) })
  })
  return headings
}

/** Text of a token, without markup. */
export function plain(token: Token): string {
  const { tokens, text, raw } = token as { tokens?: Token[]; text?: string; raw: string }
  return tokens === undefined ? (text ?? raw) : tokens.map(plain).join('')
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function unique(seen: Map<string, number>, id: string): string {
  const before = seen.get(id) ?? 0
  seen.set(id, before + 1)
  return before === 0 ? id : `${id}-${before}`
}
