import { lexer, walkTokens, type Token } from 'marked'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { headingsOf } from './headings.ts'
import type { Page } from './pages.ts'

/**
 * Messages about links of `pages` to missing files or headings of the repository, and about pages named in backticks by
 * a path that does not start at the root. Links to other hosts are not checked.
 */
export function deadLinks(root: string, pages: readonly Page[]): string[] {
  const anchors = new Map(
    pages.map((page) => [page.file, new Set(headingsOf(page.text).map(({ id }) => id))]),
  )
  return pages.flatMap((page) => {
    const dead = linksOf(page).flatMap((href) => {
      const why = whyDead(root, anchors, { from: page.file, href })
      return why === undefined ? [] : [`${page.file}: ${href}: ${why}`]
    })
    const misnamed = namedPages(page).filter((file) => !existsSync(join(root, file)))
    return [...dead, ...misnamed.map((file) => `${page.file}: \`${file}\`: no such page`)]
  })
}

interface Link {
  /** Page with the link. */
  from: string
  href: string
}

function whyDead(
  root: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
  { from, href }: Link,
): string | undefined {
  if (/^(https?|mailto):/.test(href)) return undefined
  const [path = '', anchor] = decodeURI(href).split('#')
  const file = path === '' ? from : join(dirname(from), path)
  if (file.startsWith('..') || !existsSync(join(root, file))) return 'no such file'
  if (anchor === undefined) return undefined
  return anchors.get(file)?.has(anchor) ? undefined : `no heading #${anchor}`
}

/** Targets of links and images in a page. */
export function linksOf(page: Page): string[] {
  return tokensOf(page).flatMap((token) =>
    token.type === 'link' || token.type === 'image' ? [String(token['href'])] : [],
  )
}

/** Pages named in backticks in a page. */
function namedPages(page: Page): string[] {
  return tokensOf(page)
    .flatMap((token) => (token.type === 'codespan' ? [String(token['text'])] : []))
    .filter((text) => /^[\w./-]+\.md$/.test(text))
}

function tokensOf({ text }: Page): Token[] {
  const tokens: Token[] = []
  void walkTokens(lexer(text), (token: Token) => {
    tokens.push(token)
  })
  return tokens
}
