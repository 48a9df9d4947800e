import * as http from 'node:http'
import * as https from 'node:https'

export interface Answer {
  status: number
  text: string
}

export interface Asked {
  method: string
  path: string
  /** Body, sent as JSON. */
  body?: unknown
  contentType?: string
}

/** HTTP or HTTPS connections to one server. */
export class Connection {
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #agent: http.Agent
  readonly #module: typeof http | typeof https

  /** `url`: scheme, host and port. The certificate is not verified: it is self-signed. */
  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = new URL(url)
    this.#headers = headers
    const isSecure = this.#url.protocol === 'https:'
    this.#module = isSecure ? https : http
    this.#agent = isSecure
      ? new https.Agent({ keepAlive: true, rejectUnauthorized: false })
      : new http.Agent({ keepAlive: true })
  }

  /** Any response. @throws Error if none arrives in time, or if it is incomplete. */
  request({ method, path, body, contentType }: Asked, timeoutMs: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sentBody = body === undefined ? '' : JSON.stringify(body)
      const options = {
        ...{ method, path, agent: this.#agent, signal: AbortSignal.timeout(timeoutMs) },
        headers: {
          ...this.#headers,
          'content-type': contentType ?? 'application/json',
          'content-length': Buffer.byteLength(sentBody),
        },
      }
      const sent = this.#module.request(this.#url, options, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(parts).toString()
          resolve({ status: response.statusCode ?? 0, text })
        })
      })
      sent.on('error', reject)
      sent.end(sentBody)
    })
  }

  /**
   * Calls `take` with every line of the body until it ends in any way. Returns the status; 0: no
   * response.
   */
  follow(path: string, signal: AbortSignal, take: (line: string) => void): Promise<Answer> {
    return new Promise((resolve) => {
      const options = { path, headers: this.#headers, agent: false as const, signal }
      const insecure = { rejectUnauthorized: false }
      const sent = this.#module.request(this.#url, { ...options, ...insecure }, (response) => {
        const { statusCode: status = 0 } = response
        let rest = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          const lines = (rest + part).split('\n')
          // A line that was cut off is not an event.
          rest = lines.pop() ?? ''
          if (status === 200) for (const line of lines) take(line)
        })
        response.on('error', () => undefined) // `close` follows.
        response.on('close', () => resolve({ status, text: rest }))
      })
      sent.on('error', () => resolve({ status: 0, text: '' }))
      sent.end()
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
