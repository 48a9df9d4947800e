import type { OutgoingHttpHeaders } from 'node:http'
import {
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { TLSSocket } from 'node:tls'

/**
 * Constructors of HTTP/2 requests and responses: Node's own, except for watches of the API, which use the classes
 * below. Thousands of watches run for a long time, and Node's objects and listeners are half of their cost.
 */
export function http2Constructors(isApiPath: (path: string) => boolean) {
  let watched: ServerHttp2Stream | undefined
  // Called with `new`, in succession for the same stream; the returned objects are used.
  function requestOf(...given: ConstructorParameters<typeof Http2ServerRequest>) {
    const [stream, headers, , rawHeaders] = given
    if (!asksForWatch(headers) || !isApiPath(headers[':path'] ?? ''))
      return new Http2ServerRequest(...given)
    watched = stream
    return new WatchRequest(stream, headers, rawHeaders)
  }
  function responseOf(stream: ServerHttp2Stream) {
    const isWatch = stream === watched
    watched = undefined
    return isWatch ? new WatchResponse(stream) : new Http2ServerResponse(stream)
  }
  return {
    // Sound: functions that return an object construct that object.
    Http2ServerRequest: requestOf as unknown as typeof Http2ServerRequest,
    Http2ServerResponse: responseOf as unknown as typeof Http2ServerResponse,
  }
}

/**
 * Reports whether a request looks like a watch; other requests that do are served correctly, too. Node handles
 * requests with `Expect`.
 */
function asksForWatch(headers: IncomingHttpHeaders): boolean {
  const { ':method': method, ':path': path = '', expect } = headers
  if (method !== 'GET' || expect !== undefined) return false
  return path.includes('/watch/') || /[?&]watch(=|&|$)/.test(path)
}

/** The used part of a request without a body. */
class WatchRequest {
  readonly httpVersion = '2.0'
  readonly httpVersionMajor = 2
  readonly method = 'GET'
  readonly complete = true
  url: string
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
  ) {
    this.stream = stream
    this.headers = headers
    this.rawHeaders = rawHeaders
    this.url = headers[':path'] ?? '/'
    // An unexpected body is discarded, so that it does not wait for a reader.
    if (!stream.endAfterHeaders) stream.resume()
  }

  /** Proxy of the socket, since the session's own proxy does not list its members. */
  get socket(): object {
    const socket = this.stream.session?.socket ?? {}
    return new Proxy(socket, { has: (_socket, name) => name in TLSSocket.prototype })
  }
}

type Listener = (...args: unknown[]) => void

/** The used part of a response, written directly to the stream. */
class WatchResponse {
  /** The request of the response. */
  readonly req = { httpVersion: '2.0' }
  statusCode = 200
  writableEnded = false
  readonly #stream: ServerHttp2Stream
  #headers: OutgoingHttpHeaders | undefined = {}

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream
    // The client is gone, which the close of the stream reports.
    stream.on('error', ignored)
  }

  get headersSent(): boolean {
    return this.#stream.headersSent
  }

  get destroyed(): boolean {
    return this.#stream.destroyed
  }

  get closed(): boolean {
    return this.#stream.destroyed
  }

  /** True if the client has reset the stream: until it is closed, writing to it throws. */
  get #isGone(): boolean {
    return this.#stream.closed || this.#stream.destroyed
  }

  setHeader(name: string, value: string | number | readonly string[]): this {
    // The headers are dropped after they are sent.
    if (this.#headers !== undefined) this.#headers[name.toLowerCase()] = value as string | string[]
    return this
  }

  writeHead(code: number, headers: OutgoingHttpHeaders = {}): this {
    this.statusCode = code
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) this.setHeader(name, value)
    this.flushHeaders()
    return this
  }

  flushHeaders(): void {
    const headers = this.#headers
    this.#headers = undefined
    if (headers === undefined || this.#isGone) return
    this.#stream.respond({ ...headers, ':status': this.statusCode })
  }

  write(chunk: Buffer | string, encoding: BufferEncoding = 'utf8'): boolean {
    this.flushHeaders()
    return !this.writableEnded && !this.#isGone && this.#stream.write(chunk, encoding)
  }

  end(chunk?: Buffer | string, encoding: BufferEncoding = 'utf8'): this {
    if (this.writableEnded) return this
    this.flushHeaders()
    this.writableEnded = true
    if (this.#isGone) return this
    if (chunk !== undefined) this.#stream.end(chunk, encoding)
    else this.#stream.end()
    return this
  }

  destroy(): this {
    this.#stream.destroy()
    return this
  }

  on(event: string, listener: Listener): this {
    this.#stream.on(event, listener)
    return this
  }

  once(event: string, listener: Listener): this {
    this.#stream.once(event, listener)
    return this
  }

  removeListener(event: string, listener: Listener): this {
    this.#stream.removeListener(event, listener)
    return this
  }
}

function ignored(): void {
  // The close of the stream reports the disconnect.
}
