import { providerFetch } from '../../../apiserver/platform/logins/connectors/providerFetch.ts'

export interface Page {
  status: number
  url: string
  text: string
  headers: Headers
}

interface Cookie {
  host: string
  path: string
  value: string
  line: string
}

const fetch = providerFetch({ insecure: true })

/**
 * Minimal browser for the platform's own pages: cookies by host and path, redirects, refreshes, and
 * forms. It fills in the login form as one user, and stops at addresses of the host `client.test`,
 * which has no server.
 */
export class PlatformBrowser {
  readonly #user: { username: string; password: string } | undefined
  readonly #cookies = new Map<string, Cookie>()
  /** All visited addresses. */
  readonly visited: string[] = []
  /** Host at which it stops. */
  client = 'client.test'
  /** Button to press on the logout page. */
  logout: 'yes' | '' = 'yes'
  /** Called with each page before the browser continues. */
  onPage: (page: Page) => void = () => undefined

  constructor(user?: { username: string; password: string }) {
    this.#user = user
  }

  /**
   * Continues until a page waits for the user, or until the client is reached, whose address is
   * returned with an empty text.
   */
  async open(first: string): Promise<Page> {
    let next: { url: string; form?: URLSearchParams } = { url: first }
    for (let hops = 0; hops < 25; hops++) {
      if (new URL(next.url).hostname === this.client) {
        return { status: 0, url: next.url, text: '', headers: new Headers() }
      }
      this.visited.push(next.url)
      const page = await this.#request(next.url, next.form)
      this.onPage(page)
      const step = this.#next(page)
      if (step === undefined) return page
      next = step
    }
    throw new Error(`${first} goes on and on: ${this.visited.join('\n')}`)
  }

  cookieNames(): string[] {
    return [...this.#cookies.keys()].map((key) => key.split(' ')[0] ?? '').sort()
  }

  cookieLine(name: string): string | undefined {
    return [...this.#cookies].find(([key]) => key.startsWith(`${name} `))?.[1].line
  }

  /** Value of a cookie. */
  cookie(name: string): string | undefined {
    return [...this.#cookies].find(([key]) => key.startsWith(`${name} `))?.[1].value
  }

  put(name: string, value: string, url: string): void {
    const path = '/oidc/'
    const { host } = new URL(url)
    this.#cookies.set(`${name} ${host}${path}`, { host, path, value, line: '' })
  }

  /** Switches to another user of the same browser. */
  take(other: PlatformBrowser): void {
    for (const [key, cookie] of other.#cookies) this.#cookies.set(key, cookie)
  }

  #next({ url, headers, text }: Page): { url: string; form?: URLSearchParams } | undefined {
    const location = headers.get('location')
    if (location !== null) return { url: new URL(location, url).href }
    const refresh = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1]
    if (refresh !== undefined) return { url: new URL(decoded(refresh), url).href }
    const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1]
    const form = this.#filled(text)
    if (action === undefined || form === undefined) return undefined
    return { url: new URL(decoded(action), url).href, form }
  }

  #filled(text: string): URLSearchParams | undefined {
    const form = new URLSearchParams()
    for (const [tag] of text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(tag)?.[1] ?? ''
      form.set(name, decoded(/value="([^"]*)"/.exec(tag)?.[1] ?? ''))
    }
    if (text.includes('name="password"')) {
      if (this.#user === undefined) return undefined
      form.set('username', this.#user.username)
      form.set('password', this.#user.password)
      return form
    }
    if (text.includes('op.logoutForm')) {
      if (this.logout !== '') form.set('logout', this.logout)
      return form
    }
    // Page that submits its form by itself.
    return text.includes('document.forms[0].submit()') ? form : undefined
  }

  async #request(url: string, form: URLSearchParams | undefined): Promise<Page> {
    const { host, pathname, origin } = new URL(url)
    const cookies = [...this.#cookies]
      .filter(([, cookie]) => cookie.host === host && pathname.startsWith(cookie.path))
      .map(([key, { value }]) => `${key.split(' ')[0] ?? ''}=${value}`)
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      signal: AbortSignal.timeout(25_000),
      headers: {
        accept: 'text/html',
        ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
        ...(form === undefined
          ? {}
          : { origin, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: form.toString() }),
    })
    for (const line of response.headers.getSetCookie()) this.#store(line, host)
    return { status: response.status, url, text: await response.text(), headers: response.headers }
  }

  #store(line: string, host: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    const value = pair.slice(at + 1)
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
    const key = `${pair.slice(0, at)} ${host}${path}`
    const isGone = attributes.some((one) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(one))
    if (isGone) this.#cookies.delete(key)
    else this.#cookies.set(key, { host, path, value, line })
  }
}

function decoded(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x2F;', '/')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
