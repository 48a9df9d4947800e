import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'

/** Complete response. */
export class Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly bytes: Buffer

  constructor(response: IncomingMessage, bytes: Buffer) {
    this.status = response.statusCode ?? 0
    this.headers = response.headers
    this.rawHeaders = response.rawHeaders
    this.bytes = bytes
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  get json(): unknown {
    const value: unknown = JSON.parse(this.text)
    return value
  }

  /** Value in the JSON body at a path; undefined if absent. */
  field(...path: (string | number)[]): unknown {
    return path.reduce<unknown>(
      (value, name) =>
        // Every value except undefined and null, which end the walk, allows reading a property.
        value === null || value === undefined
          ? undefined
          : (value as Record<string | number, unknown>)[name],
      this.json,
    )
  }

  /** Values of a header that may be repeated. */
  all(name: string): string[] {
    return this.rawHeaders.filter(
      (_, index) => index % 2 === 1 && this.rawHeaders[index - 1]?.toLowerCase() === name,
    )
  }
}

export interface Call {
  method?: string
  body?: string | Buffer | object
  headers?: OutgoingHttpHeaders
}

// Each request has a separate connection, so that none remains open.
const oneRequestEach = new Agent({ keepAlive: false })

/** Sends plain HTTP requests to one server, with no additions except the headers of the client. */
export class HttpClient {
  readonly base: string
  readonly headers: OutgoingHttpHeaders
  readonly #agent: Agent

  /** Client of one server. The caller closes an agent with kept-alive connections. */
  constructor(base: string, headers: OutgoingHttpHeaders = {}, agent = oneRequestEach) {
    this.base = base
    this.headers = headers
    this.#agent = agent
  }

  get port(): number {
    return Number(new URL(this.base).port)
  }

  with(headers: OutgoingHttpHeaders): HttpClient {
    return new HttpClient(this.base, { ...this.headers, ...headers }, this.#agent)
  }

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.call(path, { headers })
  }

  post(path: string, body: Call['body'], headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.call(path, { method: 'POST', body: body ?? '', headers })
  }

  put(path: string, body: Call['body'], headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.call(path, { method: 'PUT', body: body ?? '', headers })
  }

  delete(path: string, body?: Call['body']): Promise<Answer> {
    return this.call(path, { method: 'DELETE', ...(body === undefined ? {} : { body }) })
  }

  patch(path: string, type: string, body: Call['body']): Promise<Answer> {
    return this.call(path, {
      method: 'PATCH',
      body: body ?? '',
      headers: { 'content-type': `application/${type}` },
    })
  }

  async call(path: string, call: Call = {}): Promise<Answer> {
    const response = await this.open(path, call)
    const chunks: Buffer[] = []
    // No encoding is set, so chunks are buffers.
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return new Answer(response, Buffer.concat(chunks))
  }

  /** Response as soon as its headers have arrived. */
  open(path: string, { method = 'GET', body, headers = {} }: Call = {}): Promise<IncomingMessage> {
    const isText = typeof body === 'string' || Buffer.isBuffer(body)
    const sent = body === undefined || isText ? body : JSON.stringify(body)
    // Node sends no length with a DELETE.
    const length = sent === undefined ? {} : { 'content-length': Buffer.byteLength(sent) }
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${this.base}${path}`,
        { method, agent: this.#agent, headers: { ...length, ...this.headers, ...headers } },
        resolve,
      )
      request.on('error', reject)
      request.end(sent)
    })
  }
}
