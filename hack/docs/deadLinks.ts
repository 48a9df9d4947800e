import { lexer, walkTokens, type Token } from 'marked'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { headingsOf } from './headings.ts'
import type { Page } from './pages.ts'

/** A sentence for each link of `pages` that leads to no file or heading of the repository, and for each page that is named
 *  in backticks by another path than the one from the root. Links to other hosts are not followed. */
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

/** Targets of the links and images of a page. */
export function linksOf(page: Page): string[] {
  return tokensOf(page).flatMap((token) =>
    token.type === 'link' || token.type === 'image' ? [String(token['href'])] : [],
  )
}

/** Pages that a page names in backticks. */
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
