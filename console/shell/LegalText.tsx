import { createElement, type ReactNode } from 'react'

const allowed = new Set(
  'a abbr b blockquote br code dd div dl dt em h2 h3 h4 h5 h6 hr i li ol p pre s small span strong sub sup u ul'.split(
    ' ',
  ),
)
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
}

/**
 * Legal text of the installation. The server has sanitized it; it is rebuilt from the allowed elements, so that no
 * markup ever reaches the document as such.
 */
export function LegalText({ html }: { html: string }) {
  const open: { tag: string; href: string; children: ReactNode[] }[] = [
    { tag: '', href: '', children: [] },
  ]
  const close = () => {
    const { tag, href, children } = open.pop() ?? { tag: '', href: '', children: [] }
    const parent = open.at(-1)
    const props = {
      key: parent?.children.length ?? 0,
      ...(href === '' ? {} : { href, rel: 'noopener noreferrer' }),
    }
    parent?.children.push(createElement(tag, props, ...children))
  }
  for (const [whole, slash, tag = '', attributes = ''] of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+|</g,
  )) {
    if (tag === '') open.at(-1)?.children.push(decoded(whole))
    else if (!allowed.has(tag)) continue
    else if (slash === '/') {
      if (open.length > 1 && open.at(-1)?.tag === tag) close()
    } else {
      open.push({ tag, href: tag === 'a' ? hrefIn(attributes) : '', children: [] })
      if (tag === 'br' || tag === 'hr') close()
    }
  }
  while (open.length > 1) close()
  return <div className="legal">{open[0]?.children}</div>
}

function hrefIn(attributes: string): string {
  const address = decoded(/href="([^"]*)"/.exec(attributes)?.[1] ?? '')
  return isSafeLink(address) ? address : ''
}

/** Reports whether a link from the configuration or an object may be followed: only pages and e-mail addresses. */
export function isSafeLink(address: string): boolean {
  if (!URL.canParse(address, window.location.href)) return false
  return ['http:', 'https:', 'mailto:'].includes(new URL(address, window.location.href).protocol)
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, ten, hex, name) => {
    if (typeof name === 'string') return entities[name] ?? whole
    const code = typeof ten === 'string' ? Number(ten) : Number.parseInt(String(hex), 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
