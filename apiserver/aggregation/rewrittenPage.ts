import type { Steps } from '../meta/waiting/steps.ts'

/** Attributes that contain a URL, by element. Source: HTML, "Attributes". */
const urlAttributes: Readonly<Record<string, readonly string[]>> = {
  ...{ a: ['href'], applet: ['codebase'], area: ['href'], audio: ['src'], base: ['href'] },
  ...{ blockquote: ['cite'], body: ['background'], button: ['formaction'], command: ['icon'] },
  ...{ del: ['cite'], embed: ['src'], form: ['action'], frame: ['longdesc', 'src'] },
  ...{ head: ['profile'], html: ['manifest'], iframe: ['longdesc', 'src'], ins: ['cite'] },
  ...{ img: ['longdesc', 'src', 'usemap'], input: ['src', 'usemap', 'formaction'] },
  ...{ link: ['href'], object: ['classid', 'codebase', 'data', 'usemap'], q: ['cite'] },
  ...{ script: ['src'], source: ['src'], video: ['poster', 'src'] },
}

/** Elements that contain text rather than markup. */
const textElements = new Set([
  ...['iframe', 'noembed', 'noframes', 'plaintext', 'script', 'style', 'textarea', 'title', 'xmp'],
])

/** Maximum length of a URL to rewrite; longer values stay unchanged. */
const maxUrlLength = 64 * 1024

/**
 * Page with the URLs in its attributes replaced; everything else stays unchanged. Takes time proportional to its
 * length, whatever its content, with a step for each tag and attribute: the page may come from any server.
 */
export function* rewrittenPage(html: string, rewrite: (url: string) => string): Steps<string> {
  const parts: string[] = []
  let kept = 0
  let at = html.indexOf('<')
  while (at >= 0) {
    const name = matchAt(/[a-z][^\s/>]*/iy, html, at + 1).toLowerCase()
    let end = name === '' ? endOfOther(html, at) : at + 1 + name.length
    if (name !== '') {
      const tag = yield* readTag(
        html,
        end,
        Object.hasOwn(urlAttributes, name) ? (urlAttributes[name] ?? []) : [],
      )
      for (const { from, to, value } of tag.values) {
        const url = rewrite(value)
        if (url === value) continue
        parts.push(html.slice(kept, from), `"${encoded(url)}"`)
        kept = to
        yield
      }
      end = textElements.has(name) ? endOfText(html, tag.end, name) : tag.end
    }
    at = html.indexOf('<', end)
    yield
  }
  return parts.join('') + html.slice(kept)
}

function matchAt(pattern: RegExp, html: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(html)?.[0] ?? ''
}

/** End of a comment, an end tag or a stray `<`. */
function endOfOther(html: string, at: number): number {
  if (html.startsWith('<!--', at)) return after(html, '-->', at + 4)
  return /[!/?]/.test(html[at + 1] ?? '') ? after(html, '>', at + 2) : at + 1
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

function endOfText(html: string, from: number, name: string): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  closing.lastIndex = from
  return name === 'plaintext' ? html.length : (closing.exec(html)?.index ?? html.length)
}

interface FoundValue {
  /** Range of the value including its quotes. */
  from: number
  to: number
  value: string
}

interface ReadTag {
  values: FoundValue[]
  end: number
}

/** Reads a tag from the end of its name: the values of the wanted attributes, and its end. */
function* readTag(html: string, start: number, wanted: readonly string[]): Steps<ReadTag> {
  const values: FoundValue[] = []
  let at = start
  for (; ; yield) {
    at += matchAt(/[\s/]*/y, html, at).length
    if (at >= html.length) return { values: [], end: html.length }
    if (html[at] === '>') return { values, end: at + 1 }
    const name = matchAt(/=?[^\s/>=]*/y, html, at)
    at += name.length
    const equals = matchAt(/\s*=\s*/y, html, at)
    if (equals === '') continue
    const from = at + equals.length
    const quote = /["']/.test(html[from] ?? '') ? html[from] : undefined
    const end =
      quote === undefined
        ? from + matchAt(/[^\s>]*/y, html, from).length
        : after(html, quote, from + 1)
    const raw = quote === undefined ? html.slice(from, end) : html.slice(from + 1, end - 1)
    const isUrl = raw.length <= maxUrlLength && wanted.includes(name.toLowerCase())
    if (isUrl) values.push({ from, to: end, value: decoded(raw) })
    at = end
  }
}

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#34': '"', '#38': '&' },
}

function decoded(value: string): string {
  return value.replace(
    /&(amp|lt|gt|quot|apos|#3[489]);/g,
    (_, name: string) => entities[name] ?? '',
  )
}

function encoded(value: string): string {
  return value
    .replace(/&/g, '&amp;')
    .replace(/"/g, '&#34;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
}
