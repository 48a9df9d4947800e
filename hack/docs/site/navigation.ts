import { lexer, type Token, type Tokens } from 'marked'
import { join } from 'node:path'
import { plain } from '../headings.ts'
import type { Page } from '../pages.ts'

/** Group of links in the navigation of each page. */
export interface Section {
  title: string
  links: { title: string; file: string }[]
}

const index = 'docs/README.md'

/** Sections of `docs/README.md`: each heading, with the first link of each list item below it. */
export function navigation(pages: readonly Page[]): Section[] {
  const sections: Section[] = []
  const text = pages.find(({ file }) => file === index)?.text ?? ''
  for (const token of lexer(text)) {
    if (isHeading(token) && token.depth === 2)
      sections.push({ title: token.tokens.map(plain).join(''), links: [] })
    if (!isList(token)) continue
    for (const item of token.items) {
      const link = firstLink(item.tokens)
      if (link !== undefined)
        sections.at(-1)?.links.push({ title: link.text, file: join('docs', link.href) })
    }
  }
  return sections
}

function firstLink(tokens: readonly Token[]): Tokens.Link | undefined {
  for (const token of tokens) {
    // Sound: marked's link tokens have this type.
    if (token.type === 'link') return token as Tokens.Link
    const { tokens: inner = [] } = token as { tokens?: Token[] }
    const found = firstLink(inner)
    if (found !== undefined) return found
  }
  return undefined
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list'
}
