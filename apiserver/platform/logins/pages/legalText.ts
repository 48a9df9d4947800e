import { isLinkUrl } from '../../../meta/httpUrl.ts'

/** Maximum length in characters; a longer document is truncated. */
const maxLength = 64 * 1024

/** Allowed elements, without attributes except for the address of a link. */
const kept = new Set(
  'a abbr b blockquote br code dd div dl dt em h2 h3 h4 h5 h6 hr i li ol p pre s small span strong sub sup u ul'.split(
    ' ',
  ),
)
const empty = new Set(['br', 'hr'])
/** Elements removed with their content. */
const dropped = new Set(
  'script style iframe object embed noscript template svg math title textarea select xmp noembed noframes plaintext'.split(
    ' ',
  ),
)

const token =
  /<!--[^]*?(?:-->|$)|<(\/?)([a-z][a-z0-9-]*)((?:[^<>"']|"[^"<>]*"|'[^'<>]*')*)>|<|[^<]+/gi

/**
 * Sanitizes HTML: the output is rebuilt only from allowed parts, so that nothing else reaches a browser. Every element
 * is closed.
 */
export function harmlessHtml(html: string): string {
  const open: string[] = []
  const parts: string[] = []
  let skipping = ''
  for (const [whole, slash = '', tag = '', attributes = ''] of html
    .slice(0, maxLength)
    .matchAll(token)) {
    const name = tag.toLowerCase()
    if (skipping !== '') skipping = slash === '/' && name === skipping ? '' : skipping
    else if (dropped.has(name)) skipping = slash === '' ? name : ''
    else parts.push(name === '' ? plainText(whole) : element(open, { name, slash, attributes }))
  }
  return parts.join('') + endOf(open)
}

interface Tag {
  name: string
  /** Slash of a closing tag. */
  slash: string
  attributes: string
}

function element(open: string[], { name, slash, attributes }: Tag): string {
  if (!kept.has(name)) return ''
  return slash === '/' ? closed(open, name) : opened(open, name, attributes)
}

function plainText(whole: string): string {
  return whole.startsWith('<!--') ? '' : escaped(whole)
}

function endOf(open: readonly string[]): string {
  return open
    .toReversed()
    .map((name) => `</${name}>`)
    .join('')
}

function opened(open: string[], name: string, attributes: string): string {
  if (empty.has(name)) return `<${name}>`
  // Deeper nesting does not help readers, and is slow in browsers.
  if (open.length === 50) return ''
  open.push(name)
  const href = name === 'a' ? hrefIn(attributes) : undefined
  return href === undefined ? `<${name}>` : `<a href="${escaped(href)}" rel="noopener noreferrer">`
}

/** Closes an element and those open within it; nothing if it is not open. */
function closed(open: string[], name: string): string {
  const at = open.lastIndexOf(name)
  if (at < 0) return ''
  return endOf(open.splice(at))
}

function hrefIn(attributes: string): string | undefined {
  const [, double, single, bare] =
    /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i.exec(attributes) ?? []
  const href = (double ?? single ?? bare ?? '').trim().replaceAll('&amp;', '&')
  return isLinkUrl(href) ? href : undefined
}

/** Escapes a string, except for character references. */
function escaped(text: string): string {
  return text
    .replace(/&(?!(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
