import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { CliError, exitCodes } from '../base/cliError.ts'

const path = '/callback'

/** Page on this machine that receives the code of a login, once. Other machines cannot reach it. */
export class Loopback {
  readonly #server: Server
  #take: (url: URL, response: ServerResponse) => void = (_, response) => refuse(response)

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request, response) => this.#serve(request, response))
  }

  static async open(): Promise<Loopback> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Loopback(server)
  }

  get address(): string {
    // Sound: the server listens on a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`
  }

  /** Waits for the browser. Requests with another state are refused, and do not end the wait. */
  code(state: string, limits: { seconds: number; signal: AbortSignal }): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const hint = 'Run the command again, or use --no-browser on a machine without one.'
        reject(new CliError('nobody logged in', { code: exitCodes.timeout, hint }))
      }, limits.seconds * 1000)
      const stop = () => reject(new CliError('interrupted', { code: exitCodes.interrupted }))
      limits.signal.addEventListener('abort', stop)
      this.#take = (url, response) => {
        const code = url.searchParams.get('code') ?? ''
        if (!isSame(url.searchParams.get('state') ?? '', state) || code === '')
          return refuse(response)
        clearTimeout(timer)
        limits.signal.removeEventListener('abort', stop)
        show(
          response,
          200,
          'You are logged in',
          'You can close this window and go back to your terminal.',
        )
        resolve(code)
      }
    })
  }

  async close(): Promise<void> {
    this.#server.close()
    this.#server.closeIdleConnections()
    // The browser may keep the connection open for a while.
    setTimeout(() => this.#server.closeAllConnections(), 200).unref()
    await Promise.race([once(this.#server, 'close'), new Promise((done) => setTimeout(done, 300))])
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method !== 'GET' || url.pathname !== path) refuse(response, 404)
    else this.#take(url, response)
  }
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function refuse(response: ServerResponse, code = 400): void {
  show(response, code, 'This is not your login', 'Start again in your terminal.')
}

function show(response: ServerResponse, code: number, title: string, text: string): void {
  response.writeHead(code, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  })
  const style =
    'font-family: system-ui, sans-serif; margin: 20vh auto; max-width: 26rem; padding: 0 1rem'
  response.end(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="${style}"><main><h1>${title}</h1><p>${text}</p></main></body></html>
`)
}
