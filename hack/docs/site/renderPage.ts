import { Marked, type Tokens } from 'marked'
import { dirname, join, relative } from 'node:path'
import { headingsOf, type Heading } from '../headings.ts'
import type { Page } from '../pages.ts'
import type { Section } from './navigation.ts'

export interface Site {
  sections: readonly Section[]
  pages: readonly Page[]
}

/** Path of a page in the site: README.md is the index of its folder. */
export function addressOf(file: string): string {
  return file.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html')
}

/** Page as an HTML document that needs no scripts. */
export function renderPage(page: Page, site: Site): string {
  const headings = headingsOf(page.text)
  const title = headings[0]?.text ?? page.file
  const to = (file: string) => relative(dirname(addressOf(page.file)), addressOf(file))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="${to('style.css')}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Pages">
<a class="home" href="${to('README.md')}">platform-apiserver</a>
${site.sections.map((section) => sectionLinks(section, page.file, to)).join('\n')}
</nav>
<main id="content">
${bodyOf(page, site, headings)}
</main>
${contents(headings)}
</body>
</html>
`
}

function sectionLinks(
  { title, links }: Section,
  current: string,
  to: (file: string) => string,
): string {
  const items = links.map((link) => {
    const mark = link.file === current ? ' aria-current="page"' : ''
    return `<li><a href="${to(link.file)}"${mark}>${escape(link.title)}</a></li>`
  })
  return `<h2>${escape(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
}

function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2)
  if (shown.length < 2) return ''
  const items = shown.map(({ text, id }) => `<li><a href="#${id}">${escape(text)}</a></li>`)
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>\n${items.join('\n')}\n</ul></aside>`
}

function bodyOf(page: Page, { pages }: Site, headings: readonly Heading[]): string {
  const known = new Set(pages.map(({ file }) => file))
  const left = [...headings]
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = left.shift()?.id ?? ''
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const target = siteAddress(page.file, href, known)
        return `<a href="${escape(target)}">${this.parser.parseInline(tokens)}</a>`
      },
      code({ text, lang = '' }: Tokens.Code) {
        const [language = '', ...words] = lang.split(' ')
        const shown = words.includes('output') ? ' class="output"' : ''
        return `<pre tabindex="0"${shown}><code class="language-${escape(language)}">${escape(text)}\n</code></pre>\n`
      },
      table(token: Tokens.Table) {
        const head = token.header.map((cell) => this.tablecell(cell)).join('')
        const rows = token.rows.map(
          (row) => `<tr>${row.map((cell) => this.tablecell(cell)).join('')}</tr>`,
        )
        return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`
      },
      html({ text }) {
        return text.startsWith('<!--') ? '' : text
      },
    },
  })
  return marked.parse(page.text, { async: false })
}

/** Address of a link in the site. Files of the repository other than pages are named by their path. */
function siteAddress(from: string, href: string, known: ReadonlySet<string>): string {
  if (/^([a-z]+:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const file = join(dirname(from), path)
  if (!known.has(file)) return path
  const address = relative(dirname(addressOf(from)), addressOf(file))
  return anchor === undefined ? address : `${address}#${anchor}`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
