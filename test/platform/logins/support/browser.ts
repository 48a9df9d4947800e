import { providerFetch } from '../../../../apiserver/platform/logins/connectors/providerFetch.ts'

export interface Page {
  status: number
  url: string
  text: string
  headers: Headers
}

const fetch = providerFetch({ insecure: true })

/**
 * Minimal browser for logins: cookies by host, redirects, and submitted forms. On the pages of a
 * provider it logs in as one user.
 */
export class Browser {
  readonly #user: string
  readonly #cookies = new Map<string, Map<string, string>>()
  /** All visited addresses. */
  readonly visited: string[] = []
  /** Called with each address before it is opened, and may replace it. */
  intercept: (url: string) => string | undefined = (url) => url

  /** Changes the fields of a form before it is submitted. */
  changeForm: (fields: URLSearchParams) => void = () => undefined

  constructor(user: string) {
    this.#user = user
  }

  async open(url: string): Promise<Page> {
    return this.#go(url)
  }

  async #go(first: string, form?: URLSearchParams): Promise<Page> {
    let url = first
    let body = form
    for (let hops = 0; hops < 20; hops++) {
      const changed = this.intercept(url)
      if (changed === undefined) return { status: 0, url, text: '', headers: new Headers() }
      url = changed
      this.visited.push(url)
      const page = await this.#request(url, body)
      const location = page.headers.get('location')
      if (location !== null) {
        url = new URL(location, url).href
        body = undefined
        continue
      }
      const next = this.#formOf(page)
      if (next === undefined) return page
      url = next.url
      body = next.fields
    }
    throw new Error(`${first} goes on and on: ${this.visited.join('\n')}`)
  }

  async #request(url: string, form: URLSearchParams | undefined): Promise<Page> {
    const { host } = new URL(url)
    const jar = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, jar)
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      signal: AbortSignal.timeout(25_000),
      headers: {
        accept: 'text/html',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: form.toString() }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return { status: response.status, url, text: await response.text(), headers: response.headers }
  }

  /** Form that a user submits at a provider: login, consent, or the response of SAML. */
  #formOf({ text, url }: Page): { url: string; fields: URLSearchParams } | undefined {
    const fields = new URLSearchParams()
    for (const [tag] of text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(tag)?.[1] ?? ''
      fields.set(name, decoded(/value="([^"]*)"/.exec(tag)?.[1] ?? ''))
    }
    const isProviders = fields.has('prompt') || fields.has('SAMLResponse')
    const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1]
    if (!isProviders || action === undefined) return undefined
    if (fields.get('prompt') === 'login') {
      fields.set('login', this.#user)
      fields.set('password', 'any')
    }
    this.changeForm(fields)
    return { url: new URL(decoded(action), url).href, fields }
  }
}

function decoded(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x2F;', '/')
    .replaceAll('&#x3D;', '=')
    .replaceAll('&#43;', '+')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
