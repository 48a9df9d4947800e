import type { Send } from '../watch/feed.ts'
import { StatusError } from '../watch/statusError.ts'
import type { SessionKeeper } from './session.ts'

export interface CallOptions {
  method?: string
  /** Body, sent as JSON unless `contentType` names another patch type or format. */
  body?: unknown
  contentType?: string
  accept?: string
  query?: Readonly<Record<string, string>>
  signal?: AbortSignal
  /** Called with the text of each Warning header of the response. Default: ignored. */
  onWarning?: (text: string) => void
}

/**
 * Base path of the server, with a trailing slash: the console is served one level below it,
 * regardless of proxies.
 */
export function serverBase(): string {
  return new URL('..', window.location.href).pathname
}

/** Sends requests to one API of the server, with the session's key. */
export class ApiClient {
  readonly #session: SessionKeeper
  readonly #prefix: string

  /** @param plane path of a control plane, such as `/kubernetes/project/a/virtualcluster/b`; empty: the management API. */
  constructor(session: SessionKeeper, plane = '') {
    this.#session = session
    this.#prefix = serverBase().replace(/\/$/, '') + plane
  }

  /** Sends a request and returns the response, even an error. */
  readonly send: Send = async (path, { headers, signal }) =>
    this.#sent(path, { headers, signal, cache: 'no-store' })

  /** Value of a response. @throws StatusError with the server's reason; TypeError without a connection. */
  async call<T>(path: string, options: CallOptions = {}): Promise<T> {
    const response = await this.response(path, options)
    // The caller knows the type at the path.
    return (await response.json()) as T
  }

  /** Successful response. @throws as `call`. */
  async response(path: string, options: CallOptions = {}): Promise<Response> {
    const { method = 'GET', query, accept = 'application/json' } = options
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
    const response = await this.#sent(path + search, {
      method,
      cache: 'no-cache',
      ...sentBody(options, accept),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    if (!response.ok) throw await StatusError.of(response)
    for (const warning of warningsIn(response)) options.onWarning?.(warning)
    return response
  }

  async #sent(path: string, init: RequestInit & { headers: Record<string, string> }) {
    const session = this.#session.current
    const authorization = session === undefined ? {} : { authorization: `Bearer ${session.token}` }
    const response = await fetch(this.#prefix + path, {
      ...init,
      credentials: 'omit',
      redirect: 'error',
      headers: { ...init.headers, ...authorization },
    })
    if (response.status === 401 && this.#session.current === session && session !== undefined)
      this.#session.end('Your session has ended. Sign in again to continue.')
    return response
  }
}

function sentBody({ body, contentType = 'application/json' }: CallOptions, accept: string) {
  if (body === undefined) return { headers: { accept } }
  const headers = { accept, 'content-type': contentType }
  return { headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

/** Source: RFC 9111, section 5.5. */
function warningsIn(response: Response): string[] {
  const header = response.headers.get('warning') ?? ''
  return [...header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) =>
    quoted.replace(/\\(.)/g, '$1'),
  )
}
